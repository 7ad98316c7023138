import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Address } from '@solana/kit';
import { createRpcPool } from '../../src/chain/rpc/rpc-pool.ts';
import { createSolanaReads } from '../../src/chain/solana.ts';
import { createValidatorReads, type ValidatorReads } from '../../src/chain/validator/validator-reads.ts';
import { leaderSlots } from '../../src/domain/validator/leader-slots.ts';
import { creditsEarned, rankOf, voteSuccessRate } from '../../src/domain/validator/validator-score.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { wholeFilePatience } from '../support/patience.ts';
import { withSandbox } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { atSlot, type Script, startScriptedRpc } from '../support/scripted-rpc.ts';

const SOL = 1_000_000_000n;
const RENT = 1_666_240n;
const NOBODY = '1nc1nerator11111111111111111111111111111111' as Address;
const signal = wholeFilePatience();

const withReads = async (url: string, use: (reads: ValidatorReads) => Promise<void>): Promise<void> => {
  const pool = createRpcPool({
    urls: [url],
    timeoutMs: 10_000,
    maxConcurrent: 8,
    clock,
    logger: createLogger('silent'),
  });
  try {
    await use(createValidatorReads(pool, createSolanaReads(pool)));
  } finally {
    await pool.close();
  }
};

describe('validator reads on the sandbox', () => {
  it('the sandbox’s vote account is found with its stake, credits, votes and rank', async () => {
    await withSandbox({ startEpoch: 700 }, async (sandbox) => {
      const staker = await SandboxStaker.fund(sandbox, 100n * SOL);
      await staker.stake(10n * SOL + RENT);
      await sandbox.advanceEpochs(2);
      const voteAccount = sandbox.voteAccount as Address;
      await withReads(sandbox.rpcUrl, async (reads) => {
        const own = (await reads.voteAccount(voteAccount, { signal }))!;
        assert.equal(own.identity, sandbox.identity);
        assert.equal(own.delinquent, false);
        assert.equal(own.commissionPct, 0);
        assert.equal(creditsEarned(own.epochCredits, 701n), 6_808_320n);
        assert.ok(own.activatedStakeLamports >= 10n * SOL && own.activatedStakeLamports < 11n * SOL);
        assert.ok(own.lastVoteSlot > own.rootSlot);
        const all = await reads.voteAccounts({ signal });
        const stakes = all.map((entry) => entry.activatedStakeLamports);
        const { rank, total } = rankOf(own.activatedStakeLamports, stakes);
        assert.equal(total, all.length);
        assert.ok(rank > 1, 'the rest of the cluster holds more');
        assert.equal(await reads.voteAccount(NOBODY, { signal }), null);
        const state = await reads.voteState(voteAccount, { signal });
        assert.equal(state?.identity, sandbox.identity);
        assert.equal(await reads.voteState(NOBODY, { signal }), null);
      });
    });
  });

  it('leader slots and votes of the epoch add up', async () => {
    await withSandbox({ epochSeconds: 20 }, async (sandbox) => {
      for (let blocks = 0; blocks < 8; blocks += 1) await sandbox.nextBlock(signal);
      await withReads(sandbox.rpcUrl, async (reads) => {
        const record = await reads.leaderRecord(sandbox.identity as Address, { signal });
        const { assigned, passed, skipped, skipRatePct } = leaderSlots(record);
        assert.ok(assigned !== null && assigned >= passed && passed >= 8, `${passed} of ${assigned}`);
        assert.deepEqual([skipped, skipRatePct], [0, 0]);
        const { slots, blocks } = await reads.blocksProduced({ signal });
        assert.ok(blocks <= slots && slots > BigInt(passed));
        const own = await reads.voteAccount(sandbox.voteAccount as Address, { signal });
        const epoch = own!.epochCredits.at(-1)!.epoch;
        const rate = voteSuccessRate(creditsEarned(own!.epochCredits, epoch)!, slots);
        assert.ok(rate !== null && rate > 90 && rate <= 100, `${rate}`);
        const idle = await reads.leaderRecord(NOBODY, { signal });
        assert.deepEqual([idle.assigned, idle.passed, idle.produced], [0, 0, 0]);
      });
    });
  });

  it('the software version, issuance and mean slot duration are read', async () => {
    await withSandbox({ slotMs: 20 }, async (sandbox) => {
      await withReads(sandbox.rpcUrl, async (reads) => {
        assert.match((await reads.software(sandbox.identity as Address, { signal }))!, /^\d+\.\d+\.\d+/);
        assert.equal(await reads.software(NOBODY, { signal }), null);
        assert.deepEqual(await reads.issuance({ signal }), {
          validatorInflation: 0.042,
          supplyLamports: 600_000_000n * SOL,
        });
        assert.equal(await reads.longSlotDurationMs({ signal }), 20);
      });
    });
  });
});

describe('validator reads with unusual responses', () => {
  let rpc: Awaited<ReturnType<typeof startScriptedRpc>>;
  before(async () => {
    rpc = await startScriptedRpc(() => ({ result: null }));
  });
  after(() => rpc[Symbol.asyncDispose]());

  const answering = (script: Script, use: (reads: ValidatorReads) => Promise<void>) => {
    rpc.script = script;
    rpc.requests.length = 0;
    return withReads(rpc.url, use);
  };
  const identity = NOBODY;
  const entry = (voteAccount: string, activatedStake: unknown = 5) => ({
    votePubkey: voteAccount,
    nodePubkey: identity,
    activatedStake,
    commission: 7,
    lastVote: 9,
    rootSlot: 2,
    epochVoteAccount: true,
    epochCredits: [[1, 64, 0]],
  });
  const OTHER = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
  const unavailable = (read: Promise<unknown>) =>
    assert.rejects(read, (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));

  it('a delinquent validator is found in the delinquent list, and extra entries are ignored', async () => {
    await answering(
      () => ({ result: { current: [entry(OTHER)], delinquent: [entry(NOBODY)] } }),
      async (reads) => {
        const found = await reads.voteAccount(NOBODY, { signal });
        assert.deepEqual([found?.voteAccount, found?.delinquent, found?.commissionPct], [NOBODY, true, 7]);
        const [config] = rpc.requests[0]!.params;
        assert.deepEqual([config.votePubkey, config.keepUnstakedDelinquents], [NOBODY, true]);
      },
    );
  });

  it('stakes beyond 2^53 lamports are exact', async () => {
    await answering(
      () => ({ result: { current: [entry(NOBODY, 2n ** 53n + 1n)], delinquent: [] } }),
      async (reads) => {
        const found = await reads.voteAccount(NOBODY, { signal });
        assert.equal(found?.activatedStakeLamports, 2n ** 53n + 1n);
      },
    );
  });

  it('negative stakes, more blocks than slots, and missing lists are refused', async () => {
    await answering(
      () => ({ result: { current: [entry(NOBODY, -1)], delinquent: [] } }),
      (reads) => unavailable(reads.voteAccounts({ signal })),
    );
    await answering(
      () => ({ result: { current: [] } }),
      (reads) => unavailable(reads.voteAccounts({ signal })),
    );
    await answering(
      () => atSlot(9, { byIdentity: { [identity]: [4, 5] }, range: { firstSlot: 0, lastSlot: 9 } }),
      (reads) => unavailable(reads.leaderRecord(identity, { signal })),
    );
  });

  const leading =
    (schedule: unknown, passed = 8): Script =>
    ({ method }) =>
      method === 'getLeaderSchedule'
        ? { result: schedule }
        : atSlot(500, {
            byIdentity: { [identity]: [passed, passed - 1] },
            range: { firstSlot: 432, lastSlot: 500 },
          });

  it('assigned slots are unknown without a schedule, or if the schedule contradicts the counts', async () => {
    for (const schedule of [null, { [identity]: [0, 1, 2, 3] }]) {
      await answering(leading(schedule), async (reads) => {
        const record = await reads.leaderRecord(identity, { signal });
        assert.deepEqual(
          [record.assigned, record.passed, record.produced, record.firstSlot, record.lastSlot],
          [null, 8, 7, 432n, 500n],
        );
      });
    }
  });

  it('the schedule is requested for the counted epoch, and only once per epoch', async () => {
    const slots = Array.from({ length: 40 }, (_, slot) => slot);
    await answering(leading({ [identity]: slots }), async (reads) => {
      for (let time = 0; time < 3; time += 1)
        assert.equal((await reads.leaderRecord(identity, { signal })).assigned, 40);
      assert.equal(rpc.count('getLeaderSchedule'), 1);
      assert.equal(rpc.requests.find(({ method }) => method === 'getLeaderSchedule')?.params[0], 432);
    });
  });

  it('leader slots belong to the requested epoch in ascending order, and two epochs are cached', async () => {
    const schedule: Script = ({ params: [firstSlot] }) => ({
      result: { [identity]: firstSlot === 0 ? [7, 4, 6, 5] : [0] },
    });
    await answering(schedule, async (reads) => {
      for (let time = 0; time < 2; time += 1) {
        assert.deepEqual(await reads.leaderSlots(identity, 0n, { signal }), [4n, 5n, 6n, 7n]);
        assert.deepEqual(await reads.leaderSlots(identity, 432n, { signal }), [432n]);
      }
      assert.deepEqual(await reads.leaderSlots(OTHER as Address, 0n, { signal }), []);
      assert.equal(rpc.count('getLeaderSchedule'), 3);
    });
    await answering(leading(null), async (reads) =>
      assert.equal(await reads.leaderSlots(identity, 432n, { signal }), null),
    );
  });

  it('blocks produced in a slot range are counted', async () => {
    await answering(leading(null), async (reads) => {
      assert.equal(await reads.blocksBetween(identity, 440n, 447n, { signal }), 7);
      assert.equal(await reads.blocksBetween(OTHER as Address, 440n, 447n, { signal }), 0);
      assert.deepEqual(rpc.requests[0]!.params[0].range, { firstSlot: 440, lastSlot: 447 });
    });
  });

  it('a cluster without samples has no mean slot duration', async () => {
    await answering(
      () => ({ result: [] }),
      async (reads) => assert.equal(await reads.longSlotDurationMs({ signal }), null),
    );
  });

  it('an aborted call ends the read', async () => {
    await answering(
      () => 'silence',
      async (reads) => {
        const leaving = new AbortController();
        const read = reads.voteAccounts({ signal: leaving.signal });
        await rpc.asked('getVoteAccounts');
        leaving.abort(new Error('gone'));
        await assert.rejects(read, /gone/);
      },
    );
  });
});

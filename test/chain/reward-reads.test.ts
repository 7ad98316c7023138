import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Address } from '@solana/kit';
import { createRpcPool } from '../../src/chain/rpc/rpc-pool.ts';
import { createRewardReads, type RewardReads } from '../../src/chain/validator/reward-reads.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { wholeFilePatience } from '../support/patience.ts';
import { withSandbox } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { type Script, startScriptedRpc } from '../support/scripted-rpc.ts';

const SOL = 1_000_000_000n;
const RENT = 1_666_240n;
const NOBODY = '1nc1nerator11111111111111111111111111111111' as Address;
const signal = wholeFilePatience();

const withReads = async (url: string, use: (reads: RewardReads) => Promise<void>): Promise<void> => {
  const pool = createRpcPool({
    urls: [url],
    timeoutMs: 30_000,
    maxConcurrent: 8,
    clock,
    logger: createLogger('silent'),
  });
  try {
    await use(createRewardReads(pool));
  } finally {
    await pool.close();
  }
};

describe('reward reads on the sandbox', () => {
  it('each ended epoch is reported as paid, unpaid or not yet known', async () => {
    await withSandbox({ startEpoch: 700, tipPpb: 0 }, async (sandbox) => {
      const staker = await SandboxStaker.fund(sandbox, 100n * SOL);
      const stake = (await staker.stake(10n * SOL + RENT)) as Address;
      await sandbox.advanceEpochs(2);
      await withReads(sandbox.rpcUrl, async (reads) => {
        const [activation, first, running] = await reads.inflationPayments(
          [stake, NOBODY],
          [700n, 701n, 702n],
          { signal },
        );
        assert.deepEqual(activation, {
          epoch: 700n,
          state: 'known',
          payments: new Map([
            [stake, null],
            [NOBODY, null],
          ]),
        });
        assert.ok(first?.state === 'known');
        assert.deepEqual(first.payments.get(stake), {
          epoch: 701n,
          effectiveSlot: 702n * 432_000n,
          lamports: (10n * SOL * 354_000n) / 1_000_000_000n,
          postBalanceLamports: (await staker.account(stake))!.lamports,
          commissionPct: 0,
        });
        assert.deepEqual(running, { epoch: 702n, state: 'unavailable' });
        const paidAt = await reads.blockTimeSeconds(702n * 432_000n, { signal });
        assert.ok(paidAt !== null && paidAt > 1_700_000_000);
        assert.equal(await reads.blockTimeSeconds(10n ** 12n, { signal }), null);
      });
    });
  });
});

describe('reward reads with unusual responses', () => {
  let rpc: Awaited<ReturnType<typeof startScriptedRpc>>;
  before(async () => {
    rpc = await startScriptedRpc(() => ({ result: null }));
  });
  after(() => rpc[Symbol.asyncDispose]());

  const answering = (script: Script, use: (reads: RewardReads) => Promise<void>) => {
    rpc.script = script;
    rpc.requests.length = 0;
    return withReads(rpc.url, use);
  };
  const row = (epoch: number, amount: unknown = 5) => ({
    epoch,
    effectiveSlot: (epoch + 1) * 432_000,
    amount,
    postBalance: 2n ** 60n,
  });
  const many = Array.from({ length: 250 }, () => NOBODY);
  const refusing =
    (code: number): Script =>
    () => ({ error: { code, message: 'no' } });

  it('many addresses and epochs are requested in batches at the finalized commitment, and the results are complete and in order', async () => {
    let underWay = 0;
    let most = 0;
    const script: Script = async ({ params: [addresses, config] }) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      assert.equal(config.commitment, 'finalized');
      return { result: addresses.map(() => row(config.epoch, 2n ** 53n + 1n)) };
    };
    await answering(script, async (reads) => {
      const digits = 'ABCDEFGHJKLMNPQR';
      const addresses = many.map(
        (_, i) => `${NOBODY.slice(0, -2)}${digits[i >> 4]}${digits[i & 15]}` as Address,
      );
      const responses = await reads.inflationPayments(addresses, [9n, 8n, 7n], { signal });
      assert.deepEqual(
        responses.map(({ epoch, state }) => [epoch, state]),
        [
          [9n, 'known'],
          [8n, 'known'],
          [7n, 'known'],
        ],
      );
      for (const response of responses) {
        assert.ok(response.state === 'known');
        assert.equal(response.payments.get(addresses[249]!)?.lamports, 2n ** 53n + 1n);
        assert.equal(response.payments.get(addresses[249]!)?.commissionPct, null);
      }
      assert.equal(rpc.count('getInflationReward'), 9);
      assert.ok(most <= 4, `${most} concurrent requests`);
    });
  });

  it('an unfinished distribution and missing blocks are distinguished from an epoch without payment', async () => {
    for (const [code, state] of [
      [-32_017, 'distributing'],
      [-32_001, 'unavailable'],
      [-32_004, 'unavailable'],
      [-32_007, 'unavailable'],
      [-32_009, 'unavailable'],
      [-32_011, 'unavailable'],
    ] as const) {
      await answering(refusing(code), async (reads) => {
        assert.deepEqual(await reads.inflationPayments([NOBODY], [9n], { signal }), [{ epoch: 9n, state }]);
      });
    }
  });

  it('one failed batch makes the whole epoch unknown, and its missing rows do not count as unpaid', async () => {
    const script: Script = ({ params: [addresses, config] }) =>
      addresses.length < 100
        ? { error: { code: -32_001, message: 'cleaned up' } }
        : { result: addresses.map(() => row(config.epoch)) };
    await answering(script, async (reads) => {
      assert.deepEqual(await reads.inflationPayments(many, [9n], { signal }), [
        { epoch: 9n, state: 'unavailable' },
      ]);
    });
  });

  it('rows of another epoch, too few rows and impossible amounts are refused', async () => {
    for (const result of [
      [row(8)],
      [],
      [row(9), row(9)],
      [row(9, -5)],
      [row(9, 2n ** 61n)],
      [row(9, 1.5)],
      [row(9, '5')],
    ]) {
      await answering(
        () => ({ result }),
        async (reads) => {
          await assert.rejects(reads.inflationPayments([NOBODY], [9n], { signal }), (error) =>
            isAppError(error, 'UPSTREAM_UNAVAILABLE'),
          );
        },
      );
    }
  });

  it('any other refusal fails the read and cancels the remaining requests', async () => {
    const script: Script = ({ params: [addresses, config] }) =>
      config.epoch === 0
        ? { error: { code: -32_602, message: 'no' } }
        : { result: addresses.map(() => row(config.epoch)) };
    await answering(script, async (reads) => {
      const epochs = Array.from({ length: 200 }, (_, epoch) => BigInt(epoch));
      await assert.rejects(reads.inflationPayments([NOBODY], epochs, { signal }), (error) =>
        isAppError(error, 'UPSTREAM_UNAVAILABLE'),
      );
      assert.ok(rpc.count('getInflationReward') < 100, `${rpc.count('getInflationReward')} sent`);
    });
  });

  it('the fees of a block are summed exactly, excluding other rewards', async () => {
    const rewards = [
      { pubkey: NOBODY, lamports: 2n ** 53n + 1n, postBalance: 2n ** 60n, rewardType: 'Fee' },
      { pubkey: NOBODY, lamports: -5, postBalance: 1, rewardType: 'Rent' },
      { pubkey: NOBODY, lamports: 7, postBalance: 7, rewardType: 'Staking', commission: null },
    ];
    await answering(
      () => ({ result: { blockHeight: 4, rewards } }),
      async (reads) => {
        assert.equal(await reads.blockRewardLamports(5n, { signal }), 2n ** 53n + 1n);
        const [slot, config] = rpc.requests[0]!.params;
        assert.deepEqual(
          [slot, config.transactionDetails, config.rewards, config.commitment],
          [5, 'none', true, 'finalized'],
        );
      },
    );
  });

  it('a skipped block is distinguished from a block that no node stores', async () => {
    for (const [code, expected] of [
      [-32_007, 'missing'],
      [-32_009, 'missing'],
      [-32_001, null],
      [-32_004, null],
      [-32_011, null],
    ] as const)
      await answering(refusing(code), async (reads) =>
        assert.equal(await reads.blockRewardLamports(5n, { signal }), expected, String(code)),
      );
  });

  it('no request is sent if there are no addresses or no epochs', async () => {
    await answering(refusing(-32_602), async (reads) => {
      assert.deepEqual(await reads.inflationPayments([], [], { signal }), []);
      assert.deepEqual(await reads.inflationPayments([], [9n], { signal }), [
        { epoch: 9n, state: 'known', payments: new Map() },
      ]);
      assert.equal(rpc.requests.length, 0);
    });
  });

  it('an aborted call ends its reads', async () => {
    await answering(
      () => 'silence',
      async (reads) => {
        const leaving = new AbortController();
        const read = reads.inflationPayments([NOBODY], [9n, 8n], { signal: leaving.signal });
        await rpc.asked('getInflationReward', 2);
        leaving.abort(new Error('gone'));
        await assert.rejects(read, /gone/);
      },
    );
  });
});

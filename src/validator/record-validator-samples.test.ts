import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { wholeFilePatience } from '../../test/support/patience.ts';
import { SandboxStaker } from '../../test/support/sandbox-staker.ts';
import { openValidatorWorld, type ValidatorWorld } from '../../test/support/validator-world.ts';
import type { VoteAccount } from '../chain/validator/validator-reads.ts';
import { VOTE_PROGRAM_ADDRESS } from '../chain/validator/validator-vote-state.ts';
import { annualYield } from '../domain/validator/realized-apy.ts';
import { AppError } from '../kernel/app-error.ts';
import { createStatusPoll } from './poll-validator-status.ts';
import { beginRecordingSamples } from './record-validator-samples.ts';

const SOL = 1_000_000_000n;
const RENT = 1_666_240n;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const signal = wholeFilePatience();

/** Advances the time, so no cached value is fresh, and polls. */
const pollOnce = async ({ clock, sampler }: ValidatorWorld): Promise<void> => {
  clock.advance(MINUTE);
  await sampler.poll(signal);
};

const stakedWorld = async (t: TestContext): Promise<ValidatorWorld> => {
  const world = await openValidatorWorld(t);
  const staker = await SandboxStaker.fund(world.sandbox, 300n * SOL);
  await staker.stake(100n * SOL + RENT);
  await staker.stake(150n * SOL + RENT);
  await world.sandbox.advanceEpochs(1);
  return world;
};

const blocks = ({ sandbox }: ValidatorWorld, count: number): Promise<void> => sandbox.advanceBlocks(count);

/** Sets the commission of the chain's own vote account, in basis points. */
const setCommission = async ({ sandbox, sources }: ValidatorWorld, bps: number): Promise<void> => {
  const { accounts } = await sources.reads.accounts([sources.voteAccount], { signal });
  const data = Buffer.from(accounts[0]!.data);
  data.writeUInt16LE(bps, 132);
  const { lamports } = accounts[0]!;
  await sandbox.setAccount({ address: sandbox.voteAccount, lamports, data, owner: VOTE_PROGRAM_ADDRESS });
};

test('a completed epoch is recorded once with its stake, credits, commission and yield', async (t) => {
  const world = await stakedWorld(t);
  const { sandbox, store, sources } = world;
  const epoch = BigInt(sandbox.epoch());
  await pollOnce(world);
  const stake = (await sources.chain.voteAccount(sources.voteAccount, { signal }))!.activatedStakeLamports;
  await sandbox.advanceEpochs(1);
  await pollOnce(world);
  await pollOnce(world);
  const recorded = await store.samples.epochs(100);
  assert.equal(new Set(recorded.map((sample) => sample.epoch)).size, recorded.length);
  const ended = recorded.find((sample) => sample.epoch === epoch);
  const tips = (await sources.mev!.rewards(signal)).value!.find((entry) => BigInt(entry.epoch) === epoch)!;
  const { totalApy } = annualYield(
    { inflationPerEpoch: 0.000354, tipsPerEpoch: Number(tips.mevLamports) / Number(stake) },
    8_640,
  );
  assert.deepEqual(
    { ...ended, apy: Math.round(ended!.apy! * 100) },
    {
      epoch,
      activeStakeLamports: stake,
      credits: 6_808_320n,
      apy: Math.round(totalApy! * 100),
      commission: 0,
      skipRate: null,
      clusterSkipRate: 0,
      stakeRank: 72,
      validators: 72,
      commissionLamports: 0n,
      tipsLamports: 0n,
      blockRewardsLamports: null,
      blockRewardsSlot: null,
      leaderSlotsUnread: null,
    },
  );
  assert.ok(stake >= 250n * SOL);
});

test("the validator's own income and rank, and the cluster's skip rate, are recorded by epoch", async (t) => {
  const skipping = { slots: 1_000n, blocks: 975n };
  const world = await openValidatorWorld(t, {}, ({ chain }) => ({
    chain: {
      ...chain,
      blocksProduced: async (...asked) => ({ ...(await chain.blocksProduced(...asked)), ...skipping }),
    },
  }));
  const { sandbox, store, sources } = world;
  await sandbox.setValidator({ commissionBps: 500 });
  const staker = await SandboxStaker.fund(sandbox, 300n * SOL);
  await staker.stake(100n * SOL + RENT);
  await sandbox.advanceEpochs(1);
  await pollOnce(world);
  const epoch = BigInt(sandbox.epoch());
  await sandbox.advanceEpochs(1);
  await pollOnce(world);
  const recorded = await store.samples.epochs(9);
  const ended = recorded.find((sample) => sample.epoch === epoch)!;
  const paid = await sources.rewards.inflationPayments([sources.voteAccount], [epoch], { signal });
  assert.ok(paid[0]?.state === 'known');
  const { lamports } = paid[0].payments.get(sources.voteAccount)!;
  assert.ok(lamports > 0n);
  assert.equal(ended.commissionLamports, lamports);
  assert.deepEqual([ended.stakeRank, ended.validators, ended.clusterSkipRate], [72, 72, 2.5]);
  const current = recorded.find((sample) => sample.epoch === epoch + 1n)!;
  assert.equal(current.stakeRank, 72);
  assert.deepEqual([current.commissionLamports, current.tipsLamports], [null, null], 'not paid yet');
});

test('leader slots are read once per quarter of an hour, and at every poll shortly before the end of an epoch', async (t) => {
  let [reads, slotDurationMs] = [0, 400];
  const world = await openValidatorWorld(t, {}, ({ chain, cluster }) => ({
    chain: {
      ...chain,
      leaderRecord: (...asked) => {
        reads += 1;
        return chain.leaderRecord(...asked);
      },
    },
    cluster: {
      ...cluster,
      epochPosition: async (given) => ({ ...(await cluster.epochPosition(given)), slotDurationMs }),
    },
  }));
  const readsOf = async (minutes: number): Promise<number> => {
    const before = reads;
    for (let minute = 0; minute < minutes; minute += 1) await pollOnce(world);
    return reads - before;
  };
  await blocks(world, 100);
  await pollOnce(world);
  assert.equal(await readsOf(15), 1);
  slotDurationMs = 0.1;
  assert.equal(await readsOf(5), 5);
});

test('epochs from before the service was started are filled in from the chain', async (t) => {
  const world = await stakedWorld(t);
  await world.sandbox.advanceEpochs(3);
  await pollOnce(world);
  const current = BigInt(world.sandbox.epoch());
  const recorded = await world.store.samples.epochs(100);
  const ended = recorded.filter(({ epoch }) => epoch < current);
  assert.ok(ended.length >= 4);
  for (const sample of ended) assert.equal(sample.credits, 6_808_320n);
  // The stakes have been effective since the second of the ended epochs.
  const paid = ended.filter(({ apy }) => apy !== null).map(({ epoch }) => epoch);
  assert.deepEqual(paid, [current - 1n, current - 2n, current - 3n]);
  for (const { epoch, commission } of ended) assert.equal(commission, paid.includes(epoch) ? 0 : null);
});

test('an epoch is recorded only after its rewards have been paid', async (t) => {
  const world = await stakedWorld(t);
  const { sandbox, store } = world;
  await sandbox.holdEpochRewards(true);
  await sandbox.advanceEpochs(1);
  await pollOnce(world);
  assert.deepEqual(await store.samples.epochs(100), []);
  assert.notEqual(world.board.current(), null, 'users are still warned before signing');
  await sandbox.holdEpochRewards(false);
  await pollOnce(world);
  const ended = (await store.samples.epochs(100)).find(({ epoch }) => epoch === BigInt(sandbox.epoch() - 1));
  assert.notEqual(ended?.apy ?? null, null);
});

test('votes and delinquency are sampled every quarter of an hour, and old samples are deleted', async (t) => {
  const world = await stakedWorld(t);
  const { clock, store } = world;
  await blocks(world, 100);
  const intoQuarter = clock.now() % (15 * MINUTE);
  clock.advance(15 * MINUTE - intoQuarter);
  await pollOnce(world);
  await pollOnce(world);
  const [first, ...others] = await store.samples.votes(0);
  assert.deepEqual(others, []);
  assert.ok(first!.voteSuccessRate > 0 && first!.voteSuccessRate <= 100);
  assert.deepEqual(await store.samples.delinquency(0n), { samples: 1, delinquent: 0 });
  clock.advance(15 * MINUTE);
  await pollOnce(world);
  assert.equal((await store.samples.votes(0)).length, 2);
  assert.deepEqual(await store.samples.delinquency(0n), { samples: 2, delinquent: 0 });
  clock.advance(31 * DAY);
  await pollOnce(world);
  assert.equal((await store.samples.votes(0)).length, 1);
});

test('a second recorder on the same store does not add a second sample per quarter of an hour', async (t) => {
  const world = await stakedWorld(t);
  await blocks(world, 100);
  await pollOnce(world);
  await beginRecordingSamples(world.facts, world.sources)(signal);
  assert.equal((await world.store.samples.votes(0)).length, 1);
  assert.deepEqual(await world.store.samples.delinquency(0n), { samples: 1, delinquent: 0 });
});

test('a process that only polls the validator status records no samples', async (t) => {
  const world = await stakedWorld(t);
  await blocks(world, 100);
  const { facts, board, store } = world;
  await createStatusPoll({ facts, board, warningsIn: async () => [] })(signal);
  assert.notEqual(board.current(), null);
  assert.deepEqual([await store.samples.epochs(9), await store.samples.votes(0)], [[], []]);
});

test('a process that is elected again begins with the current state', async (t) => {
  const world = await stakedWorld(t);
  await blocks(world, 100);
  const { facts, clock, sources, store, sandbox } = world;
  const record = async (term: ReturnType<typeof beginRecordingSamples>) => {
    clock.advance(MINUTE);
    await term(signal);
  };
  await record(beginRecordingSamples(facts, sources));
  const led = BigInt(sandbox.epoch());
  const [seen] = await store.samples.epochs(1);
  assert.equal(seen?.epoch, led);
  // Another process is elected in the meantime and records data that this process has never seen.
  await store.samples.recordEpochs([{ ...seen!, activeStakeLamports: 7n }]);
  await sandbox.advanceEpochs(1);
  await record(beginRecordingSamples(facts, sources));
  const before = (await store.samples.epochs(9)).find(({ epoch }) => epoch === led);
  assert.equal(before?.activeStakeLamports, 7n, 'not overwritten by data from an earlier term');
});

test('a raised commission triggers a warning for five epochs, and a lowered one triggers none', async (t) => {
  const world = await stakedWorld(t);
  const { sandbox, board } = world;
  await setCommission(world, 500);
  await pollOnce(world);
  assert.deepEqual(board.warnings(), [], 'no earlier commission is recorded');
  await setCommission(world, 0);
  await pollOnce(world);
  await sandbox.advanceEpochs(1);
  await pollOnce(world);
  assert.deepEqual(board.warnings(), []);
  await setCommission(world, 700);
  await pollOnce(world);
  const rose = ['The validator’s commission rose from 0% to 7% within the last epochs.'];
  assert.deepEqual(board.warnings(), rose);
  assert.equal(board.current()?.commission, 7);
  await sandbox.advanceEpochs(1);
  await pollOnce(world);
  assert.deepEqual(board.warnings(), rose);
  for (let passed = 0; passed < 5; passed += 1) {
    await sandbox.advanceEpochs(1);
    await pollOnce(world);
  }
  assert.deepEqual(board.warnings(), []);
  await setCommission(world, 300);
  await pollOnce(world);
  assert.deepEqual(board.warnings(), []);
});

test('the yield follows a raised commission at once, so that no warning contradicts it', async (t) => {
  const world = await stakedWorld(t);
  const { board, facts } = world;
  await pollOnce(world);
  const before = board.current()!.apy!.inflationPerEpoch!;
  assert.ok(before > 0);
  await setCommission(world, 5_000);
  // The vote account and the yield that were read before are still fresh.
  await createStatusPoll({ facts, board, warningsIn: async () => [] })(signal);
  const { commission, apy } = board.current()!;
  assert.equal(commission, 50);
  assert.equal(apy!.inflationPerEpoch, before / 2);
});

test('a delinquent validator triggers a warning before signing and counts against its uptime', async (t) => {
  const world = await openValidatorWorld(t, {}, ({ chain }) => ({
    chain: {
      ...chain,
      voteAccount: async (...asked) => {
        const listed = await chain.voteAccount(...asked);
        return listed && { ...listed, delinquent: true };
      },
    },
  }));
  await blocks(world, 100);
  await pollOnce(world);
  assert.match(world.board.warnings().join(), /delinquent/);
  assert.deepEqual(await world.store.samples.delinquency(0n), { samples: 1, delinquent: 1 });
});

test('a commission of 100%, and a vote account that changed its identity or was closed, trigger a warning before signing', async (t) => {
  let change = (listed: VoteAccount): VoteAccount | null => listed;
  const world = await openValidatorWorld(t, {}, ({ chain }) => ({
    chain: {
      ...chain,
      voteAccount: async (...asked) => {
        const listed = await chain.voteAccount(...asked);
        return listed && change(listed);
      },
    },
  }));
  const logged = async () => {
    await pollOnce(world);
    return world.board.warnings();
  };
  assert.deepEqual(await logged(), []);
  await setCommission(world, 10_000);
  assert.match((await logged()).join(), /validator’s commission is 100%/);
  await setCommission(world, 0);
  const other = world.sandbox.faucetAddress as Address;
  change = (listed) => ({ ...listed, identity: other });
  assert.match((await logged()).join(), new RegExp(`from ${world.sandbox.identity} to ${other}`));
  change = () => null;
  assert.match((await logged()).join(), /no longer lists the validator’s vote account/);
  change = (listed) => listed;
  assert.deepEqual(await logged(), []);
});

test('an outage of the cluster costs at most one sample, and old observations expire', async (t) => {
  let isAway = false;
  const world = await openValidatorWorld(t, {}, ({ chain }) => ({
    chain: {
      ...chain,
      voteAccount: async (...asked) => {
        if (isAway) throw new AppError('UPSTREAM_UNAVAILABLE', 'away');
        return chain.voteAccount(...asked);
      },
    },
  }));
  await pollOnce(world);
  assert.notEqual(world.board.current(), null);
  isAway = true;
  await pollOnce(world);
  assert.equal(world.board.current(), null);
  isAway = false;
  await pollOnce(world);
  assert.notEqual(world.board.current(), null);
});

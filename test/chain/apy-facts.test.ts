import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import type { VoteAccount } from '../../src/chain/validator/validator-reads.ts';
import { decodeStakeAccount } from '../../src/domain/stake/stake-account.ts';
import { AppError, isAppError } from '../../src/kernel/app-error.ts';
import { textOf } from '../../src/kernel/sentence.ts';
import { validatorHistory } from '../../src/operations/validator/validator-history.ts';
import type { Snapshot } from '../../src/upstream/provider-snapshot.ts';
import type { ValidatorSources } from '../../src/validator/validator-sources.ts';
import { withParts } from '../support/context-parts.ts';
import { wholeFilePatience } from '../support/patience.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { openValidatorWorld } from '../support/validator-world.ts';

const SOL = 1_000_000_000n;
const RENT = 1_666_240n;
const signal = wholeFilePatience();

const down: Snapshot<never> = {
  value: null,
  fetchedAtMs: null,
  stale: false,
  warnings: [{ provider: 'jito', word: 'unreachable' }],
};
const isAway = async (): Promise<never> => {
  throw new AppError('UPSTREAM_UNAVAILABLE', 'away');
};
const withoutMev = ({ mev }: ValidatorSources): Partial<ValidatorSources> => ({
  mev: { ...mev!, rewards: async () => down, commission: async () => down },
});

test('the tip yield matches what each account was paid, and does not change when the source switches from reported to measured', async (t) => {
  // Yields of two-day epochs, scaled to epochs of 432,000 slots of 20 ms.
  const { facts, sandbox, clock } = await openValidatorWorld(t, { rewardPpb: 17_700, tipPpb: 500 });
  const reported = await facts.apy(signal);
  assert.deepEqual([reported.mev?.source, reported.apy.jitoMevApy], ['provider', 0.18]);
  const staker = await SandboxStaker.fund(sandbox, 300n * SOL);
  const amounts = [10n * SOL, 20n * SOL, 70n * SOL];
  const stakes: string[] = [];
  for (const amount of amounts) stakes.push(await staker.stake(amount + RENT));
  for (let ended = 1; ended <= 3; ended += 1) {
    await sandbox.advanceEpochs(1);
    clock.advance(31_000);
    const { mev, apy, tipsPerEpoch } = await facts.apy(signal);
    assert.equal(mev?.source, ended === 1 ? 'provider' : 'realised');
    assert.ok(Math.abs(apy.jitoMevApy! - 0.18) < 0.01, `${apy.jitoMevApy} after ${ended} epochs`);
    if (mev?.source !== 'realised') continue;
    assert.ok(Math.abs(tipsPerEpoch! * 1e9 - 500) < 1, `${tipsPerEpoch}`);
  }
  for (const [index, stake] of stakes.entries()) {
    const { accounts } = await facts.sources.reads.accounts([stake as Address], { signal });
    const idle = accounts[0]!.lamports - decodeStakeAccount(accounts[0]!)!.delegation!.stakeLamports - RENT;
    const share = Number(idle) / Number(amounts[index]) / 2;
    assert.ok(Math.abs(share * 1e9 - 500) < 1, `${share} for the account of ${amounts[index]}`);
  }
});

test('before the first payment, the yield is estimated from issuance and labeled as an estimate', async (t) => {
  const { facts } = await openValidatorWorld(t);
  const { apy, staking, warnings } = await facts.apy(signal);
  assert.deepEqual(staking, { source: 'expected', window: null });
  // 4.2 % of the supply, of which 65 % is staked, compounded over epochs of 8,640 s.
  assert.ok(Math.abs(apy.stakingApy! - Math.expm1(0.042 / 0.65) * 100) < 0.1, String(apy.stakingApy));
  // The response may have been cached for 30 s. The wallet may have been paid in the meantime.
  assert.match(textOf(warnings), /estimated from the cluster’s issuance/);
  assert.doesNotMatch(textOf(warnings), /no reward|As of epoch/);
});

test('once rewards have been paid, the yield is measured instead of estimated', async (t) => {
  const { facts, sandbox, clock } = await openValidatorWorld(t);
  assert.equal((await facts.apy(signal)).staking?.source, 'expected');
  const staker = await SandboxStaker.fund(sandbox, 100n * SOL);
  await staker.stake(50n * SOL + RENT);
  await sandbox.advanceEpochs(2);
  clock.advance(31_000);
  const { inflationPerEpoch, staking } = await facts.apy(signal);
  assert.equal(staking?.source, 'realised');
  assert.ok(Math.abs(inflationPerEpoch! - 0.000354) < 1e-9);
  assert.equal(staking?.window?.sampleCount, 1);
});

test('the expected yield never combines the credits of a complete epoch with a vote account list from mid-epoch', async (t) => {
  const { facts, sandbox, clock } = await openValidatorWorld(t, { epochSeconds: 60 });
  const before = await facts.apy(signal);
  await sandbox.advanceEpochs(1);
  await sandbox.nextBlock(signal);
  await sandbox.nextBlock(signal);
  clock.advance(46_000);
  // The list is read in the first blocks of an epoch and remains cached after that epoch ends.
  await facts.chain.peers(signal);
  await sandbox.advanceEpochs(1);
  clock.advance(31_000);
  await facts.sources.cluster.epochPosition(signal);
  const after = await facts.apy(signal);
  assert.deepEqual([before.staking?.source, after.staking?.source], ['expected', 'expected']);
  assert.ok(Math.abs(after.apy.stakingApy! - before.apy.stakingApy!) < 0.1, String(after.apy.stakingApy));
});

test('an epoch boundary refreshes the yield before its cache lifetime ends', async (t) => {
  const { facts, sandbox } = await openValidatorWorld(t);
  const staker = await SandboxStaker.fund(sandbox, 100n * SOL);
  await staker.stake(50n * SOL + RENT);
  assert.equal((await facts.apy(signal)).staking?.source, 'expected');
  await sandbox.advanceEpochs(2);
  // The yield uses the cached epoch position, which is reused until the predicted boundary. Reading the
  // position refreshes it, as every request does.
  await facts.sources.cluster.epochPosition(signal);
  assert.equal((await facts.apy(signal)).staking?.source, 'realised');
});

test('while rewards are being paid, the previous yield and its epochs are still reported', async (t) => {
  const { facts, sandbox, clock } = await openValidatorWorld(t);
  const staker = await SandboxStaker.fund(sandbox, 100n * SOL);
  await staker.stake(50n * SOL + RENT);
  await sandbox.advanceEpochs(2);
  const before = await facts.apy(signal);
  await sandbox.holdEpochRewards(true);
  await sandbox.advanceEpochs(1);
  clock.advance(31_000);
  const during = await facts.apy(signal);
  assert.deepEqual(during.staking, before.staking);
  await sandbox.holdEpochRewards(false);
  clock.advance(31_000);
  assert.equal((await facts.apy(signal)).staking?.window?.toEpoch, BigInt(sandbox.epoch() - 1));
});

test('a validator that does not run Jito has a tip yield of zero, not an unknown one', async (t) => {
  const { facts, sandbox, clock } = await openValidatorWorld(t, {}, ({ mev }) => ({
    mev: {
      ...mev!,
      rewards: async () => ({ value: [], fetchedAtMs: 0, stale: false, warnings: [] }),
      commission: async (epoch) => ({
        value: { epoch, commissionBps: null, runsJito: false },
        fetchedAtMs: 0,
        stale: false,
        warnings: [],
      }),
    },
  }));
  const { apy, mev } = await facts.apy(signal);
  assert.deepEqual([apy.jitoMevApy, apy.totalApy, mev?.source], [0, apy.stakingApy, 'none']);
  const staker = await SandboxStaker.fund(sandbox, 100n * SOL);
  await staker.stake(50n * SOL + RENT);
  await sandbox.advanceEpochs(2);
  clock.advance(31_000);
  const { apy: paid, epochs } = await facts.apy(signal);
  assert.deepEqual(
    epochs.map(({ epoch, apy: ofEpoch }) => [epoch, ofEpoch]),
    [[sandbox.epoch() - 1, paid.totalApy]],
    'a past epoch, too',
  );
});

test('paid rewards are projected at the current commission: half at 50 %, none at 100 %', async (t) => {
  const { facts, sandbox, clock } = await openValidatorWorld(t);
  const staker = await SandboxStaker.fund(sandbox, 100n * SOL);
  await staker.stake(50n * SOL + RENT);
  await sandbox.advanceEpochs(2);
  const yieldAt = async (commissionBps: number) => {
    await sandbox.setValidator({ commissionBps });
    clock.advance(31_000);
    return facts.apy(signal);
  };
  const free = await yieldAt(0);
  const half = await yieldAt(5_000);
  assert.equal(half.staking?.source, 'realised');
  assert.ok(Math.abs(half.inflationPerEpoch! / free.inflationPerEpoch! - 0.5) < 1e-6);
  assert.deepEqual(half.notices, []);
  const full = await yieldAt(10_000);
  assert.deepEqual([full.inflationPerEpoch, full.apy.stakingApy], [0, 0]);
  assert.deepEqual(
    full.notices.map(({ code }) => code),
    ['COMMISSION_FULL'],
  );
  // Rewards paid at 100 % commission reveal nothing about the validator's earnings.
  await sandbox.advanceEpochs(2);
  clock.advance(61_000);
  const lowered = await yieldAt(5_000);
  assert.ok(Math.abs(lowered.inflationPerEpoch! / half.inflationPerEpoch! - 1) < 1e-3);
});

test('a validator that is delinquent, not admitted or closed has no projected yield, regardless of earlier payments', async (t) => {
  let change: Partial<VoteAccount> | 'gone' = {};
  const { facts, sandbox, clock } = await openValidatorWorld(t, {}, ({ chain }) => ({
    chain: {
      ...chain,
      voteAccount: async (...given) => {
        const found = await chain.voteAccount(...given);
        return change === 'gone' ? null : found && { ...found, ...change };
      },
    },
  }));
  const staker = await SandboxStaker.fund(sandbox, 100n * SOL);
  await staker.stake(50n * SOL + RENT);
  await sandbox.advanceEpochs(2);
  for (const [how, code] of [
    [{ delinquent: true }, 'VALIDATOR_DELINQUENT'],
    [{ inEpoch: false }, 'VALIDATOR_NOT_ADMITTED'],
    ['gone', 'VALIDATOR_CLOSED'],
  ] as const) {
    change = how;
    clock.advance(61_000);
    const { apy, inflationPerEpoch, tipsPerEpoch, notices } = await facts.apy(signal);
    assert.deepEqual(apy, { stakingApy: null, jitoMevApy: null, totalApy: null }, code);
    assert.deepEqual([inflationPerEpoch, tipsPerEpoch], [null, null], code);
    assert.deepEqual(
      notices.map((one) => one.code),
      [code],
    );
  }
});

test('an unknown commission prevents projections and is reported in a notice', async (t) => {
  const { facts } = await openValidatorWorld(t, {}, ({ chain }) => ({
    chain: {
      ...chain,
      voteState: async () => null,
      voteAccount: async (...given) => {
        const found = await chain.voteAccount(...given);
        return found && { ...found, commissionPct: null };
      },
    },
  }));
  const { inflationPerEpoch, notices } = await facts.apy(signal);
  assert.equal(inflationPerEpoch, null);
  assert.deepEqual(
    notices.map(({ code }) => code),
    ['VALIDATOR_STATE_UNKNOWN'],
  );
});

test('an unknown component makes the total yield unknown', async (t) => {
  const { facts } = await openValidatorWorld(t, {}, (sources) => ({ ...withoutMev(sources), network: null }));
  const { apy, mev, tipsPerEpoch, warnings } = await facts.apy(signal);
  assert.ok(apy.stakingApy! > 0);
  assert.deepEqual([apy.jitoMevApy, apy.totalApy, mev, tipsPerEpoch], [null, null, null, null]);
  assert.match(textOf(warnings), /Jito cannot be reached/);
});

test('without the RPC, yields come from the validator data provider, and without both, the request fails', async (t) => {
  const away = ({ cluster }: ValidatorSources): Partial<ValidatorSources> => ({
    cluster: { ...cluster, recentEpochPosition: isAway, epochPosition: isAway },
  });
  const world = await openValidatorWorld(t, {}, away);
  const { apy, staking, mev, inflationPerEpoch } = await world.facts.apy(signal);
  assert.ok(apy.stakingApy! > 5 && apy.stakingApy! < 8);
  assert.deepEqual([staking?.source, mev?.source, inflationPerEpoch], ['provider', 'provider', null]);
  const silent = await openValidatorWorld(t, {}, (sources) => ({
    ...away(sources),
    ...withoutMev(sources),
    network: null,
  }));
  await assert.rejects(silent.facts.apy(signal), (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
});

test('each delegating wallet counts as one delegator, and wallets that have left are not counted', async (t) => {
  const { facts, sandbox, clock } = await openValidatorWorld(t);
  assert.equal(await facts.chain.delegators(signal), 0);
  const [one, other] = [
    await SandboxStaker.fund(sandbox, 100n * SOL),
    await SandboxStaker.fund(sandbox, 100n * SOL),
  ];
  await one.stake(10n * SOL + RENT);
  await one.stake(10n * SOL + RENT);
  const leaving = await other.stake(10n * SOL + RENT);
  clock.advance(61_000);
  assert.equal(await facts.chain.delegators(signal), 2);
  await other.deactivate(leaving);
  clock.advance(61_000);
  const { delegators, references } = await facts.chain.delegatorScan(signal);
  assert.equal(delegators, 1);
  assert.equal(references.length, 2);
});

test('the yield has an interval once ten epochs are recorded, and before that the response says how many are missing', async (t) => {
  const { facts, sandbox, clock, sampler } = await openValidatorWorld(t);
  const staker = await SandboxStaker.fund(sandbox, 300n * SOL);
  await staker.stake(250n * SOL + RENT);
  await sandbox.advanceEpochs(1);
  const recordEpochs = async (count: number) => {
    for (let ended = 0; ended < count; ended += 1) {
      await sandbox.advanceEpochs(1);
      clock.advance(60_000);
      await sampler.poll(signal);
    }
    clock.advance(31_000);
    return (await facts.apy(signal)).spread;
  };
  const few = await recordEpochs(9);
  assert.deepEqual(
    [few.interval, few.missing?.code, few.missing?.params],
    [null, 'INTERVAL_NEEDS_EPOCHS', { needed: 10, measured: 9 }],
  );
  const { interval, missing } = await recordEpochs(1);
  assert.equal(missing, null);
  assert.equal(interval?.epochCount, 10);
  assert.equal(interval.toEpoch, sandbox.epoch() - 1);
  const { schedule, apy } = await facts.apy(signal);
  assert.deepEqual(schedule, { rate: 0.042, terminalRate: 0.042, taper: 0 });
  assert.ok(interval.lowApy <= interval.highApy);
  assert.ok(
    Math.abs((interval.lowApy + interval.highApy) / 2 - apy.totalApy!) < 0.5,
    JSON.stringify(interval),
  );
});

test('the interval counts every epoch in which stake earned, even if no epoch is recorded yet', async (t) => {
  const { facts, sandbox, clock } = await openValidatorWorld(t);
  const staker = await SandboxStaker.fund(sandbox, 300n * SOL);
  await staker.stake(250n * SOL + RENT);
  await sandbox.advanceEpochs(7);
  clock.advance(31_000);
  const { staking, mev, spread } = await facts.apy(signal);
  assert.deepEqual([staking?.window?.epochCount, mev?.window?.epochCount], [5, 5]);
  // The stake was activating in the first of the seven epochs.
  assert.deepEqual(spread.missing?.params, { needed: 10, measured: 6 });
});

test('the history contains the yield of every epoch in which stake earned, even if the epoch is not recorded yet', async (t) => {
  const { facts, sandbox, clock, sampler } = await openValidatorWorld(t);
  const history = async () => {
    const ctx = withParts({}, { clock, validator: { facts } });
    const { body } = await validatorHistory.run({ ctx, input: {}, signal, source: 'rest', client: 'test' });
    return body.epochs.flatMap(({ epoch, apy }) => (apy === null ? [] : [[epoch, apy]]));
  };
  const measured = async () =>
    (await facts.apy(signal)).epochs
      .toSorted((a, b) => b.epoch - a.epoch)
      .map(({ epoch, apy }) => [epoch, apy]);
  const staker = await SandboxStaker.fund(sandbox, 300n * SOL);
  await staker.stake(250n * SOL + RENT);
  await sandbox.advanceEpochs(3);
  clock.advance(31_000);
  assert.deepEqual(
    (await measured()).map(([epoch]) => epoch),
    [sandbox.epoch() - 1, sandbox.epoch() - 2],
  );
  assert.deepEqual(await history(), await measured());
  await sampler.poll(signal);
  await sandbox.advanceEpochs(7);
  clock.advance(31_000);
  assert.equal(
    (await measured()).length,
    9,
    'ten epochs without the first, in which the stake was activating',
  );
  assert.deepEqual(await history(), await measured());
});

test('while neither the chain nor a provider can be read, the yield is the last known one with its time, without a projection; one that stopped before is not shown', async (t) => {
  let isCut = false;
  const { facts, sandbox, clock } = await openValidatorWorld(t, {}, (real) => {
    const cuttable = <T extends object>(part: T): T =>
      new Proxy(part, {
        get: (target, name) => (isCut ? isAway : Reflect.get(target, name)),
      });
    return {
      network: null,
      ...withoutMev(real),
      chain: cuttable(real.chain),
      cluster: cuttable(real.cluster),
    };
  });
  assert.equal(facts.lastApy(), null);
  const beforeMs = clock.now();
  const { apy } = await facts.apy(signal);
  const afterMs = clock.now();
  assert.ok(apy.stakingApy! > 0);
  isCut = true;
  clock.advance(3 * 3_600_000);
  const kept = await facts.apy(signal);
  assert.deepEqual([kept.apy, kept.inflationPerEpoch, kept.tipsPerEpoch], [apy, null, null]);
  const [first] = kept.warnings;
  assert.equal(first!.code, 'YIELD_AS_OF');
  const atMs = Date.parse(String(first!.params.at));
  assert.ok(beforeMs <= atMs && atMs <= afterMs);
  isCut = false;
  clock.advance(3_600_000);
  assert.deepEqual(
    (await facts.apy(signal)).warnings.filter(({ code }) => code === 'YIELD_AS_OF'),
    [],
  );
  await sandbox.setValidator({ commissionBps: 10_000 });
  clock.advance(3_600_000);
  await facts.apy(signal);
  assert.equal(facts.lastApy(), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RENT, SOL, steadyHistory } from '../../../test/support/stake-account-examples.ts';
import type { EpochPositionLike } from '../epoch-clock.ts';
import { annualYield, inflationPerEpochOf, tipsPerEpochOf } from '../validator/realized-apy.ts';
import { estimatedDailyReward, type ProjectionInput, project } from './projection.ts';

const NOW = Date.parse('2026-11-21T00:00:00Z');
const TWO_DAYS = 172_800;
/** The position is in epoch 20, which takes two days and is half over. */
const position: EpochPositionLike = {
  epoch: 20n,
  slotIndex: 216_000n,
  slotsInEpoch: 432_000n,
  readAtMs: NOW,
  slotDurationMs: 400,
  fastestSlotMs: 390,
  slowestSlotMs: 410,
  epochRewardsActive: false,
};
const input = (overrides: Partial<ProjectionInput> = {}): ProjectionInput => ({
  amountLamports: 1_000n * SOL + RENT,
  stakeRentLamports: RENT,
  durationDays: 365,
  rates: { inflationPerEpoch: 0.000354, tipsPerEpoch: 0.00002 },
  schedule: null,
  position,
  history: steadyHistory(0n, 20n),
  nowMs: NOW,
  ...overrides,
});

test('the activation epoch earns no reward, and the first reward arrives at the end of the following epoch', () => {
  const { activation } = project(input());
  assert.deepEqual(activation, {
    epochsUntilActive: 1,
    estimatedActiveAt: '2026-11-22T00:00:00.000Z',
    firstRewardEpoch: 21n,
    estimatedFirstRewardAt: '2026-11-24T00:00:00.000Z',
  });
  assert.equal(project(input({ durationDays: 2 })).total.rewardLamports, 0n);
  assert.equal(project(input({ durationDays: 3 })).total.rewardLamports, 374_000_000n);
});

test('a period counts its days from now, and a day within the activation epoch earns no reward', () => {
  const { daily, monthly, annual, total } = project(input());
  assert.deepEqual(daily, { rewardLamports: 0n, balanceLamports: 1_000n * SOL + RENT });
  // The epoch boundaries are 1, 3, … 29 days from now. The first pays nothing, and the other 14 do.
  assert.equal(
    monthly.rewardLamports,
    BigInt(Math.floor((1.000354 ** 14 - 1) * 1e12)) + (14n * 20_000n * 1_000n * SOL) / SOL,
  );
  assert.deepEqual(annual, total);
});

test('once effective, stake earns the given rates per epoch and per day', () => {
  assert.deepEqual(project(input()).onceActive, {
    perEpochLamports: 374_000_000n,
    perDayLamports: 187_000_000n,
  });
});

test('rewards decline with the inflation schedule, as in a loop over the epochs, and stop declining at its terminal rate', () => {
  for (const terminalRate of [0.015, 0.03]) {
    const schedule = { rate: 0.0364, terminalRate, taper: 0.15 };
    const durationDays = 3_650;
    const { rewardLamports } = project(input({ schedule, durationDays, history: new Map() })).total;
    let stake = 1_000;
    for (let paid = 0; paid < 1_824; paid += 1)
      stake *= 1 + 0.000354 * Math.max(terminalRate / 0.0364, 0.85 ** ((paid + 0.5) / 182.5));
    const expected = stake - 1_000 + 1_824 * 0.00002 * 1_000;
    assert.ok(
      Math.abs(Number(rewardLamports) / 1e9 / expected - 1) < 0.001,
      `${rewardLamports}, ${expected}`,
    );
    assert.ok(rewardLamports < project(input({ durationDays, history: new Map() })).total.rewardLamports);
  }
  const constant = { rate: 0.042, terminalRate: 0.042, taper: 0 };
  assert.deepEqual(project(input({ schedule: constant })), project(input()));
});

test('rent is never delegated and never earns', () => {
  const lean = project(input({ amountLamports: 1_000n * SOL, stakeRentLamports: 0n }));
  const rich = project(input({ amountLamports: 1_500n * SOL, stakeRentLamports: 500n * SOL }));
  assert.equal(rich.delegatedLamports, 1_000n * SOL);
  assert.equal(rich.annual.rewardLamports, lean.annual.rewardLamports);
  assert.equal(rich.annual.balanceLamports, 1_500n * SOL + rich.annual.rewardLamports);
});

test('an amount that does not exceed the rent-exempt minimum is refused', () => {
  assert.throws(() => project(input({ amountLamports: RENT })), RangeError);
});

test('inflation compounds as if paid epoch by epoch, except for at most one rounded-off lamport per epoch', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: SOL, max: 9_000_000n * SOL }),
      fc.integer({ min: 1, max: 3_650 }),
      fc.integer({ min: 0, max: 2_000_000 }),
      fc.integer({ min: 0, max: 100_000 }),
      (delegated, durationDays, inflationPpb, tipsPpb) => {
        const rates = { inflationPerEpoch: inflationPpb / 1e9, tipsPerEpoch: tipsPpb / 1e9 };
        const { rewardLamports } = project(
          input({ amountLamports: delegated + RENT, durationDays, rates, history: new Map() }),
        ).total;
        const epochs = BigInt(Math.max(0, Math.floor((durationDays - 1) / 2)));
        let stake = delegated;
        for (let paid = 0n; paid < epochs; paid += 1n)
          stake += (stake * BigInt(inflationPpb)) / 1_000_000_000n;
        const byEpoch = stake - delegated + (delegated * epochs * BigInt(tipsPpb)) / 1_000_000_000n;
        // The rounded-off lamports would themselves have compounded.
        const most = epochs * (stake / delegated + 1n) + 1n;
        assert.ok(
          rewardLamports >= byEpoch - 1n && rewardLamports - byEpoch <= most,
          `${rewardLamports} ${byEpoch}`,
        );
      },
    ),
    { numRuns: 200, seed: 20_261_121 },
  );
});

test('a whole year of effective stake yields the stated annual rate', () => {
  const yearlyEpochs = {
    ...position,
    slotIndex: 432_000n,
    slotDurationMs: (365 * 86_400_000) / 432_000 / 100,
  };
  const secondsPerEpoch = (365 * 86_400) / 100;
  const { stakingApy, jitoMevApy, totalApy } = annualYield(
    { inflationPerEpoch: 0.0006, tipsPerEpoch: 0.00003 },
    secondsPerEpoch,
  );
  const rates = {
    inflationPerEpoch: inflationPerEpochOf(stakingApy!, secondsPerEpoch),
    tipsPerEpoch: tipsPerEpochOf(jitoMevApy!, secondsPerEpoch),
  };
  // The epoch ends now, so 366 days contain one boundary that pays nothing and the 100 boundaries of a year.
  const { total } = project(input({ position: yearlyEpochs, durationDays: 366, rates }));
  const yieldPct = (Number(total.rewardLamports) / 1e12) * 100;
  assert.ok(Math.abs(yieldPct - totalApy!) < 1e-6, `${yieldPct} is not ${totalApy}`);
});

test('under the 9 % cap, a large stake only earns on its effective part', () => {
  const history = steadyHistory(0n, 20n, {
    effectiveLamports: 1_000n * SOL,
    activatingLamports: 0n,
    deactivatingLamports: 0n,
  });
  const large = { amountLamports: 200n * SOL + RENT, history };
  const rates = { inflationPerEpoch: 0.001, tipsPerEpoch: 0.0001 };
  const { activation } = project(input({ ...large, rates }));
  assert.equal(activation.epochsUntilActive, 3);
  assert.equal(activation.estimatedActiveAt, '2026-11-26T00:00:00.000Z');
  assert.equal(activation.firstRewardEpoch, 21n);
  const paid = (durationDays: number) =>
    project(input({ ...large, rates, durationDays })).total.rewardLamports;
  assert.equal(paid(3), 90_000_000n + 9_000_000n);
  assert.equal(paid(5), 90_000_000n + 188_100_000n + 27_810_000n);
  assert.equal(paid(7), 90_000_000n + 188_100_000n + 200_278_100n + 47_810_000n);
});

test('ten years of five-minute epochs are projected as quickly as ten years of one-day epochs', () => {
  const quick = { ...position, slotDurationMs: 300_000 / 432_000 };
  const rates = { inflationPerEpoch: 6e-7, tipsPerEpoch: 0 };
  const { total } = project(input({ position: quick, durationDays: 3_650, rates }));
  // Half an epoch is left, so there are 1,051,200 boundaries. The first pays nothing.
  const expected = 1e12 * Math.expm1(1_051_199 * Math.log1p(6e-7));
  assert.ok(Math.abs(Number(total.rewardLamports) / expected - 1) < 1e-6);
});

test('the daily reward of an account is based on its effective stake, and an activating account earns none', () => {
  const rates = { inflationPerEpoch: 0.000354, tipsPerEpoch: 0.00002 };
  assert.equal(estimatedDailyReward(1_000n * SOL, rates, position), 187_000_000n);
  assert.equal(estimatedDailyReward(0n, rates, position), 0n);
  const dailyEpochs = { ...position, slotDurationMs: (TWO_DAYS * 500) / 432_000 };
  assert.equal(estimatedDailyReward(1_000n * SOL, rates, dailyEpochs), 374_000_000n);
});

test('a year of 2.5 million epochs of 32 slots yields finite amounts', () => {
  const short = { ...position, slotIndex: 31n, slotsInEpoch: 32n };
  const rates = { inflationPerEpoch: 5e-8, tipsPerEpoch: 0 };
  const { total, activation, annual } = project(input({ position: short, rates }));
  // The expected share is e^(5e-8 × 2.46 million) − 1.
  const share = Number(annual.rewardLamports) / Number(1_000n * SOL);
  assert.ok(share > 0.13 && share < 0.132, `${share}`);
  assert.equal(annual.rewardLamports, total.rewardLamports);
  assert.equal(activation.epochsUntilActive, 1);
  // There are 6,750 epochs a day.
  assert.equal(estimatedDailyReward(1_000n * SOL, rates, short), 337_500_000n);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creditsShare, expectedInflationPerEpoch, type IssuanceFacts } from './expected-apy.ts';
import { annualYield } from './realized-apy.ts';

const SOL = 1_000_000_000n;
const facts: IssuanceFacts = {
  validatorInflation: 0.042,
  supplyLamports: 600_000_000n * SOL,
  clusterStakeLamports: 390_000_000n * SOL,
  creditsShare: 1,
  commissionBps: 0,
};
const near = (actual: number | null, expected: number) =>
  assert.ok(actual !== null && Math.abs(actual / expected - 1) < 1e-9, `${actual} is not ${expected}`);

test('the issuance is divided by the staked share: 4.2 % over 65 % staked', () => {
  near(expectedInflationPerEpoch(facts, 172_800), 0.042 / 0.65 / 182.5);
});

test('the expected annual yield hardly depends on the epoch length', () => {
  const yields = [86_400, 172_800].map((seconds) => {
    const inflationPerEpoch = expectedInflationPerEpoch(facts, seconds);
    return annualYield({ inflationPerEpoch, tipsPerEpoch: 0 }, seconds).stakingApy!;
  });
  assert.ok(Math.abs(yields[0]! - yields[1]!) < 0.002, `${yields}`);
});

test('commission and missed credits are subtracted', () => {
  const whole = expectedInflationPerEpoch(facts, 172_800)!;
  near(expectedInflationPerEpoch({ ...facts, commissionBps: 750 }, 172_800), whole * 0.925);
  near(expectedInflationPerEpoch({ ...facts, creditsShare: 0.9 }, 172_800), whole * 0.9);
  assert.equal(expectedInflationPerEpoch({ ...facts, commissionBps: 10_000 }, 172_800), 0);
});

test('without any stake the expected yield is null', () => {
  assert.equal(expectedInflationPerEpoch({ ...facts, clusterStakeLamports: 0n }, 172_800), null);
});

test('credits are compared with the stake-weighted mean, so that many small laggards do not inflate the result', () => {
  const large = { activatedStakeLamports: 97n * SOL, credits: 100_000n };
  const laggards = Array.from({ length: 3 }, () => ({ activatedStakeLamports: SOL, credits: 0n }));
  near(creditsShare(97_000n, [large, ...laggards]), 1);
  assert.equal(creditsShare(5n, []), null);
  assert.equal(creditsShare(5n, [{ ...large, credits: 0n }]), null);
});

test('an epoch that was very short or in which hardly any other validator voted is not extrapolated', () => {
  const [own, others] = [SOL, 99n * SOL];
  const shareAt = (ownCredits: bigint, othersCredits: bigint) =>
    creditsShare(ownCredits, [
      { activatedStakeLamports: own, credits: ownCredits },
      { activatedStakeLamports: others, credits: othersCredits },
    ]);
  assert.equal(shareAt(500_000n, 0n), null);
  assert.equal(shareAt(160n, 16n), null);
  assert.equal(shareAt(999n, 999n), null);
  near(shareAt(1_000n, 1_000n), 1);
  const voted = (lamports: bigint) =>
    creditsShare(9_000n, [
      { activatedStakeLamports: lamports, credits: 9_000n },
      { activatedStakeLamports: 300n - lamports, credits: 0n },
    ]);
  assert.equal(voted(199n), null);
  near(voted(200n), 1.5);
});

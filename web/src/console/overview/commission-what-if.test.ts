// A commission's outcome is derived from the rewards paid to stakers under the commission of that time.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StakeFlows } from '../operator-api.ts';
import { commissionOutcome, measuredRewards } from './commission-what-if.ts';

const flow = (activeSol: number, rewardsSol: number | null): StakeFlows['epochs'][number] => ({
  epoch: 800,
  accounts: 1,
  delegators: 1,
  activeSol,
  inSol: 0,
  outSol: 0,
  rewardsSol,
});

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < expected * 1e-9, `${actual}, not ${expected}`);

it('rewards before commission are the sum of the stakers’ part and the commission', () => {
  const rewards = measuredRewards({ epochs: [flow(1_000, null), flow(1_000, 0.9), flow(3_000, 2.7)] }, 10)!;
  assert.equal(rewards.epochs, 2);
  near(rewards.grossPerSol, 0.001);
});

it('nothing is computed without a measured epoch, or if the commission left nothing to measure', () => {
  assert.equal(measuredRewards({ epochs: [flow(0, 0), flow(10, null)] }, 5), null);
  assert.equal(measuredRewards({ epochs: [flow(1_000, 1)] }, 100), null);
});

it('splits the rewards, and compounds those of the stakers over a year', () => {
  const rewards = { grossPerSol: 0.001, epochs: 1 };
  const epochMs = (365.25 * 86_400_000) / 100;
  const at = (commissionPct: number) =>
    commissionOutcome(rewards, { commissionPct, activeSol: 2_000, epochMs });
  near(at(5).validatorSolPerEpoch, 0.1);
  near(at(5).validatorSolPerYear, 10);
  near(at(0).stakersApy, (1.001 ** 100 - 1) * 100);
  assert.equal(at(0).validatorSolPerEpoch, 0);
  assert.equal(at(100).stakersApy, 0);
});

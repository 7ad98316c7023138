// Tests the curve that is drawn without a request: flat before the stake is active, then compounding, and
// ending at the service's figure.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { daysBetween, projectCurve, rewardAfter } from './projection-curve.ts';

const BASIS = { atLeastApy: 7, rentSol: 0.002, daysUntilActive: 2, schedule: null, band: null };

it('stake earns only once it is active, and rent never earns', () => {
  assert.equal(rewardAfter(10, 2, BASIS), 0);
  assert.ok(rewardAfter(10, 3, BASIS) > 0);
  assert.equal(rewardAfter(0.002, 365, BASIS), 0);
  assert.equal(rewardAfter(0, 365, BASIS), 0);
});

it('a year at seven percent earns seven percent of the delegated stake', () => {
  assert.ok(Math.abs(rewardAfter(10.002, 367, BASIS) - 0.7) < 1e-9);
  assert.ok(Math.abs(rewardAfter(10.002, 2 + 730, BASIS) - (10 * 1.07 ** 2 - 10)) < 1e-9);
});

it('the curve ends at the service’s own figure and never falls', () => {
  const { days, rewardSol } = projectCurve(10, 365, BASIS, 0.685);
  assert.equal(days.at(-1), 365);
  assert.ok(Math.abs(rewardSol.at(-1)! - 0.685) < 1e-12);
  assert.ok(rewardSol.every((reward, index) => index === 0 || reward >= rewardSol[index - 1]!));
  const own = projectCurve(10, 365, BASIS, null).rewardSol.at(-1)!;
  assert.ok(Math.abs(own - rewardAfter(10, 365, BASIS)) < 1e-12);
});

it('the curve flattens as inflation falls, even if both curves end at the same figure', () => {
  const schedule = { rate: 0.0364, terminalRate: 0.015, taper: 0.15 };
  const falling = projectCurve(10, 3650, { ...BASIS, schedule }, 5).rewardSol;
  const constant = projectCurve(10, 3650, BASIS, 5).rewardSol;
  assert.ok(falling[30]! > constant[30]! * 1.2, `${falling[30]} and ${constant[30]}`);
  assert.ok(rewardAfter(10, 3650, { ...BASIS, schedule }) < rewardAfter(10, 3650, BASIS) * 0.7);
});

it('the band widens with the rewards and is missing without an interval', () => {
  assert.equal(projectCurve(10, 365, BASIS, 0.685).band, null);
  const { band, rewardSol } = projectCurve(10, 365, { ...BASIS, band: { low: 0.9, high: 1.2 } }, 0.685);
  assert.ok(Math.abs(band!.lowSol.at(-1)! - 0.685 * 0.9) < 1e-12);
  assert.ok(Math.abs(band!.highSol.at(-1)! - 0.685 * 1.2) < 1e-12);
  assert.equal(band!.lowSol.length, rewardSol.length);
});

it('an amount without earnings has a flat curve', () => {
  assert.deepEqual(new Set(projectCurve(0, 365, BASIS, 0).rewardSol), new Set([0]));
});

it('days between two times are never negative', () => {
  assert.equal(daysBetween(0, 86_400_000), 1);
  assert.equal(daysBetween(86_400_000, 0), 0);
});

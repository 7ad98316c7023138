import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheduledEpochs, scheduledShare, scheduledYears } from './inflation-schedule.ts';

const SCHEDULE = { rate: 0.0364, terminalRate: 0.015, taper: 0.15 };

const close = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-6, `${actual}, not ${expected}`);

test('inflation falls by the taper every year, was higher in the past, and stops at the terminal rate', () => {
  close(scheduledShare(SCHEDULE, 0), 1);
  close(scheduledShare(SCHEDULE, 1), 0.85);
  close(scheduledShare(SCHEDULE, -1), 1 / 0.85);
  close(scheduledShare(SCHEDULE, 100), 0.015 / 0.0364);
});

test('the years at today’s inflation issue as much as the schedule does in total', () => {
  for (const schedule of [SCHEDULE, { ...SCHEDULE, terminalRate: 0 }])
    for (const years of [0, 1, 5.5, 10]) {
      const steps = 200_000;
      let sum = 0;
      for (let step = 0; step < steps; step += 1)
        sum += scheduledShare(schedule, (years * (step + 0.5)) / steps) * (years / steps);
      close(scheduledYears(schedule, years), sum);
      close(scheduledEpochs(schedule, years * 365, 365), sum * 365);
    }
});

test('inflation stays exactly constant without a schedule, without a taper, and at the terminal rate', () => {
  for (const schedule of [null, { ...SCHEDULE, taper: 0 }, { ...SCHEDULE, rate: 0.015 }]) {
    assert.equal(scheduledShare(schedule, 3), 1);
    assert.equal(scheduledYears(schedule, 3), 3);
    assert.equal(scheduledEpochs(schedule, 1_823, 182.5), 1_823);
  }
});

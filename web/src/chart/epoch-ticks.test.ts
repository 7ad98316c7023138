// Tests that the epochs of a chart are evenly spaced, missing epochs are gaps, and labels do not crowd.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { epochTicks, rowsByEpoch } from './epoch-ticks.ts';

it('labels are evenly spaced and end with the newest epoch, even if epochs are missing', () => {
  assert.deepEqual(epochTicks([]), []);
  assert.deepEqual(epochTicks([7]), [7]);
  assert.deepEqual(epochTicks([800, 801, 802]), [800, 801, 802]);
  assert.deepEqual(epochTicks([700, 701, 755, 756, 757]), [707, 717, 727, 737, 747, 757]);
});

it('epochs that were not recorded have no row', () => {
  const [old, current] = [{ epoch: 800 }, { epoch: 803 }];
  assert.deepEqual(rowsByEpoch([current, old]), {
    xs: [800, 801, 802, 803],
    rows: [old, undefined, undefined, current],
  });
  assert.deepEqual(rowsByEpoch([]), { xs: [], rows: [] });
});

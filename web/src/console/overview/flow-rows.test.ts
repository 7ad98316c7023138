// Tests that the table of stake by epoch has a row for each epoch.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StakeFlows } from '../operator-api.ts';
import { flowRows } from './flow-rows.ts';

it('an epoch that was not recorded has a row without figures, and the running one is marked', () => {
  const flow = (epoch: number) => ({ epoch, activeSol: 7 }) as StakeFlows['epochs'][number];
  assert.deepEqual(flowRows([flow(804), flow(802)], 804), [
    { epoch: 804, activeSol: 7, isRunning: true },
    { epoch: 803, isRunning: false },
    { epoch: 802, activeSol: 7, isRunning: false },
  ]);
});

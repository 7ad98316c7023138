// Checks that right after an epoch boundary every figure about the validator belongs to the new epoch or is
// null with a warning, even if all of them were just read in the old epoch.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { until } from '../support/index-fixture.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { stakeNow } from '../support/service-calls.ts';
import { settingsFor, startServiceHere } from '../support/service-fixture.ts';
import { createRunningClock } from '../support/steerable-clock.ts';
import { fundedWallet } from '../support/wallets.ts';

test('the responses of performance and live never mix two epochs', async (t) => {
  await using sandbox = await startSandbox(QUICK_SANDBOX);
  const clock = createRunningClock();
  const service = await startServiceHere(t, settingsFor(sandbox), undefined, clock);
  const read = (path: string) => service.client.get(`/api/v1/${path}`);
  await stakeNow(service, await fundedWallet(sandbox, 20), 10);
  await sandbox.advanceEpochs(1);
  const countsOfAWhile = async () => (await read('epoch')).slotIndex > 250;
  await until(countsOfAWhile, 'counts that are impossible in the first slots of an epoch');
  // Values read before the boundary are now too old.
  clock.advance(60_000);
  // The profile includes performance data, so votes, blocks and leader slots are cached now.
  const { performance: old } = await read('validator');
  assert.ok(old.voteSuccessRate > 50 && old.epochCredits > 1_000, JSON.stringify(old));
  await sandbox.advanceEpochs(1);
  // The service now knows the new epoch.
  assert.equal((await read('epoch')).currentEpoch, sandbox.epoch());
  const { voteSuccessRate, warnings } = await read('validator/performance');
  assert.notEqual(voteSuccessRate, 0);
  if (voteSuccessRate === null) assert.match(warnings.join(), /epoch has just begun|this epoch’s blocks/);
  const { currentEpoch, leaderSlots, slotIndex } = await read('validator/live');
  assert.equal(currentEpoch, sandbox.epoch());
  assert.ok(leaderSlots.passed <= slotIndex + 1, `${leaderSlots.passed} leader slots in ${slotIndex} slots`);
});

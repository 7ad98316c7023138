// Checks the alert about a validator that earns no credits: on a sandbox, from the fifth epoch after the last
// credits, anyone can deactivate its stake. The alert must be sent then, and only once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { until } from '../support/index-fixture.ts';
import { startReceiver } from '../support/receiver.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { settingsFor, startServiceHere } from '../support/service-fixture.ts';
import { createRunningClock } from '../support/steerable-clock.ts';

interface Told {
  readonly change: string;
  readonly level: string;
  readonly to: string;
}

test('the fifth epoch after the last credits is reported once to the stakers and the operator, and a voting validator triggers no alert', async (t) => {
  const receiver = await startReceiver(t);
  await using sandbox = await startSandbox(QUICK_SANDBOX);
  const { client } = await startServiceHere(
    t,
    { ...settingsFor(sandbox), HOLDFAST_OPERATOR_WEBHOOK_URL: `${receiver.url}/mine` },
    undefined,
    // The alerts are evaluated every 20 s.
    createRunningClock(30),
  );
  const alerts = async (): Promise<readonly Told[]> => (await client.get('/api/v1/validator/alerts')).alerts;
  const of = async (change: string) => (await alerts()).filter((one) => one.change === change);
  const isWatched = async () => (await client.get('/api/v1/validator/alerts')).watchedSinceEpoch !== null;
  await until(isWatched, 'the first poll');
  const epoch = await sandbox.advanceEpochs(1);
  await sandbox.setValidator({ votes: false });
  // The service's validator list may be 30 s old, so the test waits until it reflects these epochs.
  await sandbox.advanceEpochs(3);
  await until(async () => (await of('delinquent')).length === 1, 'the delinquency');
  await until(async () => (await of('absent')).length >= 1, 'the first absence');
  assert.deepEqual(await of('destake-possible'), [], 'the Stake program still refuses it');
  await sandbox.advanceEpochs(1);
  await until(async () => (await of('destake-possible')).length > 0, 'the first possible epoch');
  const [told] = await of('destake-possible');
  // The last credits are from the epoch before the validator stopped voting.
  assert.deepEqual([told!.level, told!.to], ['critical', `${epoch - 1 + 5}`]);

  await sandbox.setValidator({ votes: true });
  await sandbox.advanceEpochs(1);
  await until(async () => (await of('recovered')).length === 1, 'the recovery');
  assert.deepEqual(
    [(await of('destake-possible')).length, (await of('delinquent')).length],
    [1, 1],
    'each once',
  );
  assert.deepEqual(await of('commission'), []);
  /** Returns the alerts to the operator. A notification delivered twice counts once. */
  const operatorGot = (): readonly string[] => [
    ...new Map(
      receiver.received
        .map(({ body, headers }) => ({ ...JSON.parse(body), id: headers['webhook-id'] }))
        .filter(({ type }) => type === 'operator_alert')
        .map(({ id, data }) => [id, data.alert]),
    ).values(),
  ];
  await until(() => operatorGot().includes('validator_recovered'), 'the last alert to the operator');
  for (const alert of ['validator_delinquent', 'destake_possible', 'validator_recovered'])
    assert.equal(operatorGot().filter((one) => one === alert).length, 1, alert);
});

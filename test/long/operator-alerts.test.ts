// Checks operator alerts from the chain to the receivers: signed to a webhook, and as text to a plain URL. A
// receiver that was down misses no alert and gets none twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { shortAddress } from '../../src/domain/short-address.ts';
import { until } from '../support/index-fixture.ts';
import { operatorConsoleOf } from '../support/operator-console-client.ts';
import { startReceiver } from '../support/receiver.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { settingsFor, startService, startServiceHere } from '../support/service-fixture.ts';
import { createRunningClock } from '../support/steerable-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SOL = 1_000_000_000n;

test("a delegator's join, deactivation and departure trigger one alert each at both receivers, despite an outage and a restart", async (t) => {
  await using sandbox = await startSandbox(QUICK_SANDBOX);
  let isDown = true;
  const webhook = await startReceiver(t);
  const plain = await startReceiver(
    t,
    (_request, response) => void response.writeHead(isDown ? 503 : 200).end(),
  );
  const settings = {
    ...settingsFor(sandbox),
    HOLDFAST_OPERATOR_WEBHOOK_URL: `${webhook.url}/mine`,
    HOLDFAST_OPERATOR_NOTIFY_URL: `${plain.url}/topic`,
  };
  const dataDir = temporaryFolder(t);
  const first = await startService(t, settings, dataDir);
  const operatorConsole = await operatorConsoleOf(first);
  await until(async () => (await operatorConsole.fetch('stake')).status === 200, 'the index');
  await until(async () => (await operatorConsole.get('stake')).epochs.length > 0, 'the delegator list');
  const staker = await SandboxStaker.fund(sandbox, 100n * SOL);
  const account = await staker.stake(7n * SOL);
  /** Counts alerts by id, because a delivery in progress at the kill may be repeated. */
  const alertsOf = (alert: string) =>
    [...new Map(webhook.received.map(({ headers, body }) => [headers['webhook-id'], body])).values()]
      .map((body) => JSON.parse(body))
      .filter(({ type, data }) => type === 'operator_alert' && data.alert === alert);
  await until(() => alertsOf('delegator_joined').length > 0, 'the alert that a delegator joined');
  const [joined] = alertsOf('delegator_joined');
  assert.equal(joined.data.facts.stakeAccountAddress, account);
  assert.equal(joined.data.facts.walletAddress, staker.wallet.address);
  const { webhookSecret } = await operatorConsole.get('health');
  const [one] = webhook.received;
  new Webhook(webhookSecret).verify(one!.body, one!.headers as Record<string, string>);
  await until(() => plain.received.length > 0, 'the attempt to reach the receiver that is down');

  await staker.deactivate(account);
  await until(() => alertsOf('delegator_leaving').length > 0, 'the alert that a delegator is leaving');
  const [leaving] = alertsOf('delegator_leaving');
  assert.match(
    leaving.data.message,
    /This can be undone until the end of epoch 800, about \d+ \w+ 20\d\d, \d\d:\d\d UTC\.$/,
  );
  await first.process.stop('SIGKILL');
  isDown = false;
  await staker.withdraw(account, (await staker.account(account))!.lamports);
  const second = await startService(t, settings, dataDir);
  await until(() => alertsOf('delegator_gone').length > 0, 'the alert that a delegator has left');
  const texts = () => new Set(plain.received.map(({ headers }) => headers['webhook-id']));
  await until(() => texts().size >= 3, 'all three as text');
  const gone = plain.received.find(({ headers }) => headers.tags === 'delegator_gone');
  assert.equal(gone!.headers.priority, 'low');
  assert.match(String(gone!.headers.title), /^Holdfast: 6\.99\d\d SOL is gone$/);
  assert.ok(
    gone!.body.startsWith(`${shortAddress(account)} of ${shortAddress(staker.wallet.address)}, last seen`),
  );
  await second.process.stop();
  for (const alert of ['delegator_joined', 'delegator_leaving', 'delegator_gone'])
    assert.equal(alertsOf(alert).length, 1, `${alert} once`);
  const accepted = plain.received.map(({ headers }) => headers.tags);
  assert.equal(accepted.filter((tag) => tag === 'delegator_gone').length, 1);
});

test('changes below the configured amount are reported only in the digest, which is sent once per epoch and counts them', async (t) => {
  await using sandbox = await startSandbox(QUICK_SANDBOX);
  const webhook = await startReceiver(t);
  const service = await startServiceHere(
    t,
    {
      ...settingsFor(sandbox),
      HOLDFAST_OPERATOR_WEBHOOK_URL: `${webhook.url}/mine`,
      HOLDFAST_OPERATOR_ALERT_MIN_SOL: '5',
    },
    temporaryFolder(t),
    createRunningClock(10),
  );
  const operatorConsole = await operatorConsoleOf(service);
  await until(async () => (await operatorConsole.fetch('stake')).status === 200, 'the index');
  const epochs = async () => (await operatorConsole.get('stake')).epochs.length as number;
  await until(async () => (await epochs()) > 0, 'the delegator list');
  const alertsOf = (alert: string) =>
    webhook.received.map(({ body }) => JSON.parse(body).data).filter((data) => data.alert === alert);
  // The epoch of the first evaluation has no digest, because it was not watched from its beginning.
  const state = async () => JSON.parse((await service.app.ctx.store.outbox.checkpoint('operator alerts'))!);
  await until(async () => (await state()).digestEpoch !== null, 'the first evaluation');
  await sandbox.advanceEpochs(1);
  await until(async () => (await epochs()) > 1, 'the first whole epoch');
  const [small, large] = [
    await SandboxStaker.fund(sandbox, 100n * SOL),
    await SandboxStaker.fund(sandbox, 100n * SOL),
  ];
  const account = await small.stake(3n * SOL);
  await large.stake(7n * SOL);
  await until(() => alertsOf('delegator_joined').length > 0, 'the alert about the larger stake');
  await sandbox.advanceEpochs(1);
  await until(() => alertsOf('epoch_digest').length > 0, 'the digest');
  await sandbox.setValidator({ commissionBps: 700 });
  await until(() => alertsOf('commission_changed').length > 0, 'the alert about the commission');
  await small.deactivate(account);
  await until(
    async () =>
      (await operatorConsole.get('stake')).changes.some(({ kind }: { kind: string }) => kind === 'leaving'),
    'the change to be in the list',
  );
  await sandbox.advanceEpochs(1);
  await until(() => alertsOf('epoch_digest').length > 1, 'the next digest');
  await service.app.close();

  assert.deepEqual(
    alertsOf('delegator_joined').map(({ facts }) => facts.walletAddress),
    [large.wallet.address],
  );
  assert.equal(alertsOf('delegator_leaving').length, 0);
  const [first, second, ...more] = alertsOf('epoch_digest');
  assert.deepEqual(more, []);
  assert.equal(second.facts.epoch, first.facts.epoch + 1);
  assert.equal(Number(first.facts.inSol) > 9.9 && Number(first.facts.inSol) <= 10, true, first.facts.inSol);
  assert.deepEqual([first.facts.newWallets, first.facts.goneWallets, first.facts.alarms], [2, 0, 0]);
  assert.match(
    first.message,
    /SOL became active and 0 SOL became inactive\. .* Wallets that joined: 2\. Wallets that left: 0\. /,
  );
  assert.match(first.message, / Alarms and warnings since the last digest: none\.$/);
  assert.match(
    second.message,
    / Alarms and warnings since the last digest: Commission changed: inflation\.$/,
  );
  assert.ok(Number(second.facts.outSol) >= 2.99, second.facts.outSol);
  assert.deepEqual(
    [second.facts.newWallets, second.facts.goneWallets, second.facts.wallets],
    [0, 1, first.facts.wallets - 1],
  );
});

// Checks that a real service sends each alarm to real receivers once when it begins and once when it ends:
// without RPC nodes, on a halted chain, with a full disk, with queued webhooks, and without an elected process,
// even if the alarm flaps or the service restarts.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, suite, type TestContext, test } from 'node:test';
import { type ServiceAlarm, serviceAlarmTable } from '../../src/domain/alerts/service-alarm-table.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { until } from '../support/index-fixture.ts';
import { operatorConsoleOf } from '../support/operator-console-client.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startRpcCounter } from '../support/rpc-counter.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { type ServiceHere, settingsFor, startServiceHere } from '../support/service-fixture.ts';
import { createRunningClock } from '../support/steerable-clock.ts';
import { createTestDatabase, executeOn } from '../support/store-postgres.ts';
import { mountSmallDisk, smallDiskProblem } from '../support/store-small-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Speeds up the clock, so an alarm's minutes take seconds. */
const SPEED = 10;

/** Starts the operator's receivers. Returns them and a function that starts services that report to them. */
const openWorld = async (t: TestContext) => {
  const [webhook, plain] = [await startReceiver(t), await startReceiver(t)];
  const sinks = {
    HOLDFAST_OPERATOR_WEBHOOK_URL: `${webhook.url}/mine`,
    HOLDFAST_OPERATOR_NOTIFY_URL: `${plain.url}/topic`,
  };
  const start = (settings: Readonly<Record<string, string>>, dataDir = temporaryFolder(t)) =>
    startServiceHere(t, { ...settings, ...sinks }, dataDir, createRunningClock(SPEED));
  return { webhook, plain, start };
};

const signedAlerts = ({ received }: Receiver): readonly string[] =>
  received.map(({ body }) => JSON.parse(body).data.alert as string);

const plainAlerts = ({ received }: Receiver): readonly string[] =>
  received.map(({ headers }) => String(headers.tags));

const count = (alerts: readonly string[], alert: string): number =>
  alerts.filter((one) => one === alert).length;

/** Waits until both receivers have the alert. */
const arrives = (alert: string, { webhook, plain }: { webhook: Receiver; plain: Receiver }): Promise<void> =>
  until(
    () => signedAlerts(webhook).includes(alert) && plainAlerts(plain).includes(alert),
    `${alert} at both receivers`,
  );

/** Waits until the service has run its self-check `times` more times. */
const passes = async ({ app }: ServiceHere, times: number): Promise<void> => {
  let [before, seen] = [await app.ctx.store.outbox.checkpoint('write probe'), 0];
  await until(async () => {
    const now = await app.ctx.store.outbox.checkpoint('write probe');
    if (now !== before) seen += 1;
    before = now;
    return seen >= times;
  }, `${times} passes`);
};

/** Returns the names of all alarms in the console, and of those that are firing. */
const shown = async (service: ServiceHere): Promise<readonly string[]> => {
  const { alarms } = await (await operatorConsoleOf(service)).get('health');
  return alarms.map(({ alarm }: { alarm: string }) => alarm);
};

const measured = async ({ app }: ServiceHere, alarm: ServiceAlarm): Promise<string | undefined> =>
  new RegExp(`^holdfast_alarm_active\\{alarm="${alarm}"\\} (\\d)$`, 'm').exec(
    await (await fetch(app.metricsUrl!)).text(),
  )?.[1];

const assertOnce = (
  alarm: ServiceAlarm,
  { webhook, plain }: { webhook: Receiver; plain: Receiver },
): void => {
  const { ends } = serviceAlarmTable[alarm];
  for (const alerts of [signedAlerts(webhook), plainAlerts(plain)])
    assert.deepEqual([count(alerts, alarm), count(alerts, ends)], [1, 1], alerts.join());
};

suite('alarms of the service', () => {
  const shared = sharedSandbox({ before, after });

  test('while no RPC node responds, one alarm is sent despite flapping, and its end is reported after a restart', async (t) => {
    const sandbox = shared.get();
    const proxy = await startFaultyProxy({ target: sandbox.rpcUrl, seed: 1 });
    t.after(() => proxy.close());
    const world = await openWorld(t);
    const settings = { ...settingsFor(sandbox), HOLDFAST_RPC_URL: proxy.url };
    const dataDir = temporaryFolder(t);
    const first = await world.start(settings, dataDir);
    await passes(first, 1);
    assert.deepEqual(await shown(first), []);
    assert.equal(await measured(first, 'rpc_unreachable'), '0');

    await proxy.down();
    await arrives('rpc_unreachable', world);
    assert.deepEqual(await shown(first), ['rpc_unreachable']);
    assert.equal(await measured(first, 'rpc_unreachable'), '1');
    await proxy.up();
    await until(() => first.client.get('/api/v1/epoch').catch(() => null), 'the node to be back');
    await proxy.down();
    await passes(first, 3);
    await proxy.up();
    await first.app.close();
    const second = await world.start(settings, dataDir);
    await arrives('rpc_reachable', world);
    await passes(second, 3);
    await until(async () => (await shown(second)).length === 0, 'the console to show no alarm');
    assert.equal(await measured(second, 'rpc_unreachable'), '0');
    assertOnce('rpc_unreachable', world);
    const { body } = world.plain.received.find(({ headers }) => headers.tags === 'rpc_reachable')!;
    assert.match(
      body,
      /^RPC nodes are responding again\. The problem lasted .+, from \d+ \w+ \d{4}, .+ UTC\.$/,
    );
  });

  test('an alarm reports that the chain has halted while its nodes still respond', async (t) => {
    const sandbox = shared.get();
    const rpc = await startRpcCounter(sandbox.rpcUrl);
    t.after(() => rpc.close());
    const world = await openWorld(t);
    const service = await world.start({ ...settingsFor(sandbox), HOLDFAST_RPC_URL: rpc.url });
    await passes(service, 1);
    const { absoluteSlot } = await service.client.get('/api/v1/epoch');
    rpc.rewrite((_method, text) => text.replaceAll(/"(slot|absoluteSlot)":\d+/g, `"$1":${absoluteSlot}`));
    await arrives('chain_halted', world);
    assert.deepEqual(await shown(service), ['chain_halted']);
    await passes(service, 3);
    rpc.rewrite((_method, text) => text);
    await arrives('chain_resumed', world);
    await passes(service, 2);
    assertOnce('chain_halted', world);
  });

  test('if the store cannot be written, the alarm’s beginning and end are still reported, and a restart loses neither', {
    skip: smallDiskProblem(),
  }, async (t) => {
    const disk = mountSmallDisk(t);
    const world = await openWorld(t);
    const settings = settingsFor(shared.get());
    const first = await world.start(settings, disk.folder);
    await passes(first, 1);
    disk.fill();
    await arrives('store_unwritable', world);
    assert.deepEqual(await shown(first), ['store_unwritable'], 'the console works without the store');
    assert.equal(await measured(first, 'store_unwritable'), '1');
    await first.app.close();
    disk.empty();
    const second = await world.start(settings, disk.folder);
    await arrives('store_writable', world);
    await passes(second, 3);
    assertOnce('store_unwritable', world);
    const third = await world.start(settings, temporaryFolder(t));
    await passes(third, 1);
    assert.deepEqual(await shown(third), [], 'a service with another store does not report the alarm');
  });

  test('an alarm reports webhooks queued behind a receiver that hangs', async (t) => {
    let hangs = true;
    const held: (() => void)[] = [];
    const receiver = await startReceiver(t, (_request, response) => {
      const accept = () => void response.writeHead(204).end();
      if (hangs) held.push(accept);
      else accept();
    });
    const world = await openWorld(t);
    const service = await world.start({
      ...settingsFor(shared.get()),
      HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    });
    const { store, clock } = service.app.ctx;
    const id = randomBytes(16).toString('hex');
    const nowMs = clock.now();
    await store.webhooks.register(
      {
        id,
        kind: 'events',
        walletAddress: 'wallet',
        callbackUrl: receiver.url,
        events: ['epoch_complete'],
        createdAtMs: nowMs,
        createdEpoch: 0n,
        createdSlot: 0n,
        client: 'client',
      },
      { perWalletAndClient: 10, perClient: 10 },
    );
    const events = Array.from({ length: 30 }, (_, number) => ({
      id: `evt_${number}`,
      registrationId: id,
      type: 'epoch_complete' as const,
      atMs: nowMs - 400_000,
      data: '{}',
      expiresAtMs: null,
    }));
    await store.outbox.record(events);
    await arrives('outbox_behind', world);
    assert.deepEqual(await shown(service), ['outbox_behind']);
    await passes(service, 2);
    hangs = false;
    for (const accept of held) accept();
    await arrives('outbox_current', world);
    await passes(service, 2);
    assertOnce('outbox_behind', world);
  });
});

const database = await createTestDatabase();
const role = `holdfast_role_${randomBytes(6).toString('hex')}`;
if (typeof database !== 'string')
  after(async () => {
    await database.drop();
    await executeOn('postgres://postgres@127.0.0.1:5432/postgres', `drop role if exists ${role}`);
  });

suite('alarms with several processes', { skip: typeof database === 'string' && database }, () => {
  const shared = sharedSandbox({ before, after });

  test('while no process holds the lease, two processes together report the beginning and the end once', async (t) => {
    assert.ok(typeof database !== 'string');
    const name = new URL(database.url).pathname.slice(1);
    await executeOn(database.url, `create role ${role} login`);
    await executeOn(database.url, `alter database ${name} owner to ${role}`);
    const own = new URL(database.url);
    own.username = role;
    const world = await openWorld(t);
    const settings = {
      ...settingsFor(shared.get()),
      DATABASE_URL: own.href,
      HOLDFAST_SERVER_SECRET: randomBytes(32).toString('hex'),
    };
    const services = [await world.start(settings), await world.start(settings)];
    for (const service of services) await passes(service, 1);

    // From now on, no client can take a lock, while every other call works.
    await executeOn(database.url, 'revoke execute on function pg_try_advisory_lock(bigint) from public');
    await executeOn(
      database.url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'holdfast leadership'`,
    );
    await arrives('lease_unheld', world);
    const { body } = world.plain.received.find(({ headers }) => headers.tags === 'lease_unheld')!;
    assert.match(body, /no process has been elected for: .*events.* Reported by /);
    for (const service of services)
      await until(async () => (await shown(service)).includes('lease_unheld'), 'both processes to show it');
    await executeOn(database.url, 'grant execute on function pg_try_advisory_lock(bigint) to public');
    await arrives('lease_held', world);
    for (const service of services) await passes(service, 3);
    assertOnce('lease_unheld', world);
  });
});

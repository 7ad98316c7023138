// Tests that the health of each part of the service is described in a sentence, without field names.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ServiceHealth } from '../operator-api.ts';
import { healthLines, menuCounts, networkLine, wasDelinquentText } from './health-words.ts';

const part = (
  name: string,
  more: Partial<ServiceHealth['dependencies'][number]> = {},
): ServiceHealth['dependencies'][number] => ({
  name,
  ok: true,
  optional: false,
  ageSeconds: 0,
  error: null,
  details: {},
  ...more,
});

const textOf = (...given: Parameters<typeof part>) => healthLines(part(...given)).line.text;

it('the RPC health shows the age of the last response and the state of each node', () => {
  const nodes = [
    { index: 0, origin: 'https://one', role: 'read', ok: true, lastError: null, latencyMs: 6.7 },
    { index: 1, origin: 'https://two', role: 'send', ok: false, lastError: 'timeout', latencyMs: 9 },
  ];
  const found = healthLines(part('rpc', { ageSeconds: 2, details: { nodes } }));
  assert.deepEqual(found.line, { name: 'Solana RPC', state: 'ok', text: 'Last response 2 s ago' });
  assert.deepEqual(
    found.nodes.map(({ name, text }) => [name, text]),
    [
      ['https://one', 'Responds in 7 ms'],
      ['https://two (sending only)', 'Does not respond in time'],
    ],
  );
});

it('the health of deliveries shows how many wait, the longest delay and the number of dead letters', () => {
  const details = { pending: 3, oldestDueSeconds: 90, dead: 2, inFlight: 1 };
  assert.equal(textOf('webhooks', { details }), '3 waiting, the oldest is 1 min 30 s late, 2 dead letters');
  assert.equal(
    textOf('webhooks', { details: { pending: 0, oldestDueSeconds: 0, dead: 0 } }),
    'Nothing is waiting',
  );
});

it('a fault is shown as a sentence with its reason, and a part that the console does not know keeps its name', () => {
  assert.equal(
    textOf('store', { ok: false, error: 'the store cannot be read', ageSeconds: 195 }),
    'The store cannot be read, last write 3 min 15 s ago',
  );
  assert.equal(healthLines(part('store', { ok: false })).line.state, 'down');
  assert.equal(healthLines(part('profile', { ok: false, optional: true })).line.state, 'degraded');
  assert.equal(healthLines(part('new')).line.name, 'new');
});

it('a busy network is shown with its priority fees and the number of expired transactions', () => {
  const network = (medium: number, isBusy: boolean) =>
    networkLine({
      network: {
        isBusy,
        priorityPrices: { low: 0, medium, high: 2 * medium },
        recentTransactions: 50,
        recentlyExpired: 0,
      },
      dependencies: [part('rpc')],
    });
  assert.deepEqual(network(0, false), {
    name: 'Solana network',
    state: 'ok',
    text: 'Blocks have room: no priority fee is needed. 0 of the last 50 transactions sent here in the last hour expired (0%).',
  });
  assert.equal(network(1, true).state, 'busy');
  const unknown = (isReachable: boolean) => {
    const { state, text } = networkLine({
      network: { isBusy: false, priorityPrices: null, recentTransactions: 0, recentlyExpired: 0 },
      dependencies: [part('rpc', { ok: isReachable })],
    });
    return [state, text.split('.')[0]];
  };
  assert.deepEqual(unknown(true), ['unknown', 'No node estimates priority fees']);
  assert.deepEqual(unknown(false), ['unknown', 'No RPC node responds']);
});

it('a validator that does not vote or keeps all rewards is a fault, but one in an unknown state is not', () => {
  const details = { voting: true, lastVoteSlot: 1_234, slotsSinceVote: 2, commissionPct: 5 };
  const votes = healthLines(part('validator', { details })).line;
  assert.deepEqual(votes, {
    name: 'Validator',
    state: 'ok',
    text: 'Voting, last vote for slot 1,234, 2 slots ago, commission 5%',
  });
  const error = 'The validator is delinquent.';
  const stopped = healthLines(
    part('validator', { ok: false, error, details: { ...details, voting: false } }),
  );
  assert.equal(stopped.line.state, 'down');
  assert.match(stopped.line.text, /^Not voting, .* The validator is delinquent\.$/);
  assert.equal(healthLines(part('validator', { details: { voting: null } })).line.state, 'unknown');
});

it("during an outage the validator's state is unknown, with the time at which the validator was last seen", () => {
  const asOf = new Date().toISOString();
  const details = { voting: null, votedLast: true, commissionPct: 5, asOf };
  const { state, text } = healthLines(part('validator', { details })).line;
  assert.equal(state, 'unknown');
  assert.match(text, /^Currently unknown, last seen voting at \d+:\d\d.* with commission 5%$/);
  const stopped = { ...details, votedLast: false };
  assert.match(textOf('validator', { details: stopped }), /last seen not voting at/);
  const lastKnown = (given: Record<string, unknown>) =>
    wasDelinquentText({ dependencies: [part('validator', { details: given })] });
  assert.match(lastKnown(stopped)!, /^The validator was delinquent at \d+:\d\d.* \(last known\)\.$/);
  assert.equal(lastKnown(details), null);
  assert.equal(
    lastKnown({ ...stopped, voting: false, asOf: null }),
    null,
    'the notice of the service says so',
  );
  const rpc = part('rpc', { ok: false, ageSeconds: 90, error: 'reset' });
  assert.equal(healthLines(rpc).line.text, 'No node responds, last response 1 min 30 s ago');
});

it('alerts are shown as off, or as on with their destinations and the last failure', () => {
  const alerts = (destinations: readonly string[], more: object = {}) =>
    healthLines(part('alerts', { optional: true, details: { destinations, isKnown: true }, ...more })).line;
  const off = alerts([]);
  assert.deepEqual([off.name, off.state], ['Alerts to you', 'off']);
  assert.match(off.text, /^Set HOLDFAST_OPERATOR_NOTIFY_URL /);
  assert.deepEqual(menuCounts({ alarms: [], dependencies: [part('alerts')] } as unknown as ServiceHealth), {
    '/alerts': 0,
    '/deliveries': 0,
    '/health': 0,
  });
  assert.deepEqual(
    [alerts(['notify']).text, alerts(['webhook', 'notify']).text],
    ['Text notification, accepts alerts', 'Signed webhook and text notification, both accept alerts'],
  );
  const error = 'The signed webhook has failed since 27 Nov 2026, 10:00 UTC.';
  assert.deepEqual(alerts(['webhook'], { ok: false, error }), {
    name: 'Alerts to you',
    state: 'degraded',
    text: error,
  });
  assert.equal(
    alerts(['webhook'], { details: { destinations: ['webhook'], isKnown: false } }).state,
    'unknown',
  );
});

it('the menu counts parts that need attention and dead letters', () => {
  const health = {
    alarms: [],
    dependencies: [
      part('validator', { ok: false }),
      part('webhooks', { details: { pending: 1, dead: 37 } }),
      part('alerts', { ok: false, optional: true }),
      part('store'),
    ],
  } as unknown as ServiceHealth;
  assert.deepEqual(menuCounts(health), { '/alerts': 1, '/deliveries': 37, '/health': 3 });
  assert.equal(healthLines(health.dependencies[1]!).line.state, 'degraded');
});

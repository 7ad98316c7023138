// Tests that alerts are grouped into one row per problem, with its duration, and that ongoing problems come
// first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertCatalog } from '../../../../src/domain/alerts/alert-catalog.ts';
import { alertEnds } from '../../../../src/domain/alerts/alert-pairs.ts';
import { type AlertGroup, groupAlerts, type SentAlert, worstDeliveries } from './group-alerts.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 27, 10, minute)).toISOString();

const sent = (alert: string, minute: number, more: Partial<SentAlert> = {}): SentAlert => ({
  id: `${alert} ${minute} ${more.destination}`,
  at: at(minute),
  destination: 'notify',
  alert,
  level: 'critical',
  title: alert,
  message: '',
  since: null,
  until: null,
  state: 'delivered',
  attempts: 1,
  lastOutcome: 'delivered',
  lastStatus: 204,
  ...more,
});

const textOf = ({ occurrences }: AlertGroup): string =>
  occurrences
    .map(
      ({ title, at: began, endedAt, isOpen }) =>
        `${title} ${began.slice(14, 16)}-${isOpen ? 'open' : (endedAt?.slice(14, 16) ?? '')}`,
    )
    .join(', ');

const grouped = (alerts: readonly SentAlert[], active?: readonly string[]): readonly string[] =>
  groupAlerts(alerts.toReversed(), active).map(textOf);

test('the beginning and the end of a problem form one occurrence, and repetitions share one row', () => {
  const since = { since: at(0) };
  assert.deepEqual(
    grouped(
      [
        sent('rpc_unreachable', 1, since),
        sent('rpc_reachable', 9, { ...since, until: at(5), level: 'info' }),
        sent('test', 10, { level: 'info' }),
        sent('rpc_unreachable', 12),
        sent('rpc_reachable', 15),
        sent('test', 20, { level: 'info' }),
      ],
      [],
    ),
    ['test 20-, test 10-', 'rpc_unreachable 12-15, rpc_unreachable 00-05'],
  );
});

test('open problems come first, the most severe on top, and an alarm is open only while the service reports it as active', () => {
  const alerts = [
    sent('index_stale', 1, { level: 'warning' }),
    sent('validator_delinquent', 2),
    sent('store_unwritable', 3),
    sent('commission_changed', 4),
  ];
  assert.deepEqual(grouped(alerts, []), [
    'validator_delinquent 02-open',
    'index_stale 01-open',
    'commission_changed 04-',
    'store_unwritable 03-',
  ]);
  assert.equal(grouped(alerts, ['store_unwritable'])[0], 'store_unwritable 03-open');
});

test('a problem that is reported again stays one occurrence, and an end without a beginning has its own row', () => {
  assert.deepEqual(grouped([sent('admission_at_risk', 1), sent('admission_at_risk', 9)]), [
    'admission_at_risk 01-open',
  ]);
  assert.deepEqual(grouped([sent('validator_recovered', 3)]), ['validator_recovered 03-03']);
});

test('deliveries of one report to two destinations count as one occurrence', () => {
  const [group, ...more] = groupAlerts(
    [sent('validator_absent', 1), sent('validator_absent', 1, { destination: 'webhook' })],
    [],
  );
  assert.deepEqual([group!.occurrences.length, group!.occurrences[0].deliveries.length, more], [1, 2, []]);
});

test('a repeated alert shows the state of its newest occurrence, which for several reports is the worst state', () => {
  const states = (alerts: readonly SentAlert[]) =>
    worstDeliveries(groupAlerts(alerts.toReversed(), [])[0]!.occurrences[0]).map(
      ({ destination, state }) => `${destination} ${state}`,
    );
  const dead = { level: 'info', state: 'dead' } as const;
  assert.deepEqual(states([sent('test', 1, dead), sent('test', 2)]), ['notify delivered']);
  const since = { since: at(0) };
  assert.deepEqual(
    states([
      sent('rpc_unreachable', 1, { ...since, state: 'dead' }),
      sent('rpc_reachable', 9, since),
      sent('rpc_reachable', 9, { ...since, destination: 'webhook', state: 'pending' }),
    ]),
    ['webhook pending', 'notify dead'],
  );
});

test('stakers who join one after another share a row, but stakers who leave do not', () => {
  const joined = (minute: number) =>
    sent('delegator_joined', minute, { level: 'info', message: String(minute) });
  const leaving = (minute: number) =>
    sent('delegator_leaving', minute, { level: 'warning', message: String(minute) });
  assert.deepEqual(grouped([joined(1), joined(2), leaving(3), leaving(4), joined(5)]), [
    'delegator_joined 05-',
    'delegator_leaving 04-',
    'delegator_leaving 03-',
    'delegator_joined 02-, delegator_joined 01-',
  ]);
});

test('every alert in `alertEnds` exists, and so does the alert that ends it', () => {
  const names = alertCatalog.map(({ alert }) => alert);
  for (const alert of Object.entries(alertEnds).flat()) assert.ok(names.includes(alert), alert);
});

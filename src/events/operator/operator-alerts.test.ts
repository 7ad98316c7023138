// Tests that every change of a delegator becomes one operator alert, even if it was stored late, and that an
// alert about a deactivation says until when it can be undone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeFilePatience } from '../../../test/support/patience.ts';
import { delegatedStake, OWNER, SOL } from '../../../test/support/stake-account-examples.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import { exampleId, exampleRegistration, NO_CAPS } from '../../../test/support/webhook-examples.ts';
import { OperatorAlerts } from './operator-alerts.ts';

const POSITION = {
  ...{ epoch: 6n, slotIndex: 100n, slotsInEpoch: 400n, readAtMs: 0, epochRewardsActive: false },
  ...{ slotDurationMs: 400, fastestSlotMs: 400, slowestSlotMs: 400 },
};

/** Builds operator alerts from `parts`. All other dependencies report nothing. */
const operatorAlertsOf = (parts: object): OperatorAlerts =>
  new OperatorAlerts({
    registrations: [exampleId(1)],
    minLamports: 0n,
    index: { health: () => ({ ageSeconds: 0 }) },
    validator: { voteState: async () => null },
    cluster: { genesisHash: 'genesis', limits: async () => ({}), epochPosition: async () => POSITION },
    ticketLamports: null,
    nodeWarning: null,
    onRecorded: () => undefined,
    ...parts,
  } as unknown as ConstructorParameters<typeof OperatorAlerts>[0]);

test('a change stored while the alerts are being evaluated is reported exactly once, by the next evaluation', async (t) => {
  const { delegators, outbox, webhooks } = await openTestStore(t);
  const signal = wholeFilePatience();
  const clock = createManualClock();
  await webhooks.register(exampleRegistration(1), NO_CAPS);
  let recorded = 0;
  const alerts = new OperatorAlerts({
    delegators,
    outbox,
    clock,
    registrations: [exampleId(1)],
    cluster: { genesisHash: 'genesis' },
    minLamports: 0n,
    onRecorded: () => {
      recorded += 1;
    },
  } as unknown as ConstructorParameters<typeof OperatorAlerts>[0]);
  await alerts.evaluate(false, signal);
  const atMs = clock.now() - 1_000;
  const { address } = delegatedStake();
  await delegators.record(
    [],
    [{ address, slot: 7n, kind: 'joined', wallet: OWNER, epoch: 5n, atMs, lamports: 3n * SOL }],
  );
  for (let looks = 0; looks < 2; looks += 1) {
    clock.advance(20_000);
    await alerts.evaluate(false, signal);
  }
  assert.equal(recorded, 1);
  // Each evaluation reads changes from a minute before the previous one, so old changes are not read forever.
  const read = t.mock.method(delegators, 'changesBetween');
  for (let looks = 0; looks < 3; looks += 1) {
    clock.advance(61_000);
    await alerts.evaluate(false, signal);
  }
  const found = await Promise.all(read.mock.calls.map(({ result }) => result));
  assert.deepEqual(
    found.map((changes) => changes?.length),
    [1, 0, 0],
  );
});

test('an alert says that a deactivation can be undone until the end of its epoch, but not after it', async (t) => {
  const { delegators, outbox, webhooks } = await openTestStore(t);
  const clock = createManualClock();
  await webhooks.register(exampleRegistration(1), NO_CAPS);
  const position = { epoch: 6n, slotIndex: 100n, slotsInEpoch: 400n, readAtMs: clock.now() };
  const speed = { slotDurationMs: 400, fastestSlotMs: 400, slowestSlotMs: 400, epochRewardsActive: false };
  const alerts = new OperatorAlerts({
    delegators,
    outbox,
    clock,
    registrations: [exampleId(1)],
    minLamports: 0n,
    cluster: { genesisHash: 'genesis', epochPosition: async () => ({ ...position, ...speed }) },
    onRecorded: () => undefined,
  } as unknown as ConstructorParameters<typeof OperatorAlerts>[0]);
  const { address } = delegatedStake();
  const left = { address, kind: 'leaving', wallet: OWNER, atMs: clock.now(), lamports: 3n * SOL } as const;
  await delegators.record([], [{ ...left, slot: 7n, epoch: 5n }]);
  await delegators.record([], [{ ...left, slot: 8n, epoch: 6n }]);
  clock.advance(1_000);
  await alerts.evaluate(false, wholeFilePatience());
  const told = await outbox.deliveries(exampleId(1), { limit: 9, before: null, state: null });
  const facts = told.map(({ data }) => JSON.parse(data).facts);
  assert.deepEqual(
    facts.map(({ epoch, undoUntil }) => [epoch, undoUntil]).toSorted(([a], [b]) => a - b),
    [
      [5, null],
      [6, new Date(position.readAtMs + 300 * 400).toISOString()],
    ],
  );
  const late = told.map(({ data }) => JSON.parse(data)).find(({ facts: { epoch } }) => epoch === 5);
  assert.match(late.message, /\. It is too late to undo this, because epoch 5 is over\.$/);
});

test('an absence found together with the digest is included in the digest of its own epoch and not in the next one', async (t) => {
  const { delegators, outbox, webhooks } = await openTestStore(t);
  const clock = createManualClock();
  await webhooks.register(exampleRegistration(1), NO_CAPS);
  const alerts = operatorAlertsOf({ delegators, outbox, clock });
  const evaluateIn = async (epoch: bigint) => {
    const stake = { activeLamports: SOL, activatingLamports: 0n, deactivatingLamports: 0n };
    await delegators.recordEpoch({ epoch, accounts: 1, delegators: 1, ...stake });
    clock.advance(20_000);
    await alerts.evaluate(true, wholeFilePatience());
  };
  await evaluateIn(800n);
  await evaluateIn(801n);
  await evaluateIn(802n);
  const absence = {
    ...{ number: 0, change: 'absent', level: 'critical', what: 'absent', from: '', to: '802' },
    ...{ epoch: 803, slot: 9, nearBoundary: true, seenByNodes: 2, atMs: clock.now() },
  };
  const record = { state: { firstEpoch: '801', values: {}, reported: 1 }, alerts: [absence] };
  await outbox.record([], [{ name: 'validator', value: JSON.stringify(record) }]);
  await evaluateIn(803n);
  await evaluateIn(804n);
  const sent = await outbox.deliveries(exampleId(1), { limit: 9, before: null, state: null });
  const found = sent.map(({ data }) => JSON.parse(data)).toReversed();
  assert.deepEqual(found.map(({ alert, facts }) => [alert, facts.epoch, facts.alarms]).toSorted(), [
    ['epoch_digest', 801, 0],
    ['epoch_digest', 802, 1],
    ['epoch_digest', 803, 0],
    ['validator_absent', 802, undefined],
  ]);
  const digest = found.find(({ alert, facts }) => alert === 'epoch_digest' && facts.epoch === 802);
  assert.match(digest.message, / Alarms and warnings since the last digest: No credits in epoch 802\.$/);
});

test('a digest does not say that an alarm is still active, because its end is reported a minute after the problem ended', async (t) => {
  const { delegators, outbox, webhooks } = await openTestStore(t);
  const clock = createManualClock();
  await webhooks.register(exampleRegistration(1), NO_CAPS);
  const alerts = operatorAlertsOf({ delegators, outbox, clock });
  const alarms = { rpc_unreachable: { number: 1, sinceMs: clock.now(), by: null, isOn: true } };
  await outbox.record([], [{ name: 'service alarms', value: JSON.stringify({ alarms, past: [] }) }]);
  for (const epoch of [800n, 801n, 802n]) {
    const stake = { activeLamports: SOL, activatingLamports: 0n, deactivatingLamports: 0n };
    await delegators.recordEpoch({ epoch, accounts: 1, delegators: 1, ...stake });
    clock.advance(20_000);
    await alerts.evaluate(true, wholeFilePatience());
  }
  const [digest] = await outbox.deliveries(exampleId(1), { limit: 9, before: null, state: null });
  assert.match(JSON.parse(digest!.data).message, / No RPC node is responding \(no end reported yet\)\.$/);
});

test('a digest names the stake that is leaving once per alert that was sent, also if it is sent together with the digest or before 500 others', async (t) => {
  const { delegators, outbox, webhooks } = await openTestStore(t);
  const clock = createManualClock();
  await webhooks.register(exampleRegistration(1), NO_CAPS);
  const alerts = operatorAlertsOf({ delegators, outbox, clock });
  const evaluate = async () => {
    clock.advance(20_000);
    await alerts.evaluate(true, wholeFilePatience());
  };
  const evaluateIn = async (epoch: bigint) => {
    const stake = { activeLamports: SOL, activatingLamports: 0n, deactivatingLamports: 0n };
    await delegators.recordEpoch({ epoch, accounts: 1, delegators: 1, ...stake });
    await evaluate();
  };
  const { address } = delegatedStake();
  const deactivate = (slot: bigint) =>
    delegators.record(
      [],
      [{ address, kind: 'leaving', wallet: OWNER, atMs: clock.now(), lamports: slot * SOL, slot, epoch: 5n }],
    );
  await evaluateIn(800n);
  await evaluateIn(801n);
  await deactivate(3n);
  await evaluate();
  const joined = { address, kind: 'joined', wallet: OWNER, lamports: SOL, epoch: 5n } as const;
  const others = Array.from({ length: 500 }, (_, at) => ({
    ...joined,
    atMs: clock.now(),
    slot: BigInt(10 + at),
  }));
  await delegators.record([], others);
  await evaluate();
  await deactivate(4n);
  await evaluateIn(802n);
  await evaluateIn(803n);
  const sent = await outbox.deliveries(exampleId(1), { limit: 999, before: null, state: null });
  const digests = sent
    .map(({ data }) => JSON.parse(data))
    .filter(({ alert }) => alert === 'epoch_digest')
    .map(({ facts, message }) => [facts.epoch, facts.alarms, message.split('since the last digest: ')[1]]);
  assert.deepEqual(digests.toSorted(), [
    [801, 1, 'Stake is leaving (2 times).'],
    [802, 0, 'none.'],
  ]);
});

test('after a restore, an alert about another change has another id', async (t) => {
  const { delegators, outbox, webhooks } = await openTestStore(t);
  const clock = createManualClock();
  await webhooks.register(exampleRegistration(1), NO_CAPS);
  const alerts = operatorAlertsOf({ delegators, outbox, clock });
  const evaluateAfter = async (changes: readonly object[]) => {
    const record = { state: { firstEpoch: '801', values: {}, reported: changes.length }, alerts: changes };
    await outbox.record([], [{ name: 'validator', value: JSON.stringify(record) }]);
    clock.advance(20_000);
    await alerts.evaluate(true, wholeFilePatience());
  };
  const change = {
    ...{ number: 0, change: 'commission', level: 'warning', what: 'inflationCommissionBps', from: '700' },
    ...{ epoch: 803, slot: 9, nearBoundary: false, seenByNodes: 2, atMs: clock.now() },
  };
  await evaluateAfter([]);
  const backup = await outbox.checkpoint('operator alerts');
  assert.ok(backup !== null);
  await evaluateAfter([{ ...change, to: '900' }]);
  await outbox.record([], [{ name: 'operator alerts', value: backup }]);
  await evaluateAfter([{ ...change, to: '500' }]);
  const sent = await outbox.deliveries(exampleId(1), { limit: 9, before: null, state: null });
  assert.equal(new Set(sent.map(({ id }) => id)).size, 2);
});

test('every ended epoch after the one of the start has a digest, and epochs that the service did not watch are named with the reason', async (t) => {
  const { delegators, outbox, webhooks } = await openTestStore(t);
  const clock = createManualClock();
  await webhooks.register(exampleRegistration(1), NO_CAPS);
  const alerts = operatorAlertsOf({ delegators, outbox, clock });
  const record = async (epoch: bigint) => {
    const stake = { activeLamports: SOL, activatingLamports: 0n, deactivatingLamports: 0n };
    await delegators.recordEpoch({ epoch, accounts: 1, delegators: 1, ...stake });
  };
  const evaluate = async () => {
    clock.advance(20_000);
    await alerts.evaluate(true, wholeFilePatience());
  };
  // Epoch 800 has no digest, because the service was started in the middle of it.
  await record(800n);
  await evaluate();
  await record(801n);
  await evaluate();
  // Two epochs end between two evaluations.
  await record(802n);
  await record(803n);
  await evaluate();
  // The service is stopped from epoch 803 to epoch 806.
  await record(806n);
  await evaluate();
  await evaluate();
  // The end of epoch 806 could not be computed.
  const unknown = { activatingLamports: null, deactivatingLamports: null };
  await delegators.recordEpoch({ epoch: 806n, accounts: 1, delegators: 1, activeLamports: SOL, ...unknown });
  await record(807n);
  await evaluate();
  const sent = await outbox.deliveries(exampleId(1), { limit: 9, before: null, state: null });
  const found = sent.map(({ data }) => JSON.parse(data));
  assert.deepEqual(
    found
      .map(({ title, facts }) => `${title}: ${facts.alarms}`)
      .filter((text) => text.startsWith('Epoch'))
      .toSorted(),
    ['Epoch 801: 0 SOL in, 0 SOL out: null', 'Epoch 802: 0 SOL in, 0 SOL out: 0'],
  );
  const missing = found.filter(({ alert }) => alert === 'epoch_digest_missing');
  assert.deepEqual(
    missing.map(({ message }) => message).toSorted((one, other) => other.localeCompare(one)),
    [
      'There is no digest for epochs 803 to 805, because the service did not watch them from beginning to end: it was stopped, or could not read the chain.',
      'There is no digest for epoch 806, because the service did not watch it from its beginning to its end: it was stopped, or could not read the chain.',
    ],
  );
});

test('an index that is stale while no node responds, or in the two minutes after the outage, is not reported, because it is being scanned', async (t) => {
  const { delegators, outbox, webhooks } = await openTestStore(t);
  const clock = createManualClock();
  await webhooks.register(exampleRegistration(1), NO_CAPS);
  const index = { health: () => ({ ageSeconds: 660 }) };
  const alerts = operatorAlertsOf({ delegators, outbox, clock, index });
  const sinceMs = clock.now();
  const alarm = { number: 1, sinceMs, by: null };
  const staleAfter = async (seconds: number, reported: object) => {
    await outbox.record([], [{ name: 'service alarms', value: JSON.stringify(reported) }]);
    clock.advance(seconds * 1_000);
    await alerts.evaluate(true, wholeFilePatience());
    return (await outbox.deliveries(exampleId(1), { limit: 9, before: null, state: null })).length;
  };
  assert.equal(await staleAfter(660, { alarms: { rpc_unreachable: { ...alarm, isOn: true } }, past: [] }), 0);
  const past = [{ alarm: 'rpc_unreachable', sinceMs, endedMs: clock.now() }];
  const ended = { alarms: { rpc_unreachable: { ...alarm, isOn: false } }, past };
  assert.equal(await staleAfter(119, ended), 0);
  assert.equal(await staleAfter(1, ended), 1);
});

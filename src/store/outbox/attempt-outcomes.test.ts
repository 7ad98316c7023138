// What attempts change: each delivery by its own end, each registration by all of them in order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleAttempt, exampleId, exampleResult } from '../../../test/support/webhook-examples.ts';
import { deliveryChange, registrationChanges } from './attempt-effects.ts';
import type { AttemptOutcome, AttemptResult } from './outbox.ts';

const AT_MS = 5_000;
const END_MS = AT_MS + 40;
const UNTOUCHED = {
  lastDeliveryAtMs: null,
  keepsFailing: true,
  failingSinceMs: null,
  disabledReason: undefined,
};

const result = (outcome: AttemptOutcome, overrides: Partial<AttemptResult> = {}, atMs = AT_MS) =>
  exampleResult(1, { attempt: exampleAttempt({ outcome, atMs }), ...overrides });

/** The one change of registration 1. */
const changeOf = (...results: readonly AttemptResult[]) => {
  const [change, ...others] = registrationChanges(results);
  assert.deepEqual(others, []);
  const { id, ...rest } = change!;
  assert.equal(id, exampleId(1));
  return rest;
};

test('what is delivered or dead is settled at the end of its attempt, and due no more', () => {
  for (const state of ['delivered', 'dead'] as const)
    assert.deepEqual(deliveryChange(result('refused-status', { next: { state } })), {
      state,
      attempts: 1,
      dueAtMs: null,
      settledAtMs: END_MS,
    });
});

test('what goes on is due when it says; an attempt that we cut off costs no step', () => {
  const next = { state: 'pending', nextAttemptAtMs: 9_000 } as const;
  for (const [outcome, attempts] of [
    ['timeout', 1],
    ['compose-failed', 1],
    ['interrupted', 0],
  ] as const)
    assert.deepEqual(deliveryChange(result(outcome, { next })), {
      state: 'pending',
      attempts,
      dueAtMs: 9_000,
      settledAtMs: null,
    });
});

test('an acceptance makes the registration healthy, and the latest end counts whatever the order', () => {
  const healthy = { ...UNTOUCHED, keepsFailing: false };
  assert.deepEqual(changeOf(result('delivered')), { ...healthy, lastDeliveryAtMs: END_MS });
  assert.deepEqual(changeOf(result('delivered', {}, 7_000), result('delivered')), {
    ...healthy,
    lastDeliveryAtMs: 7_040,
  });
});

test('it fails since the first failure after the last acceptance, and longer where it failed before', () => {
  const failure = result('timeout');
  const later = result('refused-status', {}, 8_000);
  assert.deepEqual(changeOf(failure, later), { ...UNTOUCHED, failingSinceMs: AT_MS });
  assert.deepEqual(changeOf(failure, result('delivered'), later), {
    ...UNTOUCHED,
    lastDeliveryAtMs: END_MS,
    keepsFailing: false,
    failingSinceMs: 8_000,
  });
});

test('failures of ours leave the registration as it stands', () => {
  assert.deepEqual(changeOf(result('interrupted'), result('compose-failed')), UNTOUCHED);
});

test('it is disabled for the last reason given, unless a ping was accepted after it', () => {
  const gone = result('gone', { disable: 'gone' });
  const failing = result('timeout', { disable: 'failing' });
  const ping = result('delivered', { enable: true });
  assert.equal(changeOf(gone, failing).disabledReason, 'failing');
  assert.equal(changeOf(ping, gone).disabledReason, 'gone');
  assert.deepEqual(changeOf(gone, ping), {
    lastDeliveryAtMs: END_MS,
    keepsFailing: false,
    failingSinceMs: null,
    disabledReason: null,
  });
});

test('each registration by its own results, in one order for all processes', () => {
  const of = (number: number, outcome: AttemptOutcome) =>
    result(outcome, { registrationId: exampleId(number) });
  const results = [of(3, 'timeout'), of(1, 'delivered'), of(2, 'timeout'), of(3, 'timeout')];
  const changes = registrationChanges(results);
  assert.deepEqual(
    changes.map(({ id }) => id),
    [1, 2, 3].map(exampleId),
  );
  assert.deepEqual(registrationChanges(results.toReversed()), changes);
  assert.deepEqual(registrationChanges([]), []);
});

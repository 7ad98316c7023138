// Tests the consequences of a delivery attempt, exact to the millisecond.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AttemptCircumstances, consequenceOf, FAILING_DISABLES_MS } from './attempt-consequences.ts';
import { RETRY_DELAYS_MS } from './retry-schedule.ts';

const NOW_MS = 1_800_000_000_000;
const HOUR_MS = 3_600_000;

const after = (given: Partial<AttemptCircumstances>) =>
  consequenceOf({
    type: 'stake_activated',
    outcome: 'refused-status',
    retryAfterMs: null,
    attempts: 0,
    expiresAtMs: null,
    failingSinceMs: null,
    nowMs: NOW_MS,
    random: () => 0.5,
    ...given,
  });

const delayMs = (given: Partial<AttemptCircumstances>): number | 'dead' => {
  const { next } = after(given);
  assert.notEqual(next.state, 'delivered');
  return next.state === 'pending' ? next.nextAttemptAtMs - NOW_MS : 'dead';
};

test('an accepted delivery is marked delivered and not attempted again', () => {
  assert.deepEqual(after({ outcome: 'delivered' }), { next: { state: 'delivered' } });
});

test('failures are retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; the tenth is the last', () => {
  const delays = Array.from({ length: 11 }, (_, attempts) => delayMs({ attempts }));
  assert.deepEqual(delays, [
    5_000,
    300_000,
    1_800_000,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    20 * HOUR_MS,
    24 * HOUR_MS,
    'dead',
    'dead',
  ]);
});

test('jitter shifts each delay by at most a fifth in either direction', () => {
  for (const [attempts, delay] of RETRY_DELAYS_MS.entries()) {
    assert.equal(delayMs({ attempts, random: () => 0 }), Math.round(delay * 0.8));
    const longest = delayMs({ attempts, random: () => 1 - Number.EPSILON });
    assert.ok(longest !== 'dead' && longest <= Math.round(delay * 1.2) && longest > delay * 1.19);
  }
});

test('Retry-After is honored up to a day; a Retry-After shorter than the schedule is ignored', () => {
  assert.equal(delayMs({ retryAfterMs: 120_000 }), 120_000);
  assert.equal(delayMs({ retryAfterMs: 1_000 }), 5_000);
  assert.equal(delayMs({ retryAfterMs: 30 * 24 * HOUR_MS }), 24 * HOUR_MS);
  assert.equal(delayMs({ retryAfterMs: 120_000, attempts: 9 }), 'dead');
});

test('410 ends the delivery and disables the registration', () => {
  assert.deepEqual(after({ outcome: 'gone' }), { next: { state: 'dead' }, disable: 'gone' });
});

test('the next failure disables a registration whose attempts have all failed for five days, and none does before', () => {
  const since = (ms: number) => after({ failingSinceMs: NOW_MS - ms }).disable;
  assert.equal(since(FAILING_DISABLES_MS - 1), undefined);
  assert.equal(since(FAILING_DISABLES_MS), 'failing');
  assert.equal(after({ outcome: 'delivered', failingSinceMs: 0 }).disable, undefined);
});

test('the full schedule with maximum jitter is shorter than five days', () => {
  assert.equal(FAILING_DISABLES_MS, 432_000_000);
  const longest = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay * 1.2, 0);
  assert.ok(longest < FAILING_DISABLES_MS, `${longest} ms`);
});

test("failures on the service's side never disable a registration", () => {
  for (const outcome of ['interrupted', 'compose-failed'] as const)
    assert.equal(after({ outcome, failingSinceMs: 0 }).disable, undefined);
});

test('an attempt interrupted by a shutdown is due again immediately', () => {
  assert.deepEqual(after({ outcome: 'interrupted', attempts: 9 }), {
    next: { state: 'pending', nextAttemptAtMs: NOW_MS },
  });
});

test('a retry that would come after the expiry is dropped', () => {
  assert.equal(delayMs({ expiresAtMs: NOW_MS + 5_000 }), 'dead');
  assert.equal(delayMs({ expiresAtMs: NOW_MS + 5_001 }), 5_000);
});

test('an accepted ping enables the registration', () => {
  assert.equal(after({ type: 'ping' }).enable, undefined);
  assert.deepEqual(after({ type: 'ping', outcome: 'delivered' }), {
    next: { state: 'delivered' },
    enable: true,
  });
});

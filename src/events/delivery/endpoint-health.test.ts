// Who may have how many attempts at a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EndpointHealth, PER_HEALTHY, REST_MS } from './endpoint-health.ts';

test('an unproven registration gets one attempt at a time, a healthy one eight', () => {
  const health = new EndpointHealth();
  assert.deepEqual(health.limitsOfFirst(), { limitPerRegistration: 1, except: [] });
  health.begin('a');
  assert.deepEqual(health.limitsOfFirst().except, ['a']);
  health.noteAccepted('a');
  assert.deepEqual(health.limitsOfMore(), { limitPerRegistration: PER_HEALTHY, except: [] });
  for (let more = 1; more < PER_HEALTHY; more += 1) health.begin('a');
  assert.deepEqual(health.limitsOfMore().except, ['a']);
  health.end('a');
  assert.deepEqual(health.limitsOfMore().except, []);
});

test('one in noteFailed rests a second, then gets one attempt at a time until one is accepted', () => {
  const health = new EndpointHealth();
  health.noteFailed('a', 1_000);
  assert.deepEqual(health.limitsOfFirst().except, ['a']);
  assert.equal(health.limitsOfSuspect(1_000 + REST_MS - 1), null);
  assert.deepEqual(health.limitsOfSuspect(1_000 + REST_MS), { limitPerRegistration: 1, except: [] });
  health.begin('a');
  assert.equal(health.limitsOfSuspect(1_000 + REST_MS), null);
  health.end('a');
  health.noteAccepted('a');
  assert.deepEqual(health.limitsOfFirst().except, []);
  assert.equal(health.limitsOfSuspect(10_000), null);
});

test('attempts are counted by registration, and one that ended leaves the others of it under way', () => {
  const health = new EndpointHealth();
  health.noteAccepted('a');
  for (let count = 0; count < PER_HEALTHY; count += 1) health.begin('a');
  health.begin('b');
  assert.deepEqual(health.limitsOfMore().except, ['a', 'b']);
  health.end('b');
  assert.deepEqual(health.limitsOfMore().except, ['a']);
  for (let count = 0; count < PER_HEALTHY; count += 1) health.end('a');
  health.noteFailed('a', 0);
  assert.deepEqual(health.limitsOfSuspect(REST_MS)?.except, [], 'none is under way any more');
  health.begin('a');
  health.begin('a');
  health.end('a');
  assert.equal(health.limitsOfSuspect(REST_MS), null, 'one still is');
  health.end('a');
  health.end('a');
  health.begin('a');
  assert.deepEqual(health.limitsOfSuspect(REST_MS), null, 'an end without a beginning is no place gained');
});

test('noteFailed ends noteAccepted, and noteAccepted ends noteFailed', () => {
  const health = new EndpointHealth();
  health.noteAccepted('a');
  assert.equal(health.isHealthy('a'), true);
  health.noteFailed('a', 0);
  assert.equal(health.isHealthy('a'), false);
  health.noteAccepted('a');
  assert.deepEqual([health.isHealthy('a'), health.limitsOfSuspect(REST_MS)], [true, null]);
});

test('ten thousand of each health are remembered; then the one that was longest unused is met anew', () => {
  const health = new EndpointHealth();
  for (let number = 0; number < 10_000; number += 1) health.noteAccepted(`t${number}`);
  health.noteAccepted('t0');
  assert.equal(health.isHealthy('t1'), true, 'exactly so many');
  health.noteAccepted('one more');
  assert.deepEqual(
    ['t0', 't1', 't2', 'one more'].map((id) => health.isHealthy(id)),
    [true, false, true, true],
  );
  for (let number = 0; number <= 10_000; number += 1) health.noteFailed(`d${number}`, 0);
  const { except } = health.limitsOfFirst();
  assert.deepEqual([except.length, except.includes('d0'), except.includes('d1')], [10_000, false, true]);
});

test('a claim for one in noteFailed leaves out those that rest and whatever is under way', () => {
  const health = new EndpointHealth();
  health.noteFailed('ready', 0);
  health.noteFailed('resting', REST_MS);
  health.begin('busy');
  assert.deepEqual(health.limitsOfSuspect(REST_MS)?.except, ['busy', 'resting']);
});

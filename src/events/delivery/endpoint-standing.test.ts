// Who may have how many attempts at a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EndpointStanding, PER_TRUSTED, REST_MS } from './endpoint-standing.ts';

test('an unproven registration gets one attempt at a time, a trusted one eight', () => {
  const standing = new EndpointStanding();
  assert.deepEqual(standing.limitsOfFirst(), { limitPerRegistration: 1, except: [] });
  standing.begin('a');
  assert.deepEqual(standing.limitsOfFirst().except, ['a']);
  standing.trust('a');
  assert.deepEqual(standing.limitsOfMore(), { limitPerRegistration: PER_TRUSTED, except: [] });
  for (let more = 1; more < PER_TRUSTED; more += 1) standing.begin('a');
  assert.deepEqual(standing.limitsOfMore().except, ['a']);
  standing.end('a');
  assert.deepEqual(standing.limitsOfMore().except, []);
});

test('one in doubt rests a second, then gets one attempt at a time until one is accepted', () => {
  const standing = new EndpointStanding();
  standing.doubt('a', 1_000);
  assert.deepEqual(standing.limitsOfFirst().except, ['a']);
  assert.equal(standing.limitsOfDoubted(1_000 + REST_MS - 1), null);
  assert.deepEqual(standing.limitsOfDoubted(1_000 + REST_MS), { limitPerRegistration: 1, except: [] });
  standing.begin('a');
  assert.equal(standing.limitsOfDoubted(1_000 + REST_MS), null);
  standing.end('a');
  standing.trust('a');
  assert.deepEqual(standing.limitsOfFirst().except, []);
  assert.equal(standing.limitsOfDoubted(10_000), null);
});

test('attempts are counted by registration, and one that ended leaves the others of it under way', () => {
  const standing = new EndpointStanding();
  standing.trust('a');
  for (let count = 0; count < PER_TRUSTED; count += 1) standing.begin('a');
  standing.begin('b');
  assert.deepEqual(standing.limitsOfMore().except, ['a', 'b']);
  standing.end('b');
  assert.deepEqual(standing.limitsOfMore().except, ['a']);
  for (let count = 0; count < PER_TRUSTED; count += 1) standing.end('a');
  standing.doubt('a', 0);
  assert.deepEqual(standing.limitsOfDoubted(REST_MS)?.except, [], 'none is under way any more');
  standing.begin('a');
  standing.begin('a');
  standing.end('a');
  assert.equal(standing.limitsOfDoubted(REST_MS), null, 'one still is');
  standing.end('a');
  standing.end('a');
  standing.begin('a');
  assert.deepEqual(standing.limitsOfDoubted(REST_MS), null, 'an end without a beginning is no place gained');
});

test('doubt ends trust, and trust ends doubt', () => {
  const standing = new EndpointStanding();
  standing.trust('a');
  assert.equal(standing.isTrusted('a'), true);
  standing.doubt('a', 0);
  assert.equal(standing.isTrusted('a'), false);
  standing.trust('a');
  assert.deepEqual([standing.isTrusted('a'), standing.limitsOfDoubted(REST_MS)], [true, null]);
});

test('ten thousand of each standing are remembered; then the one that was longest unused is met anew', () => {
  const standing = new EndpointStanding();
  for (let number = 0; number < 10_000; number += 1) standing.trust(`t${number}`);
  standing.trust('t0');
  assert.equal(standing.isTrusted('t1'), true, 'exactly so many');
  standing.trust('one more');
  assert.deepEqual(
    ['t0', 't1', 't2', 'one more'].map((id) => standing.isTrusted(id)),
    [true, false, true, true],
  );
  for (let number = 0; number <= 10_000; number += 1) standing.doubt(`d${number}`, 0);
  const { except } = standing.limitsOfFirst();
  assert.deepEqual([except.length, except.includes('d0'), except.includes('d1')], [10_000, false, true]);
});

test('a claim for one in doubt leaves out those that rest and whatever is under way', () => {
  const standing = new EndpointStanding();
  standing.doubt('ready', 0);
  standing.doubt('resting', REST_MS);
  standing.begin('busy');
  assert.deepEqual(standing.limitsOfDoubted(REST_MS)?.except, ['busy', 'resting']);
});

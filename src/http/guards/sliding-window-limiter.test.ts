// Tests that the sliding log counts each key separately, forgets calls that left the window, and stays within
// its memory limit.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countClientCall, createClientLogs, SlidingLog } from './sliding-window-limiter.ts';

describe('SlidingLog', () => {
  it('allows calls up to the limit, then one more for each that leaves the window', () => {
    const log = new SlidingLog({ limit: 20, windowMs: 1000, maxKeys: 10 });
    for (let time = 0; time < 20; time += 1)
      assert.deepEqual(log.take('a', time * 10), {
        allowed: true,
        remaining: 19 - time,
        resetMs: 1000 - time * 10,
      });
    assert.deepEqual(log.take('a', 1000), { allowed: false, remaining: 0, resetMs: 0 });
    assert.equal(log.take('a', 1001).allowed, true);
    assert.equal(log.take('a', 1001).allowed, false);
    assert.equal(log.take('a', 1011).allowed, true);
  });

  it('does not count refused calls', () => {
    const log = new SlidingLog({ limit: 1, windowMs: 1000, maxKeys: 10 });
    assert.equal(log.take('a', 0).allowed, true);
    for (let time = 1; time <= 1000; time += 1) assert.equal(log.take('a', time).allowed, false);
    assert.equal(log.take('a', 1001).allowed, true);
  });

  it('counts keys separately', () => {
    const log = new SlidingLog({ limit: 1, windowMs: 1000, maxKeys: 10 });
    assert.deepEqual(
      ['a', 'b', 'a', 'b', 'c'].map((key) => log.take(key, 5).allowed),
      [true, true, false, false, true],
    );
  });

  it('does not evict active keys during a flood: new keys share one count per provider until an old key has been idle for a full window', () => {
    const log = new SlidingLog({ limit: 2, windowMs: 1000, maxKeys: 2 });
    for (const key of ['10.0.0.1', '10.0.0.1', '10.0.0.2']) log.take(key, 0);
    const flood = Array.from({ length: 60_000 }, (_, at) => `11.22.${at >> 8}.${at & 255}`);
    assert.equal(flood.filter((key) => log.take(key, 1).allowed).length, 2);
    assert.equal(log.take('10.0.0.1', 2).allowed, false, 'the count of an old key is kept');
    assert.equal(log.take('12.0.0.1', 2).allowed, true, 'a new client of another provider is still accepted');
    assert.equal(log.size, 2);
    // Unused keys are evicted after the window.
    assert.equal(log.take('10.0.0.3', 1002).allowed, true);
    assert.equal(log.take('10.0.0.3', 1002).allowed, true);
    assert.equal(log.take('10.0.0.3', 1002).allowed, false);
    assert.equal(log.size, 2);
  });

  it('stays bounded even during a flood from many providers', () => {
    const log = new SlidingLog({ limit: 1, windowMs: 1000, maxKeys: 3 });
    const providers = Array.from({ length: 256 }, (_, at) => `${at}.1.1.1`);
    assert.equal(providers.filter((key) => log.take(key, 0).allowed).length, 3 + 3 + 1);
  });

  it('stays in order while its ring buffer grows around a moving start', () => {
    const log = new SlidingLog({ limit: 100, windowMs: 50, maxKeys: 1 });
    const passed: number[] = [];
    for (let step = 0; step < 500; step += 1) {
      const time = step < 250 ? step * 10 : 2500 + (step - 250);
      const { remaining } = log.take('a', time);
      passed.push(time);
      assert.equal(100 - remaining, passed.filter((at) => time - at <= 50).length, `at ${time}`);
    }
  });
});

describe('clients and their sites', () => {
  const networkOf = (at: number): string => `2001:db8:7:${at.toString(16)}::/64`;

  it('all networks of one /48 share ten times the limit, separately from the next /48', () => {
    const logs = createClientLogs({ limit: 4, windowMs: 1000, maxKeys: 1_000 });
    const passed = Array.from({ length: 500 }, (_, at) => countClientCall(logs, networkOf(at), 0).allowed);
    assert.equal(passed.filter(Boolean).length, 40);
    assert.equal(countClientCall(logs, '2001:db8:8:0::/64', 0).allowed, true);
    assert.equal(countClientCall(logs, '192.0.2.1', 0).allowed, true);
  });

  it('a call refused by one of the two limits counts toward neither', () => {
    const logs = createClientLogs({ limit: 1, windowMs: 1000, maxKeys: 1_000 });
    for (let call = 0; call < 100; call += 1) countClientCall(logs, networkOf(0), 0);
    const passed = Array.from({ length: 20 }, (_, at) => countClientCall(logs, networkOf(at + 1), 1).allowed);
    assert.equal(
      passed.filter(Boolean).length,
      9,
      'a single client that keeps trying does not use up the quota of its site',
    );
    assert.equal(countClientCall(logs, networkOf(15), 1000).allowed, false);
    assert.equal(
      countClientCall(logs, networkOf(15), 1001).allowed,
      true,
      'refused by the site, not counted for the client',
    );
  });

  it('the response reports whichever limit has fewer calls left', () => {
    const logs = createClientLogs({ limit: 4, windowMs: 1000, maxKeys: 1_000 });
    for (let at = 0; at < 38; at += 1) countClientCall(logs, networkOf(at), 10);
    assert.deepEqual(countClientCall(logs, networkOf(99), 20), { allowed: true, remaining: 1, resetMs: 990 });
  });
});

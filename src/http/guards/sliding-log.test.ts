// The sliding log counts each key by itself, forgets what left the window, and stays within its memory.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SlidingLog } from './sliding-log.ts';

describe('SlidingLog', () => {
  it('lets through the limit, then one for each that leaves the window', () => {
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

  it('does not hold refused calls against anyone', () => {
    const log = new SlidingLog({ limit: 1, windowMs: 1000, maxKeys: 10 });
    assert.equal(log.take('a', 0).allowed, true);
    for (let time = 1; time <= 1000; time += 1) assert.equal(log.take('a', time).allowed, false);
    assert.equal(log.take('a', 1001).allowed, true);
  });

  it('counts keys apart', () => {
    const log = new SlidingLog({ limit: 1, windowMs: 1000, maxKeys: 10 });
    assert.deepEqual(
      ['a', 'b', 'a', 'b', 'c'].map((key) => log.take(key, 5).allowed),
      [true, true, false, false, true],
    );
  });

  it('forgets the longest unused key first, and never one that was just used', () => {
    const log = new SlidingLog({ limit: 1, windowMs: 1000, maxKeys: 2 });
    for (const key of ['a', 'b', 'a', 'c']) log.take(key, 0);
    assert.equal(log.size, 2);
    assert.deepEqual(
      ['a', 'c'].map((key) => log.take(key, 0).allowed),
      [false, false],
    );
    assert.equal(log.take('b', 0).allowed, true);
  });

  it('keeps order while its ring grows around a moving start', () => {
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

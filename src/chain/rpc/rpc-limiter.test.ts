// No node gets more concurrent requests than allowed, and a canceled request takes no slot.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RpcLimiter } from './rpc-limiter.ts';

const never = new AbortController().signal;

/** A task that runs until the test ends it. */
const held = () => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { task: () => promise, end: resolve, fail: reject };
};

describe('RpcLimiter', () => {
  it('runs at most as many tasks at once as its limit allows, and the rest in order of arrival', async () => {
    const limiter = new RpcLimiter(2);
    const tasks = Array.from({ length: 5 }, held);
    const started: number[] = [];
    const runs = tasks.map(({ task }, i) =>
      limiter.run(() => {
        started.push(i);
        return task();
      }, never),
    );
    assert.deepEqual(started, [0, 1]);
    assert.equal(limiter.load, 5);
    tasks[1]!.end();
    await runs[1];
    assert.deepEqual(started, [0, 1, 2]);
    for (const { end } of tasks) end();
    await Promise.all(runs);
    assert.deepEqual(started, [0, 1, 2, 3, 4]);
    assert.equal(limiter.load, 0);
  });

  it('frees the slot of a task that failed', async () => {
    const limiter = new RpcLimiter(1);
    await assert.rejects(
      limiter.run(() => Promise.reject(new Error('broken')), never),
      /broken/,
    );
    assert.equal(await limiter.run(async () => 'next', never), 'next');
  });

  it('rejects a waiting task with the reason of its signal, and never starts it', async () => {
    const limiter = new RpcLimiter(1);
    const first = held();
    const running = limiter.run(first.task, never);
    const leaving = new AbortController();
    let started = false;
    const left = limiter.run(async () => {
      started = true;
    }, leaving.signal);
    leaving.abort(new Error('gone'));
    await assert.rejects(left, /gone/);
    first.end();
    await running;
    assert.equal(started, false);
    assert.equal(limiter.load, 0);
    assert.equal(await limiter.run(async () => 'free', never), 'free');
  });
});

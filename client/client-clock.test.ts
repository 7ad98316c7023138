// Tests that a wait ends when its time is up or its signal is aborted, leaves no listener on the signal, and
// does not end early if it is long.
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { machineClock } from './client-clock.ts';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

test('a finished wait leaves no listener on the signal', async () => {
  const { signal } = new AbortController();
  const wait = machineClock.sleep(1, signal);
  assert.equal(listeners(signal), 1);
  await wait;
  assert.equal(listeners(signal), 0);
});

test('an aborted signal rejects the wait with its reason, whether it is aborted before or during the wait', async () => {
  const reason = new Error('enough');
  await assert.rejects(machineClock.sleep(60_000, AbortSignal.abort(reason)), reason);
  const stop = new AbortController();
  const wait = assert.rejects(machineClock.sleep(60_000, stop.signal), reason);
  stop.abort(reason);
  await wait;
  assert.equal(listeners(stop.signal), 0);
});

test('a wait longer than the maximum timer delay does not end immediately', async () => {
  for (const ms of [2 ** 31, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]) {
    const stop = new AbortController();
    let isOver = false;
    const wait = machineClock.sleep(ms, stop.signal).then(
      () => {
        isOver = true;
      },
      () => undefined,
    );
    // A timer with a delay above the maximum would fire after 1 ms, before this one.
    await machineClock.sleep(5);
    assert.equal(isOver, false, String(ms));
    stop.abort();
    await wait;
  }
});

// Waiting ends with its result or the signal, whichever comes first, and leaves no listener behind.
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { orAbort, pause } from './abort.ts';

test('orAbort returns the result of the work, or the reason of the signal while the work continues', async () => {
  const stop = new AbortController();
  assert.equal(await orAbort(Promise.resolve(3), stop.signal), 3);
  await assert.rejects(orAbort(Promise.reject(new Error('no luck')), stop.signal), /no luck/);
  assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
  const work = Promise.withResolvers<number>();
  const waiting = orAbort(work.promise, stop.signal);
  stop.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  await assert.rejects(orAbort(work.promise, stop.signal), /enough/, 'aborted before');
  work.resolve(4);
  assert.equal(await work.promise, 4);
});

test('a pause ends without an error when its time is over or its signal aborts', async () => {
  const clock = createManualClock();
  const stop = new AbortController();
  const [left, right] = [pause(clock, 50, stop.signal), pause(clock, 80, stop.signal)];
  clock.advance(50);
  await left;
  stop.abort(new Error('enough'));
  await right;
});

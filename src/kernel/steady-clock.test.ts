// A clock for ages: what it tells after a wall clock was set back, and how it waits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { steadyClock } from './clock.ts';

test('it goes with the wall clock, forward by any step, and on from where it was when that is set back, each time', () => {
  const wall = createManualClock(1_000);
  const steady = steadyClock(wall);
  assert.equal(steady.now(), 1_000);
  wall.advance(5_000);
  assert.equal(steady.now(), 6_000);
  for (const backMs of [3_600_000, 1]) {
    const before = steady.now();
    wall.setBack(backMs);
    assert.equal(steady.now(), before);
    wall.advance(70);
    assert.equal(steady.now(), before + 70);
  }
});

test('two over one wall clock agree on how long something took, whoever was asked oftener', () => {
  const wall = createManualClock();
  const [asked, rarely] = [steadyClock(wall), steadyClock(wall)];
  wall.advance(10);
  asked.now();
  wall.setBack(100);
  const [from, since] = [asked.now(), rarely.now()];
  wall.advance(7);
  assert.deepEqual([asked.now() - from, rarely.now() - since], [7, 7]);
});

test('it waits as the wall clock does, and leaves with the reason of the signal', async () => {
  const wall = createManualClock();
  const leaving = new AbortController();
  const left = steadyClock(wall).sleep(50, leaving.signal);
  const slept = steadyClock(wall).sleep(30);
  assert.deepEqual(wall.due(), [30, 50]);
  leaving.abort(new Error('left'));
  await assert.rejects(left, /left/);
  wall.advance(30);
  await slept;
});

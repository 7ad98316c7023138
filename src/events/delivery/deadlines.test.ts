// Deadlines of one length, on a clock that stands still until it is moved.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { Deadlines } from './deadlines.ts';

test('each deadline passes at its own time, once, unless it was called off; one timer runs for all', async () => {
  const clock = createManualClock();
  const deadlines = new Deadlines(100, clock);
  const passed: string[] = [];
  deadlines.begin(() => passed.push('first'));
  clock.advance(40);
  await endOfTurn();
  const callOff = deadlines.begin(() => passed.push('called off'));
  deadlines.begin(() => passed.push('second'));
  callOff();
  assert.equal(clock.due().length, 1);
  clock.advance(59);
  await endOfTurn();
  assert.equal(passed.length, 0);
  clock.advance(1);
  await endOfTurn();
  assert.deepEqual(passed, ['first']);
  clock.advance(40);
  await endOfTurn();
  assert.deepEqual(passed, ['first', 'second']);
  assert.equal(clock.due().length, 0, 'nothing waits when nothing has a deadline');
  deadlines.begin(() => passed.push('third'));
  clock.advance(100);
  await endOfTurn();
  assert.deepEqual(passed, ['first', 'second', 'third']);
});

test('a deadline passes though the clock was set back meanwhile', async () => {
  const clock = createManualClock();
  const deadlines = new Deadlines(100, clock);
  const passed: string[] = [];
  deadlines.begin(() => passed.push('first'));
  clock.advance(40);
  deadlines.begin(() => passed.push('second'));
  clock.setBack(3_600_000);
  for (const due of [100, 40]) {
    clock.advance(clock.due()[0]!);
    await endOfTurn();
    assert.ok((clock.due()[0] ?? 0) <= due, 'no timer waits for the hour');
  }
  clock.advance(100);
  await endOfTurn();
  assert.deepEqual(passed, ['first', 'second']);
});

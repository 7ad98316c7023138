import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import { createSoleLeaderElection } from './leader-election.ts';

const logger = pino({ level: 'silent' });

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

test('the only process of a store leads under every name at once, until it is stopped', async (t) => {
  const { leadership } = await openTestStore(t);
  const stop = new AbortController();
  const working: string[] = [];
  const leads = ['one', 'other'].map((name) =>
    leadership.lead(
      name,
      async (signal) => {
        working.push(name);
        await aborted(signal);
        working.splice(working.indexOf(name), 1);
      },
      stop.signal,
    ),
  );
  await Promise.resolve();
  assert.deepEqual(working, ['one', 'other']);
  stop.abort();
  await Promise.all(leads);
  assert.deepEqual(working, []);
});

test('elected work that throws is restarted after a pause, and work that returns is not', async () => {
  const clock = createManualClock();
  let begun = 0;
  const led = createSoleLeaderElection(clock, logger).lead(
    'name',
    async () => {
      begun += 1;
      if (begun < 3) throw new Error('not yet');
    },
    new AbortController().signal,
  );
  for (const before of [1, 2]) {
    await clock.sleeping();
    assert.equal(begun, before);
    clock.advance(1_000);
  }
  await led;
  assert.equal(begun, 3);
});

test('a stop during the pause prevents the restart', async () => {
  const clock = createManualClock();
  const stop = new AbortController();
  let begun = 0;
  const led = createSoleLeaderElection(clock, logger).lead(
    'name',
    async () => {
      begun += 1;
      throw new Error('broken');
    },
    stop.signal,
  );
  await clock.sleeping();
  stop.abort();
  await led;
  assert.equal(begun, 1);
});

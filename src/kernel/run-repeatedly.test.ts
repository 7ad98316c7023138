// Background work survives failures, pauses between runs, and can be woken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { AppError } from './app-error.ts';
import type { Logger } from './log/logger.ts';
import { runRepeatedly } from './run-repeatedly.ts';

const logged = () => {
  const lines: string[] = [];
  const at = (level: string) => (context: { readonly role: string }) =>
    lines.push(`${level} ${context.role}`);
  const logger = { info: at('info'), warn: at('warn'), error: at('error') } as unknown as Logger;
  return { lines, logger };
};

const world = () => {
  const clock = createManualClock();
  const stop = new AbortController();
  const { lines, logger } = logged();
  return { clock, stop, lines, options: { clock, logger, signal: stop.signal } };
};

/** Resolves once all work that does not wait for a timer has run. */
const idle = () => new Promise((resolve) => setImmediate(resolve));

test('work runs again after its pause, and ends if the signal is aborted during a pause', async () => {
  const { clock, stop, options } = world();
  let runs = 0;
  const run = async () => {
    runs += 1;
  };
  const work = runRepeatedly('count', 20_000, run, options);
  for (const expected of [1, 2, 3]) {
    await idle();
    assert.equal(runs, expected);
    clock.advance(19_999);
    await idle();
    assert.equal(runs, expected);
    clock.advance(1);
  }
  stop.abort();
  await work.ended;
});

test('a pause may depend on how long the run took', async () => {
  const { clock, stop, options } = world();
  const work = runRepeatedly(
    'slow',
    (tookMs) => 10 * tookMs,
    async () => {
      clock.advance(300);
    },
    options,
  );
  await idle();
  assert.deepEqual(clock.due(), [1_000], 'the part of the pause that wake-ups do not shorten');
  clock.advance(1_000);
  await idle();
  assert.deepEqual(clock.due(), [2_000]);
  stop.abort();
  await work.ended;
});

test('an outage is logged once at its beginning and once at its end, and the work continues', async () => {
  const { clock, stop, lines, options } = world();
  const outcomes = [
    new AppError('UPSTREAM_UNAVAILABLE', 'away'),
    new AppError('STORE_UNAVAILABLE', 'away'),
    null,
    new AppError('UPSTREAM_UNAVAILABLE', 'away'),
    new TypeError('a mistake'),
    new TypeError('a mistake'),
  ];
  let runs = 0;
  const run = async () => {
    const error = outcomes[runs];
    runs += 1;
    if (error) throw error;
  };
  const work = runRepeatedly('tested', 10, run, options);
  for (const _ of outcomes) {
    await idle();
    clock.advance(40);
  }
  await idle();
  assert.deepEqual(
    lines,
    ['warn', 'info', 'warn', 'error', 'info'].map((level) => `${level} tested`),
  );
  assert.equal(runs, 7);
  stop.abort();
  await work.ended;
});

test('a wake-up ends the pause after a second, even if it was sent during the run', async () => {
  const { clock, stop, options } = world();
  let runs = 0;
  const work = runRepeatedly(
    'woken',
    60_000,
    async () => {
      runs += 1;
      // The first run begins before `work` is assigned.
      await idle();
      if (runs === 1) work.wake();
    },
    options,
  );
  await idle();
  await idle();
  assert.equal(runs, 1, 'not before a second');
  clock.advance(1_000);
  await idle();
  await idle();
  assert.equal(runs, 2);
  clock.advance(5_000);
  await idle();
  assert.equal(runs, 2);
  work.wake();
  await idle();
  assert.equal(runs, 3);
  stop.abort();
  await work.ended;
});

test('the pause of failing work doubles up to 20 s, regardless of wake-ups, until it succeeds', async () => {
  const { clock, stop, options } = world();
  let [runs, fails] = [0, true];
  const run = async () => {
    runs += 1;
    if (fails) throw new AppError('UPSTREAM_UNAVAILABLE', 'away');
  };
  const work = runRepeatedly('frequent', 1_000, run, options);
  const runsDuring = async (seconds: number): Promise<number> => {
    const before = runs;
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1_000);
      work.wake();
      await idle();
    }
    return runs - before;
  };
  await idle();
  // Failures after 1, 2, 4, 8 and 16 s, then every 20 s.
  assert.equal(await runsDuring(120), 9);
  fails = false;
  assert.equal(await runsDuring(11), 1);
  assert.equal(await runsDuring(10), 10);
  stop.abort();
  await work.ended;
});

// When elected work stops at the end of its term, this is not logged as a failure, and the next term shares no
// state with it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import type { Logger } from './log/logger.ts';
import { runElected } from './run-elected.ts';

test('a failure caused by the end of a term is not logged, and each term begins with fresh state', async () => {
  const clock = createManualClock();
  const logged: string[] = [];
  const log = (_: object, message: string) => logged.push(message);
  const logger = { info: log, warn: log, error: log } as unknown as Logger;
  const idle = () => new Promise((resolve) => setImmediate(resolve));
  const terms = [new AbortController(), new AbortController()];
  const leadership = {
    lead: async (_: string, work: (signal: AbortSignal) => Promise<void>) => {
      for (const term of terms) await work(term.signal);
    },
  };
  const runs: number[] = [];
  const work = runElected(
    'elected',
    1_000,
    (signal) => {
      let count = 0;
      return async () => {
        count += 1;
        runs.push(count);
        if (count < 2) return;
        terms[runs.length === 2 ? 0 : 1]!.abort(new Error('leadership may be lost'));
        signal.throwIfAborted();
      };
    },
    { clock, logger, signal: new AbortController().signal, leadership },
  );
  await idle();
  clock.advance(1_000);
  await idle();
  clock.advance(1_000);
  await work.ended;
  assert.deepEqual(runs, [1, 2, 1, 2]);
  assert.deepEqual(logged, []);
});

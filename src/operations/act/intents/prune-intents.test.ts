import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { actContext, createScriptedSubmitter } from '../../../../test/support/act-context.ts';
import { exampleIntent } from '../../../../test/support/intent-examples.ts';
import { createManualClock } from '../../../../test/support/steerable-clock.ts';
import { openTestStore } from '../../../../test/support/store-fixture.ts';
import type { IntentOperation } from '../../../store/schema.ts';
import { pruneIntentsDaily } from './prune-intents.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

test('intents are removed after 30 days and refused submissions after an hour, but stakes signed here are kept', async (t) => {
  const { intents } = await openTestStore(t);
  const clock = createManualClock();
  const lifetime = new AbortController();
  const record = async (operation: IntentOperation, key: string, ageDays: number, parameters = '{}') => {
    const createdAtMs = clock.now() - ageDays * DAY_MS;
    await intents.recordSigned(exampleIntent(key, { operation, key, createdAtMs, parameters }), null);
    await intents.settle(key, { state: 'confirmed', slot: 1n, error: null, response: '{}' });
  };
  const refuse = async (operation: IntentOperation, key: string, ageMs: number) => {
    const createdAtMs = clock.now() - ageMs;
    await intents.recordSigned(exampleIntent(key, { operation, key, createdAtMs }), null);
    await intents.settle(key, { state: 'refused', slot: null, error: null, response: null });
  };
  await refuse('submit', 'refused an hour ago', DAY_MS / 24 + 1);
  await refuse('submit', 'refused now', DAY_MS / 24);
  await refuse('withdraw', 'refused one-shot', DAY_MS);
  const exists = async (operation: IntentOperation, key: string) =>
    (await intents.find({ operation, wallet: 'wallet', key })) !== null;
  await record('withdraw', 'old', 31);
  await record('withdraw', 'young', 29);
  await record('stake', 'one-shot', 3_650, '{"amountLamports":"2"}');
  await record(
    'submit',
    'stake of a builder',
    3_650,
    '{"stakeAccountAddress":"a","amountLamports":"2","stakeSignedHere":true}',
  );
  await record('submit', 'stake of somebody', 31, '{"messageSha256":"00"}');

  const pruning = pruneIntentsDaily(
    actContext(intents, createScriptedSubmitter(), { clock, service: { lifetime: lifetime.signal } }),
  );
  await clock.sleeping();
  assert.deepEqual(
    await Promise.all([
      exists('withdraw', 'old'),
      exists('withdraw', 'young'),
      exists('stake', 'one-shot'),
      exists('submit', 'stake of a builder'),
      exists('submit', 'refused an hour ago'),
      exists('submit', 'refused now'),
      exists('withdraw', 'refused one-shot'),
      exists('submit', 'stake of somebody'),
    ]),
    [false, true, true, true, false, true, true, false],
  );
  for (let day = 0; day < 2; day += 1) {
    clock.advance(DAY_MS);
    await clock.sleeping();
  }
  assert.equal(await exists('withdraw', 'young'), false, 'two days later the intent is 31 days old');
  lifetime.abort(new Error('the service stopped'));
  await pruning;
});

test('pruning is retried the next day after a store failure, and any other error is logged', async (t) => {
  const { intents } = await openTestStore(t);
  const clock = createManualClock();
  const lifetime = new AbortController();
  const lines: string[] = [];
  let prunings = 0;
  const pruneBefore = async () => {
    prunings += 1;
    if (prunings === 1) throw new Error('a bug');
    return 0;
  };
  const pruning = pruneIntentsDaily(
    actContext({ ...intents, pruneBefore }, createScriptedSubmitter(), {
      clock,
      service: { lifetime: lifetime.signal },
      logger: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
    }),
  );
  await clock.sleeping();
  clock.advance(DAY_MS);
  await clock.sleeping();
  assert.deepEqual([prunings, lines.length], [2, 1]);
  lifetime.abort(new Error('the service stopped'));
  await pruning;
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import {
  actContext,
  createScriptedSubmitter,
  exampleWork,
  type ScriptedEnd,
} from '../../../../test/support/act-context.ts';
import { withParts } from '../../../../test/support/context-parts.ts';
import { exampleIntent } from '../../../../test/support/intent-examples.ts';
import { openTestStore } from '../../../../test/support/store-fixture.ts';
import { performIntentOnce } from './perform-intent-once.ts';
import { resumeUnsettled } from './resume-unsettled-submissions.ts';

const idOf = (key: string) => ({ operation: 'withdraw', wallet: 'wallet', key }) as const;

/** Opens a store that contains an intent in flight for each of `keys`, as left by a previous run. */
const setUp = async (t: TestContext, keys: readonly string[], ...ends: ScriptedEnd[]) => {
  const { intents } = await openTestStore(t);
  for (const key of keys)
    await intents.recordSigned(exampleIntent(`sig ${key}`, { ...idOf(key), createdAtMs: Date.now() }), null);
  const submitter = createScriptedSubmitter(...ends);
  return { intents, submitter, ctx: actContext(intents, submitter) };
};

test('submissions left in flight by the previous run are followed to a proven outcome and recorded', async (t) => {
  const keys = ['1 confirmed', '2 failed', '3 expired'];
  const { intents, submitter, ctx } = await setUp(
    t,
    keys,
    { kind: 'confirmed', slot: 5n },
    { kind: 'failed', slot: 6n, error: 'AccountInUse' },
    { kind: 'expired' },
  );
  await resumeUnsettled(ctx);
  assert.ok(submitter.submitted.every((submission) => submission.maybeSentBefore));
  assert.deepEqual(
    await Promise.all(
      keys.map(async (key) => {
        const { state, slot, error } = (await intents.findSubmission(`sig ${key}`))!;
        return [state, slot, error];
      }),
    ),
    [
      ['confirmed', 5n, null],
      ['failed', 6n, '"AccountInUse"'],
      ['expired', null, null],
    ],
  );
  assert.deepEqual(await intents.unsettled(), []);
});

test('a submission with a durable nonce is followed with its nonce instead of a block height', async (t) => {
  const { intents, submitter, ctx } = await setUp(t, [], { kind: 'expired' });
  const nonce = { account: 'nonce account', value: 'nonce value' };
  const intent = exampleIntent('sig');
  await intents.recordSigned({ ...intent, submission: { ...intent.submission, nonce } }, null);
  await resumeUnsettled(ctx);
  assert.deepEqual(submitter.submitted[0]?.nonce, nonce);
});

test('an intent that stays unresolved is left for the next startup', async (t) => {
  const { intents, ctx } = await setUp(t, ['a'], { kind: 'unresolved' });
  await resumeUnsettled(ctx);
  assert.equal((await intents.findSubmission('sig a'))?.state, 'signed');
});

test('a response that a repeated request recorded in the meantime is kept', async (t) => {
  const end = Promise.withResolvers<{ kind: 'confirmed'; slot: bigint }>();
  const { intents, ctx } = await setUp(t, ['a'], end.promise, { kind: 'confirmed', slot: 5n });
  const settling = resumeUnsettled(ctx);
  const { parameters } = (await intents.find(idOf('a')))!;
  await performIntentOnce(ctx, { ...exampleWork(), id: idOf('a'), parameters });
  end.resolve({ kind: 'confirmed', slot: 5n });
  await settling;
  assert.deepEqual(JSON.parse((await intents.find(idOf('a')))!.response!), { signature: 'sig a', slot: '5' });
});

test('an error while following one submission does not block the others', async (t) => {
  const lines: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  const last = Promise.withResolvers<{ kind: 'expired' }>();
  const bugs = [new Error('a bug'), new Error('another bug')];
  const { intents, ctx } = await setUp(t, ['1', '2', '3'], ...bugs, last.promise);
  let ended = false;
  const settling = resumeUnsettled({ ...ctx, logger }).then(() => {
    ended = true;
  });
  while (lines.length < 2) await new Promise(setImmediate);
  assert.equal(ended, false, 'the third submission is still in flight');
  last.resolve({ kind: 'expired' });
  await settling;
  assert.equal((await intents.findSubmission('sig 3'))?.state, 'expired');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).err.message),
    ['a bug', 'another bug'],
  );
});

test('resuming never rejects: a shutdown is not logged, any other error is', async (t) => {
  const lines: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  const stopped = await setUp(t, ['a'], new Promise(() => {}));
  const lifetime = new AbortController();
  const settling = resumeUnsettled(
    withParts(stopped.ctx, { logger, service: { lifetime: lifetime.signal } }),
  );
  lifetime.abort(new Error('the service stopped'));
  await settling;
  assert.deepEqual(lines, []);
  assert.equal((await stopped.intents.findSubmission('sig a'))?.state, 'signed');

  const buggy = await setUp(t, ['a'], new Error('a bug'));
  await resumeUnsettled({ ...buggy.ctx, logger });
  assert.equal(lines.length, 1);
});

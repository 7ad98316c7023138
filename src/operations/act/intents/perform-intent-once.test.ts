import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import {
  actContext,
  createScriptedSubmitter,
  exampleWork,
  type ScriptedEnd,
  submissionNamed,
} from '../../../../test/support/act-context.ts';
import { type ContextParts, withParts } from '../../../../test/support/context-parts.ts';
import { guidanceText } from '../../../../test/support/guidance-text.ts';
import { exampleIntent } from '../../../../test/support/intent-examples.ts';
import { createManualClock } from '../../../../test/support/steerable-clock.ts';
import { openTestStore } from '../../../../test/support/store-fixture.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import type { SubmissionOutcome } from '../../../chain/ports.ts';
import { buildTransaction, encodeWire } from '../../../chain/transactions/transaction.ts';
import { AppError } from '../../../kernel/app-error.ts';
import { encodeBase58 } from '../../../kernel/base58.ts';
import type { IntentRecord } from '../../../store/intent-log.ts';
import { performIntentOnce } from './perform-intent-once.ts';

const CONFIRMED: SubmissionOutcome = { kind: 'confirmed', slot: 42n };
const EXPIRED: SubmissionOutcome = { kind: 'expired' };
const CHAIN_ERROR = { InstructionError: [2, { Custom: 12 }] };
const FAILED: SubmissionOutcome = { kind: 'failed', slot: 7n, error: CHAIN_ERROR };
const REFUSED: SubmissionOutcome = { kind: 'refused', error: CHAIN_ERROR, logs: [] };

const setUp = async (t: TestContext, ...ends: ScriptedEnd[]) => {
  const { intents } = await openTestStore(t);
  const submitter = createScriptedSubmitter(...ends);
  return { intents, submitter, ctx: actContext(intents, submitter), work: exampleWork() };
};

const errorOf = (promise: Promise<unknown>): Promise<AppError> =>
  promise.then(
    () => assert.fail('the intent should have been refused'),
    (error: unknown) => error as AppError,
  );

test('repeating a confirmed intent with the same key returns the same response without signing or sending anything', async (t) => {
  const { ctx, work, submitter } = await setUp(t, CONFIRMED);
  const response = { signature: 'sig-1', slot: '42' };
  assert.deepEqual(await performIntentOnce(ctx, work), response);
  assert.deepEqual(await performIntentOnce(ctx, work), response);
  assert.equal(work.signings(), 1);
  assert.equal(submitter.submitted.length, 1);
});

test('the signed bytes are on disk before the submitter gets them', async (t) => {
  const { intents, submitter, ctx, work } = await setUp(t, CONFIRMED);
  let recorded: unknown;
  const submit: typeof submitter.submit = async (submission, signal) => {
    recorded = await intents.find(work.id);
    return submitter.submit(submission, signal);
  };
  await performIntentOnce(withParts(ctx, { chain: { submitter: { ...submitter, submit } } }), work);
  const { submission, parameters } = recorded as IntentRecord;
  assert.deepEqual(
    { ...submission, parameters },
    {
      ...submissionNamed('sig-1'),
      nonce: null,
      state: 'signed',
      slot: null,
      error: null,
      parameters: work.parameters,
    },
  );
});

test('an intent that cannot be recorded is never sent', async (t) => {
  const { intents, submitter, ctx, work } = await setUp(t, CONFIRMED);
  const full = new AppError('STORE_UNAVAILABLE', 'disk full');
  const broken = {
    ...intents,
    recordSigned: () => Promise.reject(full),
  };
  assert.equal(await errorOf(performIntentOnce(withParts(ctx, { store: { intents: broken } }), work)), full);
  assert.equal(submitter.submitted.length, 0);
});

test('returns the response of a confirmed intent even if the store cannot settle it; the next request resubmits the recorded transaction', async (t) => {
  const { intents, submitter, ctx, work } = await setUp(t, CONFIRMED, CONFIRMED);
  const broken = {
    ...intents,
    settle: () => Promise.reject(new AppError('STORE_UNAVAILABLE', 'disk full')),
  };
  assert.deepEqual(await performIntentOnce(withParts(ctx, { store: { intents: broken } }), work), {
    signature: 'sig-1',
    slot: '42',
  });
  assert.deepEqual(await performIntentOnce(ctx, work), { signature: 'sig-1', slot: '42' });
  assert.deepEqual(
    submitter.submitted.map(({ signature, maybeSentBefore }) => [signature, maybeSentBefore ?? false]),
    [
      ['sig-1', false],
      ['sig-1', true],
    ],
  );
});

test('the response does not claim that nothing was sent if the store fails while a transaction is in flight', async (t) => {
  const { intents, close } = await openTestStore(t);
  const submitter = createScriptedSubmitter();
  const submit: typeof submitter.submit = async () => {
    await close();
    return FAILED;
  };
  const error = await errorOf(
    performIntentOnce(actContext(intents, { ...submitter, submit }), exampleWork()),
  );
  assert.equal(error.code, 'STORE_UNAVAILABLE');
  assert.doesNotMatch(error.message, /nothing was sent/);
  assert.match(guidanceText(error.suggestedAction), /same idempotency key/);
});

test('a refusal before broadcast is explained and frees the key for any new request', async (t) => {
  const { intents, ctx, work } = await setUp(t, REFUSED, CONFIRMED);
  const error = await errorOf(performIntentOnce(ctx, work));
  assert.deepEqual((error as unknown as { chainError: unknown }).chainError, CHAIN_ERROR);
  assert.equal((await intents.find(work.id))?.submission.state, 'refused');
  assert.equal((await intents.find(work.id))?.submission.error, JSON.stringify(CHAIN_ERROR));
  const other = { ...work, parameters: '{"amountLamports":"3"}' };
  assert.equal((await performIntentOnce(ctx, other)).signature, 'sig-2');
});

test('a transaction that landed but failed is explained, and the next request signs it again', async (t) => {
  const { intents, ctx, work } = await setUp(t, FAILED, CONFIRMED);
  let landed: boolean | undefined;
  const refusal = (error: unknown, didLand: boolean): AppError => {
    landed = didLand;
    return work.refusal(error, didLand);
  };
  await errorOf(performIntentOnce(ctx, { ...work, refusal }));
  assert.equal(landed, true);
  assert.deepEqual(
    [(await intents.find(work.id))?.submission.state, (await intents.find(work.id))?.submission.slot],
    ['failed', 7n],
  );
  assert.equal((await performIntentOnce(ctx, work)).signature, 'sig-2');
});

test('a proven expiry is reported, and the next request with the same key signs again', async (t) => {
  const { intents, ctx, work } = await setUp(t, EXPIRED, CONFIRMED);
  const error = await errorOf(performIntentOnce(ctx, work));
  assert.equal(error.code, 'BLOCKHASH_EXPIRED');
  assert.equal((await intents.find(work.id))?.submission.state, 'expired');
  assert.equal((await performIntentOnce(ctx, work)).signature, 'sig-2');
});

test('the error for an unresolved outcome names the transaction, and a request with the same key follows it', async (t) => {
  const { intents, submitter, ctx, work } = await setUp(t, { kind: 'unresolved' }, CONFIRMED);
  const error = await errorOf(performIntentOnce(ctx, work));
  assert.equal(error.code, 'SUBMISSION_UNRESOLVED');
  assert.deepEqual(error.body, { signature: 'sig-1', lastValidBlockHeight: 1_000 });
  assert.ok(error.retryAfterSeconds);
  assert.equal((await intents.find(work.id))?.submission.state, 'signed');
  assert.equal((await performIntentOnce(ctx, work)).signature, 'sig-1');
  assert.equal(work.signings(), 1);
  assert.deepEqual(submitter.submitted[1], {
    ...submissionNamed('sig-1'),
    maybeSentBefore: true,
  });
});

test('a request whose earlier submission has expired signs the intent again, and knows the expired one', async (t) => {
  const { submitter, ctx, work: example } = await setUp(t, { kind: 'unresolved' }, EXPIRED, CONFIRMED);
  const known: (string | undefined)[] = [];
  const work = {
    ...example,
    sign: (expired?: { readonly signature: string }) => {
      known.push(expired?.signature);
      return example.sign();
    },
  };
  await errorOf(performIntentOnce(ctx, work));
  assert.equal((await performIntentOnce(ctx, work)).signature, 'sig-2');
  assert.deepEqual(known, [undefined, 'sig-1']);
  assert.deepEqual(
    submitter.submitted.map(({ signature }) => signature),
    ['sig-1', 'sig-1', 'sig-2'],
  );
});

test('a submission that was certainly never sent is not sent at the next startup either', async (t) => {
  const { intents, ctx, work } = await setUp(t, new AppError('UPSTREAM_UNAVAILABLE', 'no RPC'), CONFIRMED);
  const error = await errorOf(performIntentOnce(ctx, work));
  assert.equal(error.code, 'UPSTREAM_UNAVAILABLE');
  assert.deepEqual(await intents.unsettled(), []);
  assert.equal((await performIntentOnce(ctx, work)).signature, 'sig-2', 'the key is free again');
});

test('a shutdown leaves an intent in flight unresolved with its signature, and does not mark it as failed', async (t) => {
  const { intents, submitter, work } = await setUp(t, new Promise(() => {}));
  const lifetime = new AbortController();
  const ctx = actContext(intents, submitter, { service: { lifetime: lifetime.signal } });
  const response = errorOf(performIntentOnce(ctx, work));
  await submitted(submitter);
  lifetime.abort(new Error('the service stopped'));
  const error = await response;
  assert.equal(error.code, 'SUBMISSION_UNRESOLVED');
  assert.equal(error.body.signature, 'sig-1');
  assert.equal((await intents.find(work.id))?.submission.state, 'signed');
});

const submitted = async (submitter: { readonly submitted: readonly unknown[] }): Promise<void> => {
  while (submitter.submitted.length === 0) await new Promise(setImmediate);
};

test('a concurrent request with the same key joins the running one and gets the same response', async (t) => {
  const end = Promise.withResolvers<SubmissionOutcome>();
  const { submitter, ctx, work } = await setUp(t, end.promise);
  const responses = Array.from({ length: 20 }, () => performIntentOnce(ctx, work));
  await submitted(submitter);
  responses.push(performIntentOnce(ctx, work));
  end.resolve(CONFIRMED);
  assert.equal(new Set((await Promise.all(responses)).map(({ signature }) => signature)).size, 1);
  assert.equal(work.signings(), 1);
  assert.equal(ctx.store.flights.size, 0);
});

test('a different request with the same key is refused while the first one runs and after its response', async (t) => {
  const end = Promise.withResolvers<SubmissionOutcome>();
  const { submitter, ctx, work } = await setUp(t, end.promise);
  const first = performIntentOnce(ctx, work);
  await submitted(submitter);
  const other = { ...work, parameters: '{"amountLamports":"3"}' };
  assert.equal((await errorOf(performIntentOnce(ctx, other))).code, 'IDEMPOTENCY_KEY_REUSED');
  end.resolve(CONFIRMED);
  await first;
  assert.equal((await errorOf(performIntentOnce(ctx, other))).code, 'IDEMPOTENCY_KEY_REUSED');
  assert.equal(submitter.submitted.length, 1);
});

for (const [name, end] of [
  ['expired', EXPIRED],
  ['failed', FAILED],
  ['unresolved', { kind: 'unresolved' } as const],
] as const) {
  test(`a different request with the key of a submission that ${name} is refused`, async (t) => {
    const { ctx, work } = await setUp(t, end);
    await errorOf(performIntentOnce(ctx, work));
    const other = { ...work, parameters: '{"amountLamports":"3"}' };
    assert.equal((await errorOf(performIntentOnce(ctx, other))).code, 'IDEMPOTENCY_KEY_REUSED');
  });
}

test('intents are kept apart even if the concatenation of key, wallet and operation is equal', async (t) => {
  const { submitter, ctx, work } = await setUp(t, CONFIRMED, CONFIRMED, CONFIRMED);
  const ids = [
    { operation: 'stake', wallet: 'a', key: 'b,"c' },
    { operation: 'stake', wallet: 'a,"b', key: 'c' },
    { operation: 'withdraw', wallet: 'a', key: 'b,"c' },
  ] as const;
  await Promise.all(
    ids.map((id, index) =>
      performIntentOnce(ctx, {
        ...work,
        id,
        sign: async () => ({ submission: submissionNamed(`for ${index}`) }),
      }),
    ),
  );
  assert.equal(submitter.submitted.length, 3);
});

test('after a retryable refusal, the intent is signed again with freshly read data, but only once', async (t) => {
  const changed = new AppError('STAKE_BALANCE_CHANGED', 'moved');
  const again = {
    refusal: () => changed,
    signAgain: (refusal: AppError) => refusal.code === 'STAKE_BALANCE_CHANGED',
  };
  const once = await setUp(t, REFUSED, CONFIRMED);
  assert.equal((await performIntentOnce(once.ctx, { ...once.work, ...again })).signature, 'sig-2');
  assert.equal((await once.intents.findSubmission('sig-1'))?.state, 'refused');

  const twice = await setUp(t, REFUSED, REFUSED);
  assert.equal(await errorOf(performIntentOnce(twice.ctx, { ...twice.work, ...again })), changed);
  assert.equal(twice.work.signings(), 2);

  const other = await setUp(t, REFUSED);
  await errorOf(performIntentOnce(other.ctx, { ...other.work, signAgain: () => false }));
  assert.equal(other.work.signings(), 1);
});

test('a failure that landed is never signed again automatically, because its fee was paid', async (t) => {
  const { ctx, work } = await setUp(t, FAILED);
  await errorOf(performIntentOnce(ctx, { ...work, signAgain: () => true }));
  assert.equal(work.signings(), 1);
});

test('a request whose effect is already on chain gets a response, and nothing is recorded or sent', async (t) => {
  const { intents, submitter, ctx, work } = await setUp(t);
  const alreadyLanded = { signature: 'long ago', slot: 3n, wireBytes: new Uint8Array() };
  const response = await performIntentOnce(ctx, { ...work, sign: async () => ({ alreadyLanded }) });
  assert.deepEqual(response, { signature: 'long ago', slot: '3' });
  assert.equal(await intents.find(work.id), null);
  assert.equal(submitter.submitted.length, 0);
});

test('a refusal during the checks leaves no record, so the key stays free', async (t) => {
  const { intents, ctx, work } = await setUp(t, CONFIRMED);
  const poor = new AppError('INSUFFICIENT_BALANCE', 'too poor');
  assert.equal(await errorOf(performIntentOnce(ctx, { ...work, sign: () => Promise.reject(poor) })), poor);
  assert.equal(await intents.find(work.id), null);
  assert.equal((await performIntentOnce(ctx, { ...work, parameters: 'other' })).signature, 'sig-1');
});

test('a stored response is returned exactly as written, including numbers that no double can represent', async (t) => {
  const { ctx, work } = await setUp(t, CONFIRMED);
  const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (text: string) => number };
  const amounts = ['8999999.123456789', '9000000.000000001', '0.000000001', '18446744073709551615'];
  const big = {
    ...work,
    respond: () => ({ signature: 'sig-1', slot: null, amounts: amounts.map((text) => rawJson(text)) }),
  };
  const first = JSON.stringify(await performIntentOnce(ctx, big));
  assert.ok(first.includes(amounts.join(',')));
  assert.equal(JSON.stringify(await performIntentOnce(ctx, big)), first);
});

test('after a restart, a request with the same key follows the recorded transaction to its outcome', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const { intents: lastRun } = await openTestStore(t, path);
  const work = exampleWork();
  await lastRun.recordSigned(
    { ...exampleIntent('from last run'), ...work.id, parameters: work.parameters },
    null,
  );
  // The last run was killed, so its store was not closed properly.
  const { intents } = await openTestStore(t, path);
  const submitter = createScriptedSubmitter(CONFIRMED);
  const response = await performIntentOnce(actContext(intents, submitter), work);
  assert.deepEqual(response, { signature: 'from last run', slot: '42' });
  assert.equal(submitter.submitted[0]?.maybeSentBefore, true);
  assert.equal(work.signings(), 0);
});

test('the response to an outcome recorded by the previous run is built from the record', async (t) => {
  const { intents, submitter, ctx, work } = await setUp(t);
  await intents.recordSigned({ ...exampleIntent('sig'), ...work.id, parameters: work.parameters }, null);
  await intents.settle('sig', { state: 'confirmed', slot: 9n, error: null, response: null });
  assert.deepEqual(await performIntentOnce(ctx, work), { signature: 'sig', slot: '9' });
  assert.equal(submitter.submitted.length, 0);
  assert.ok((await intents.find(work.id))?.response, 'the response is stored for the next request');
});

test('if another process with the same store recorded the intent first, nothing is sent and the submission of that process is followed', async (t) => {
  const { intents, submitter, ctx, work } = await setUp(t, CONFIRMED);
  const sign = async () => {
    await intents.recordSigned({ ...exampleIntent('theirs'), ...work.id, parameters: work.parameters }, null);
    return { submission: submissionNamed('ours') };
  };
  assert.equal((await performIntentOnce(ctx, { ...work, sign })).signature, 'theirs');
  assert.deepEqual(
    submitter.submitted.map(({ signature }) => signature),
    ['theirs'],
  );
  assert.equal(await intents.findSubmission('ours'), null);
});

test('the submission of another process that already created the stake is followed instead of refusing the request', async (t) => {
  const { intents, submitter, ctx, work } = await setUp(t, CONFIRMED);
  const sign = async () => {
    await intents.recordSigned({ ...exampleIntent('theirs'), ...work.id, parameters: work.parameters }, null);
    throw new AppError('STAKE_ADDRESS_OCCUPIED', 'It exists.');
  };
  assert.equal((await performIntentOnce(ctx, { ...work, sign })).signature, 'theirs');
  assert.deepEqual(
    submitter.submitted.map(({ signature }) => signature),
    ['theirs'],
  );
});

test('the key is refused if another process recorded a different request first', async (t) => {
  const { intents, submitter, ctx, work } = await setUp(t);
  const sign = async () => {
    await intents.recordSigned({ ...exampleIntent('theirs'), ...work.id, parameters: '{}' }, null);
    return { submission: submissionNamed('ours') };
  };
  assert.equal((await errorOf(performIntentOnce(ctx, { ...work, sign }))).code, 'IDEMPOTENCY_KEY_REUSED');
  assert.equal(submitter.submitted.length, 0);
});

test('two intents never share the same bytes: a conflicting blockhash is remembered and the intent is signed again at once', async (t) => {
  const { intents, submitter, work } = await setUp(t, CONFIRMED, CONFIRMED);
  const used = new Set<string>();
  const cluster = { noteBlockhash: (blockhash: string) => used.add(blockhash) } as never;
  // This process learns the blockhash of the other process's submission only when the bytes collide.
  const sign = async () => {
    const name = used.has('blockhash of same') ? 'next' : 'same';
    return { submission: { ...submissionNamed(name), blockhash: `blockhash of ${name}` as never } };
  };
  await performIntentOnce(
    actContext(intents, submitter, { chain: { cluster }, clock: createManualClock() }),
    {
      ...work,
      sign,
    },
  );
  used.clear();
  const ctx = actContext(intents, submitter, { chain: { cluster }, clock: createManualClock() });
  assert.equal(
    (await performIntentOnce(ctx, { ...work, sign, id: { ...work.id, key: 'other' } })).signature,
    'next',
  );
  assert.deepEqual(
    submitter.submitted.map(({ signature }) => signature),
    ['same', 'next'],
  );
});

test('the second intent is not sent if no other blockhash is available, and the response explains why', async (t) => {
  const { intents, submitter, work } = await setUp(t, CONFIRMED);
  const ctx = actContext(intents, submitter, { clock: createManualClock() });
  const sign = async () => ({ submission: submissionNamed('same') });
  await performIntentOnce(ctx, { ...work, sign });
  const other = { ...work, sign, id: { ...work.id, key: 'other' } };
  assert.equal((await errorOf(performIntentOnce(ctx, other))).code, 'UPSTREAM_UNAVAILABLE');
  assert.equal(await intents.find(other.id), null);
  assert.equal(submitter.submitted.length, 1);
});

test('the stored response of a different operation is not returned; the response is rebuilt from the landed transaction', async (t) => {
  const { intents, ctx, work } = await setUp(t);
  await intents.recordSigned({ ...exampleIntent('sig'), ...work.id, parameters: work.parameters }, null);
  const response = '{"signature":"sig","message":"of another operation"}';
  await intents.settle('sig', { state: 'confirmed', slot: 9n, error: null, response });
  assert.deepEqual(await performIntentOnce(ctx, work), { signature: 'sig', slot: '9' });
});

test('a landed transaction is recorded before its intent is settled, so a process killed in between leaves it unsettled', async (t) => {
  const { intents, submitter, work } = await setUp(t, CONFIRMED);
  const addressOf = (tag: number) => encodeBase58(new Uint8Array(32).fill(tag)) as Address;
  const memo = 'holdfast.example';
  const built = buildTransaction.donate({
    wallet: addressOf(1),
    donationAddress: addressOf(2),
    lamports: 5n,
    memo,
    blockhash: addressOf(3),
  });
  const wireBytes = encodeWire(built, new Map([[addressOf(1), new Uint8Array(64).fill(7)]]));
  const stateWhenRecorded: unknown[] = [];
  const ctx = actContext(intents, submitter, {
    service: { settings: { voteAccount: addressOf(4), donationAddress: addressOf(2), memo } },
    chain: {
      cluster: {
        recentEpochPosition: async () => ({
          epoch: 1n,
          absoluteSlot: 40n,
          slotIndex: 0n,
          slotsInEpoch: 100n,
        }),
      },
    },
    store: {
      transactions: {
        record: async () => {
          stateWhenRecorded.push((await intents.find(work.id))?.submission.state);
          return 1;
        },
      },
    },
  } as unknown as ContextParts);
  const submission = { ...submissionNamed('sig'), wireBytes };
  await performIntentOnce(ctx, { ...work, sign: async () => ({ submission }) });
  assert.deepEqual(stateWhenRecorded, ['signed']);
  assert.equal((await intents.find(work.id))?.submission.state, 'confirmed');
});

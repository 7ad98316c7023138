// Performs one intent exactly once: recorded on disk before the first broadcast, joined while in progress, answered from the record afterwards.

import type { z } from 'zod';
import type { Submission } from '../../chain/ports.ts';
import type { CallSource } from '../../domain/call-source.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import type { IntentId, IntentRecord } from '../../store/intent-log.ts';
import { idempotencyKeyReused } from '../../store/intents-in-flight.ts';
import type { SubmissionState } from '../../store/schema.ts';
import type { Context } from '../context.ts';
import type { RecognisedWire } from './recognise-transaction.ts';
import { readLanded, recordLanded, touchIndex } from './record-landed.ts';
import { blockhashExpired, resumed, sendRecordedSubmission } from './send-recorded-submission.ts';
import { parseStoredAnswer } from './stored-answer.ts';

/** How to sign, answer and explain one kind of intent. */
export interface IntentWork<Body extends object> {
  readonly id: IntentId;
  /** Canonical JSON of the request's parameters. */
  readonly parameters: string;
  readonly source: CallSource;
  /**
   * Runs every check that is possible in advance, then signs. Throws `AppError` if the chain would refuse. Returns an answer instead of a
   * submission if the chain already contains this intent's effect.
   */
  readonly sign: () => Promise<{ readonly submission: Submission } | { readonly alreadyLanded: Landed }>;
  /** The answer once confirmed. Stored with the intent, so it must not contain anything specific to this request. */
  readonly answer: (landed: Landed) => Body | Promise<Body>;
  /** The transaction if it was decoded before, so that it is not decoded again once it landed. */
  readonly recognised?: RecognisedWire;
  /** Schema of stored answers. An answer that does not match is rebuilt from the bytes that landed. */
  readonly answerSchema: z.ZodObject;
  /** Explains a refusal by the chain. */
  readonly refusal: (error: unknown, landed: boolean) => AppError;
  /** True if a refusal (nothing was broadcast) justifies signing once more with fresh reads. */
  readonly signAgain?: (refusal: AppError) => boolean;
  /** Outcomes of the earlier submission after which the key may be used with other parameters. Default: only `refused`. */
  readonly freeAfter?: readonly SubmissionState[];
  /** The answer if another intent has the same bytes. Default: sign other bytes, with the next blockhash. */
  readonly answerKnownBytes?: () => Promise<Body>;
}

/** A transaction that is confirmed on chain without error. */
interface Landed {
  readonly signature: string;
  readonly slot: bigint | null;
  /** The signed bytes, so that the answer describes what was executed. */
  readonly wireBytes: Uint8Array;
}

/** How often one intent may be signed again because another intent of the wallet has the same bytes; each time with another blockhash. */
const MOST_SAME_BYTES = 20;

/** Runs `work`, joins the run in progress, or answers from the record under the same key. */
export const performIntent = <Body extends object>(ctx: Context, work: IntentWork<Body>): Promise<Body> =>
  ctx.store.flights.run([work.id.operation, work.id.wallet, work.id.key], work.parameters, async () => {
    const { freeAfter = ['refused'] } = work;
    for (let taken = 1; ; ) {
      const known = await ctx.store.intents.find(work.id);
      if (known && known.parameters !== work.parameters && !freeAfter.includes(known.submission.state))
        throw idempotencyKeyReused();
      const earlier = known && (await settleKnown(ctx, work, known));
      if (earlier) return earlier;
      const done = await signAndSubmit(ctx, work, known?.submission.signature ?? null);
      if ('body' in done) return done.body;
      const stands = (await ctx.store.intents.find(work.id))?.submission.signature ?? null;
      // Another process recorded this intent meanwhile. Nothing was sent here; its submission is followed instead.
      if (stands !== done.replaced) continue;
      if (work.answerKnownBytes) return work.answerKnownBytes();
      if (taken === MOST_SAME_BYTES) throw noOtherBlockhash();
      taken += 1;
    }
  });

const noOtherBlockhash = (): AppError =>
  new AppError(
    'UPSTREAM_UNAVAILABLE',
    'Another request of this wallet was signed as exactly the same transaction, and the RPC has no newer blockhash yet to distinguish them. Nothing was sent for this one.',
    { suggestedAction: 'Try again in a few seconds.', retryAfterSeconds: 5 },
  );

/** The answer of an intent that already landed; null if it provably never will, so that it may be signed again. */
const settleKnown = async <Body extends object>(
  ctx: Context,
  work: IntentWork<Body>,
  known: IntentRecord,
): Promise<Body | null> => {
  const stored = known.answer === null ? null : storedAnswer(work, known.answer);
  if (stored !== null) return stored;
  const { submission } = known;
  if (submission.state === 'confirmed') return conclude(ctx, work, { ...submission });
  if (submission.state !== 'signed') return null;
  const outcome = await sendRecordedSubmission(ctx, { ...resumed(known), maybeSentBefore: true });
  return outcome.kind === 'confirmed' ? conclude(ctx, work, { ...submission, slot: outcome.slot }) : null;
};

/** Null if it is not an answer of this operation. */
const storedAnswer = <Body extends object>({ answerSchema }: IntentWork<Body>, text: string): Body | null =>
  answerSchema.safeParse(JSON.parse(text)).success ? (parseStoredAnswer(text) as Body) : null;

const signAndSubmit = async <Body extends object>(
  ctx: Context,
  work: IntentWork<Body>,
  replaces: string | null,
): Promise<{ readonly body: Body } | { readonly replaced: string | null }> => {
  let replaced = replaces;
  for (let attempt = 0; ; attempt += 1) {
    const signed = await work.sign().catch(async (error: unknown) => {
      // Another process may have recorded this intent meanwhile, so that its stake account already exists.
      const known = await ctx.store.intents.find(work.id);
      if ((known?.submission.signature ?? null) === replaced) throw error;
      return null;
    });
    if (signed === null) return { replaced };
    if ('alreadyLanded' in signed) return { body: await work.answer(signed.alreadyLanded) };
    const submission = await withHistory(ctx, signed.submission);
    const recorded = await ctx.store.intents.recordSigned(
      {
        ...work.id,
        parameters: work.parameters,
        source: work.source,
        createdAtMs: ctx.clock.now(),
        submission: { ...submission, nonce: submission.nonce ?? null },
      },
      replaced,
    );
    // Also if it was not recorded: the bytes belong to another intent, and the next signing needs another blockhash.
    noteBlockhash(ctx, work, submission);
    if (!recorded) return { replaced };
    const outcome = await sendRecordedSubmission(ctx, submission);
    if (outcome.kind === 'confirmed')
      return { body: await conclude(ctx, work, { ...submission, slot: outcome.slot }) };
    if (outcome.kind === 'expired') throw blockhashExpired(submission);
    const refusal = work.refusal(outcome.error, outcome.kind === 'failed');
    if (outcome.kind === 'failed' || attempt > 0 || !work.signAgain?.(refusal)) throw refusal;
    replaced = submission.signature;
  }
};

/** Makes the wallet's next request produce different bytes. */
export const noteBlockhash = (
  { chain: { cluster } }: Context,
  { id }: Pick<IntentWork<object>, 'id'>,
  { blockhash }: Pick<Submission, 'blockhash'>,
): void => {
  if (blockhash !== undefined) cluster.noteBlockhash(blockhash, id.wallet);
};

/** Bytes recorded as in progress or landed are never treated as unsent. */
const withHistory = async (ctx: Context, submission: Submission): Promise<Submission> => {
  const known = await ctx.store.intents.findSubmission(submission.signature);
  const isUnsent = known === null || known.state === 'refused' || known.state === 'expired';
  return isUnsent ? submission : { ...submission, maybeSentBefore: true };
};

/** Answers for landed bytes and stores the answer. `stored` is null if the answer belongs to no intent. */
export const noteAndAnswer = async <Body extends object>(
  ctx: Context,
  work: Pick<IntentWork<Body>, 'answer' | 'source' | 'recognised'>,
  landed: Landed,
  stored: (body: Body) => string | null,
): Promise<Body> => {
  const { signature, slot } = landed;
  const read = readLanded(ctx, landed, work.recognised);
  touchIndex(ctx, read);
  const failed = (error: unknown): void =>
    // The transaction landed even if the store cannot record it. A record still marked in progress is proven again at the next request.
    ctx.logger.error({ err: error, signature }, 'a confirmed intent could not be recorded');
  // Recorded before the answer, which must agree with the record, and before the intent is settled: if the process is killed in between, the
  // next start finds the intent unsettled and records it then.
  const isRecorded = await recordLanded(ctx, read, work.source).then(
    () => true,
    (error: unknown) => {
      if (!isAppError(error, 'UPSTREAM_UNAVAILABLE')) return failed(error);
      ctx.logger.warn({ err: error, signature }, 'a landed transaction was not recorded');
      return true;
    },
  );
  const body = await work.answer(landed);
  if (isRecorded)
    await ctx.store.intents
      .settle(signature, { state: 'confirmed', slot, error: null, answer: stored(body) })
      .catch(failed);
  return body;
};

const conclude = async <Body extends object>(
  ctx: Context,
  work: IntentWork<Body>,
  landed: Landed,
): Promise<Body> => {
  const body = await noteAndAnswer(ctx, work, landed, (answer) => JSON.stringify(answer));
  ctx.logger.info(
    { operation: work.id.operation, wallet: work.id.wallet, signature: landed.signature },
    'intent confirmed',
  );
  return body;
};

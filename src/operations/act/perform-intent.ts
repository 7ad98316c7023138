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

/** How one kind of intent is signed, answered and explained. */
export interface IntentWork<Body extends object> {
  readonly id: IntentId;
  /** Canonical JSON of the request's parameters. */
  readonly parameters: string;
  readonly source: CallSource;
  /**
   * Checks everything that can be known, then signs. Throws `AppError` when the chain would refuse. An answer instead of a
   * submission means that the chain already holds this intent's effect.
   */
  readonly sign: () => Promise<{ readonly submission: Submission } | { readonly alreadyLanded: Landed }>;
  /** The answer once confirmed. Stored with the intent, so it holds nothing of this request alone. */
  readonly answer: (landed: Landed) => Body | Promise<Body>;
  /** The transaction, where it was decoded before: it is not decoded again once it landed. */
  readonly recognised?: RecognisedWire;
  /** What a stored answer must be; one that is not is made anew from the bytes that landed. */
  readonly answerSchema: z.ZodObject;
  /** What a refusal by the chain means. */
  readonly refusal: (error: unknown, landed: boolean) => AppError;
  /** True when a refusal (nothing was broadcast) deserves one more signing with fresh reads. */
  readonly signAgain?: (refusal: AppError) => boolean;
  /** After which ends of the earlier submission the key may be used with other parameters. Default: `refused` alone. */
  readonly freeAfter?: readonly SubmissionState[];
  /** The answer where another intent has these very bytes. Default: other bytes are signed, with the next blockhash. */
  readonly answerKnownBytes?: () => Promise<Body>;
}

/** A transaction that is confirmed on chain without error. */
interface Landed {
  readonly signature: string;
  readonly slot: bigint | null;
  /** The signed bytes, so that an answer says what was really carried out. */
  readonly wireBytes: Uint8Array;
}

/** Signings of one intent whose bytes another intent of the wallet has; each is under another blockhash. */
const MOST_SAME_BYTES = 20;

/** Runs `work`, or joins or answers from what was already done under the same key. */
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
      // Another process recorded this intent meanwhile: nothing was sent here, and its submission is followed instead.
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

/** The answer of an intent that already landed; null when it is proven that it never will, so that it may be signed anew. */
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

/** Null where it is not an answer of this operation, whoever wrote it. */
const storedAnswer = <Body extends object>({ answerSchema }: IntentWork<Body>, text: string): Body | null =>
  answerSchema.safeParse(JSON.parse(text)).success ? (parseStoredAnswer(text) as Body) : null;

const signAndSubmit = async <Body extends object>(
  ctx: Context,
  work: IntentWork<Body>,
  replaces: string | null,
): Promise<{ readonly body: Body } | { readonly replaced: string | null }> => {
  let replaced = replaces;
  for (let attempt = 0; ; attempt += 1) {
    const signed = await work.sign();
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
    // Also where it was not recorded: the bytes are another intent's, and the next signing needs another blockhash.
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

/** What this wallet asks for next gets other bytes. */
export const noteBlockhash = (
  { chain: { cluster } }: Context,
  { id }: Pick<IntentWork<object>, 'id'>,
  { blockhash }: Pick<Submission, 'blockhash'>,
): void => {
  if (blockhash !== undefined) cluster.noteBlockhash(blockhash, id.wallet);
};

/** Bytes that are recorded as under way or landed are never taken for unsent. */
const withHistory = async (ctx: Context, submission: Submission): Promise<Submission> => {
  const known = await ctx.store.intents.findSubmission(submission.signature);
  const isUnsent = known === null || known.state === 'refused' || known.state === 'expired';
  return isUnsent ? submission : { ...submission, maybeSentBefore: true };
};

/** Answers what landed, and keeps it: `stored` null where the answer belongs to no intent. */
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
    // It landed, whatever the store can note of it: what stands there as under way is proven anew when it is asked for.
    ctx.logger.error({ err: error, signature }, 'a confirmed intent could not be recorded');
  // Before the answer, which says what the record says, and before the intent is settled: a process killed in between finds it unsettled at
  // the next start, and records it then.
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

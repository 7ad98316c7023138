// Performs an intent exactly once: records it on disk before the first broadcast, joins it while it is running,
// and builds later responses from the record.

import type { z } from 'zod';
import type { Submission } from '../../../chain/ports.ts';
import type { CallSource } from '../../../domain/call-source.ts';
import { AppError, isAppError } from '../../../kernel/app-error.ts';
import type { IntentId, IntentRecord } from '../../../store/intent-log.ts';
import type { SubmissionState } from '../../../store/schema.ts';
import type { Context } from '../../context.ts';
import { paysHigherPrice } from '../choose-priority-fee.ts';
import { idempotencyKeyReused } from './intents-in-flight.ts';
import type { RecognizedWire } from './recognize-transaction.ts';
import { readLanded, recordLanded, refreshIndexAccounts } from './record-landed-transaction.ts';
import { blockhashExpired, sendRecordedSubmission, submissionOfRecord } from './send-recorded-submission.ts';

/** Signs one kind of intent, builds its response, and explains its refusals. */
export interface IntentWork<Body extends object> {
  readonly id: IntentId;
  /** Canonical JSON of the request's parameters. */
  readonly parameters: string;
  readonly source: CallSource;
  /**
   * Runs every check that is possible in advance, then signs. Throws `AppError` if the chain would refuse the
   * transaction. If the chain already contains this intent's effect, returns the landed transaction instead
   * of a submission. `expired` is the earlier submission that never landed.
   */
  readonly sign: (
    expired?: ExpiredAttempt,
  ) => Promise<{ readonly submission: Submission } | { readonly alreadyLanded: Landed }>;
  /**
   * Builds the response once the transaction is confirmed. The response is stored with the intent, so it must
   * not contain anything specific to this request. `expired` contains the intent's earlier submissions that
   * expired, oldest first, if this process knows them.
   */
  readonly respond: (landed: Landed, expired: readonly ExpiredAttempt[]) => Body | Promise<Body>;
  /**
   * The decoded transaction, if it has already been decoded. Avoids decoding it again after it has landed.
   */
  readonly recognized?: RecognizedWire;
  /**
   * Updates the time estimates of a stored response, which change as the epoch progresses. Default: returns the
   * stored response.
   */
  readonly refresh?: (stored: Body, landed: Landed) => Promise<Body>;
  /** Schema of stored responses. A stored response that does not match is rebuilt from the landed bytes. */
  readonly responseSchema: z.ZodObject;
  readonly refusal: (error: unknown, landed: boolean) => AppError;
  /**
   * True if an expired submission is signed again, as long as the new one pays a higher priority fee.
   * Default: false.
   */
  readonly raisesFee?: true;
  /** Returns true if a refusal (nothing was broadcast) justifies signing once more with newly read data. */
  readonly signAgain?: (refusal: AppError) => boolean;
  /**
   * States of the earlier submission in which its key may be used with other parameters. Default: only
   * `refused`.
   */
  readonly freeAfter?: readonly SubmissionState[];
  /** Called if another intent has the same bytes. Default: signs different bytes, with the next blockhash. */
  readonly respondToKnownBytes?: () => Promise<Body>;
}

/** A submission that can provably never land. */
export interface ExpiredAttempt {
  readonly signature: string;
  readonly wireBytes: Uint8Array;
}

/** Maximum number of times that one call signs an expired intent again. Each attempt takes about one minute. */
const MAX_RAISES = 2;

/** A transaction that is confirmed on chain without error. */
export interface Landed {
  readonly signature: string;
  readonly slot: bigint | null;
  /** The signed bytes. The response is built from them, so it describes what was executed. */
  readonly wireBytes: Uint8Array;
}

/**
 * Maximum number of times that an intent is signed again with another blockhash because another intent of the
 * wallet has the same bytes.
 */
const MAX_SAME_BYTES = 20;

/** Runs `work`, joins its running call, or responds from the record of the same idempotency key. */
export const performIntentOnce = <Body extends object>(ctx: Context, work: IntentWork<Body>): Promise<Body> =>
  ctx.store.flights.run([work.id.operation, work.id.wallet, work.id.key], work.parameters, async () => {
    const { freeAfter = ['refused'] } = work;
    for (let taken = 1; ; ) {
      const known = await ctx.store.intents.find(work.id);
      if (known && known.parameters !== work.parameters && !freeAfter.includes(known.submission.state))
        throw idempotencyKeyReused();
      const settled = known && (await settleKnown(ctx, work, known));
      if (settled && 'body' in settled) return settled.body;
      const done = await signAndSubmit(ctx, work, settled);
      if ('body' in done) return done.body;
      const recorded = (await ctx.store.intents.find(work.id))?.submission.signature ?? null;
      // Another process has recorded this intent in the meantime, so the last attempt was not sent. The loop
      // follows the other submission.
      if (recorded !== done.replaced) continue;
      if (work.respondToKnownBytes) return work.respondToKnownBytes();
      if (taken === MAX_SAME_BYTES) throw noOtherBlockhash();
      taken += 1;
    }
  });

const noOtherBlockhash = (): AppError =>
  new AppError(
    'UPSTREAM_UNAVAILABLE',
    'Another request from this wallet was signed as exactly the same transaction, and the RPC has no newer blockhash yet to tell them apart. Nothing was sent for this one.',
    { reason: 'SAME_TRANSACTION', suggestedAction: 'Try again in a few seconds.', retryAfterSeconds: 5 },
  );

/** The submission that a new one replaces, in the state that it ended in. */
type Replaced = Pick<IntentRecord['submission'], 'signature' | 'wireBytes' | 'state'>;

/**
 * Returns the response of a recorded intent, following its transaction to the outcome if necessary. Returns
 * the submission instead if it failed or can never land, so the intent may be signed again.
 */
const settleKnown = async <Body extends object>(
  ctx: Context,
  work: IntentWork<Body>,
  known: IntentRecord,
): Promise<{ readonly body: Body } | Replaced> => {
  const { submission } = known;
  const stored = known.response === null ? null : storedResponse(work, known.response);
  if (stored !== null)
    return { body: work.refresh === undefined ? stored : await work.refresh(stored, submission) };
  if (submission.state === 'confirmed') return { body: await conclude(ctx, work, { ...submission }) };
  if (submission.state !== 'signed') return submission;
  const outcome = await sendRecordedSubmission(ctx, { ...submissionOfRecord(known), maybeSentBefore: true });
  return outcome.kind === 'confirmed'
    ? { body: await conclude(ctx, work, { ...submission, slot: outcome.slot }) }
    : { ...submission, state: outcome.kind };
};

const rawJson = (JSON as unknown as { rawJSON: (literal: string) => unknown }).rawJSON;

/**
 * Parses a stored response. It must be returned exactly as written, so numbers that a double cannot reproduce
 * become raw JSON literals for `JSON.stringify`.
 */
const parseStoredResponse = (text: string): unknown =>
  JSON.parse(text, (_member: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? rawJson(context.source)
      : value,
  );

/** Parses a stored response. Returns null if it does not match the schema. */
const storedResponse = <Body extends object>(
  { responseSchema }: IntentWork<Body>,
  text: string,
): Body | null =>
  responseSchema.safeParse(JSON.parse(text)).success ? (parseStoredResponse(text) as Body) : null;

const signAndSubmit = async <Body extends object>(
  ctx: Context,
  work: IntentWork<Body>,
  replaces: Replaced | null,
): Promise<{ readonly body: Body } | { readonly replaced: string | null }> => {
  let replaced = replaces?.signature ?? null;
  const expired: ExpiredAttempt[] = [];
  if (replaces?.state === 'expired') expired.push(replaces);
  let raises = 0;
  let hasSignedAgain = false;
  for (;;) {
    const last = expired.at(-1);
    const signed = await work.sign(last).catch(async (error: unknown) => {
      // Another process may have recorded this intent in the meantime, so its stake account already exists.
      const known = await ctx.store.intents.find(work.id);
      if ((known?.submission.signature ?? null) === replaced) throw error;
      return null;
    });
    if (signed === null) return { replaced };
    if ('alreadyLanded' in signed) return { body: await work.respond(signed.alreadyLanded, expired) };
    if (raises > 0 && !paysHigherPrice(signed.submission, last!)) throw blockhashExpired(last!, true);
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
    // Also needed if the submission was not recorded: another intent then has the same bytes, and the next
    // attempt needs another blockhash.
    noteBlockhash(ctx, work, submission);
    if (!recorded) return { replaced };
    const outcome = await sendRecordedSubmission(ctx, submission);
    if (outcome.kind === 'confirmed')
      return { body: await conclude(ctx, work, { ...submission, slot: outcome.slot }, expired) };
    if (outcome.kind === 'expired') {
      if (work.raisesFee !== true || raises === MAX_RAISES)
        throw blockhashExpired(submission, work.raisesFee === true);
      raises += 1;
      expired.push(submission);
      replaced = submission.signature;
      continue;
    }
    const refusal = work.refusal(outcome.error, outcome.kind === 'failed');
    if (outcome.kind === 'failed' || hasSignedAgain || !work.signAgain?.(refusal)) throw refusal;
    hasSignedAgain = true;
    replaced = submission.signature;
  }
};

/** Ensures that the wallet's next request produces different bytes. */
export const noteBlockhash = (
  { chain: { cluster } }: Context,
  { id }: Pick<IntentWork<object>, 'id'>,
  { blockhash }: Pick<Submission, 'blockhash'>,
): void => {
  if (blockhash !== undefined) cluster.noteBlockhash(blockhash, id.wallet);
};

/** Marks a submission that is already recorded as in flight or landed, so it is never treated as unsent. */
const withHistory = async (ctx: Context, submission: Submission): Promise<Submission> => {
  const known = await ctx.store.intents.findSubmission(submission.signature);
  const isUnsent = known === null || known.state === 'refused' || known.state === 'expired';
  return isUnsent ? submission : { ...submission, maybeSentBefore: true };
};

/**
 * Builds the response for landed bytes and stores it. `stored` returns the text to store, or null if no intent
 * is associated with the response.
 */
export const recordAndRespond = async <Body extends object>(
  ctx: Context,
  work: Pick<IntentWork<Body>, 'respond' | 'source' | 'recognized'>,
  landed: Landed,
  stored: (body: Body) => string | null,
  expired: readonly ExpiredAttempt[] = [],
): Promise<Body> => {
  const { signature, slot } = landed;
  const read = readLanded(ctx, landed, work.recognized);
  refreshIndexAccounts(ctx, read);
  const failed = (error: unknown): void =>
    // The transaction has landed even if the store cannot record it. The intent stays in flight, so the next
    // request with its key follows the transaction again.
    ctx.logger.error({ err: error, signature }, 'a confirmed intent could not be recorded');
  // Records the transaction before building the response, because the two must agree, and before settling the
  // intent: if the process is killed in between, the next startup finds the intent unsettled and records the
  // transaction.
  const isRecorded = await recordLanded(ctx, read, work.source).then(
    () => true,
    (error: unknown) => {
      if (!isAppError(error, 'UPSTREAM_UNAVAILABLE')) return failed(error);
      ctx.logger.warn({ err: error, signature }, 'a landed transaction was not recorded');
      // The chain remembers it, so the intent can be settled.
      return true;
    },
  );
  const body = await work.respond(landed, expired);
  if (isRecorded)
    await ctx.store.intents
      .settle(signature, { state: 'confirmed', slot, error: null, response: stored(body) })
      .catch(failed);
  return body;
};

const conclude = async <Body extends object>(
  ctx: Context,
  work: IntentWork<Body>,
  landed: Landed,
  expired: readonly ExpiredAttempt[] = [],
): Promise<Body> => {
  const body = await recordAndRespond(ctx, work, landed, (response) => JSON.stringify(response), expired);
  ctx.logger.info(
    { operation: work.id.operation, wallet: work.id.wallet, signature: landed.signature },
    'intent confirmed',
  );
  return body;
};

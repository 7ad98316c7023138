// Carries out one intent exactly once: recorded on disk before the first broadcast, joined while under way, answered from the record afterwards.
import type { Submission, SubmissionOutcome } from '../../chain/ports.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import type { IntentId, IntentRecord } from '../../store/intent-log.ts';
import type { Context } from '../context.ts';
import { idempotencyKeyReused } from './intent-flights.ts';
import { recordLanded, touchIndex } from './note-landed.ts';
import { parseStoredAnswer } from './stored-answer.ts';

/** How one kind of intent is signed, answered and explained. */
export interface IntentWork<Body extends object> {
  readonly id: IntentId;
  /** Canonical JSON of the request's parameters. */
  readonly parameters: string;
  readonly source: 'rest' | 'mcp';
  /**
   * Checks everything that can be known, then signs. Throws `AppError` when the chain would refuse. An answer instead of a
   * submission means that the chain already holds this intent's effect.
   */
  readonly sign: () => Promise<{ readonly submission: Submission } | { readonly alreadyLanded: Landed }>;
  /** The answer once confirmed. Stored with the intent, so it holds nothing of this request alone. */
  readonly answer: (landed: Landed) => Body | Promise<Body>;
  /** What a refusal by the chain means. */
  readonly refusal: (error: unknown, landed: boolean) => AppError;
  /** True when a refusal (nothing was broadcast) deserves one more signing with fresh reads. */
  readonly signAgain?: (refusal: AppError) => boolean;
}

/** A transaction that is confirmed on chain without error. */
export interface Landed {
  readonly signature: string;
  readonly slot: bigint | null;
  /** The signed bytes, so that an answer says what was really carried out. */
  readonly wireBytes: Uint8Array;
}

/** Still unknown how it ended: every RPC stayed away. The same key settles it later. */
const unresolved = (
  submission: Pick<Submission, 'signature' | 'lastValidBlockHeight'>,
  cause?: unknown,
): AppError =>
  new AppError(
    'SUBMISSION_UNRESOLVED',
    'The transaction was signed and may have been sent, but no RPC answers to say how it ended. It is not known to have failed.',
    {
      suggestedAction: `Repeat the request with the same idempotency key, or ask GET /api/v1/transaction/${submission.signature}. Do not sign another transaction for it.`,
      body: {
        signature: submission.signature,
        lastValidBlockHeight: Number(submission.lastValidBlockHeight),
      },
      retryAfterSeconds: 15,
      cause,
    },
  );

const expired = ({ signature }: Pick<Submission, 'signature'>): AppError =>
  new AppError(
    'BLOCKHASH_EXPIRED',
    'The blockhash expired before the transaction landed; it is proven that it never will.',
    {
      suggestedAction: 'Send the request again; the same idempotency key is safe.',
      body: { signature },
    },
  );

/** Runs `work`, or joins or answers from what was already done under the same key. */
export const performIntent = <Body extends object>(ctx: Context, work: IntentWork<Body>): Promise<Body> =>
  ctx.flights.run(work.id, work.parameters, async () => {
    for (;;) {
      const known = await ctx.intents.find(work.id);
      if (known && known.submission.state !== 'refused' && known.parameters !== work.parameters)
        throw idempotencyKeyReused();
      const earlier = known && (await settleKnown(ctx, work, known));
      if (earlier) return earlier;
      const body = await signAndSubmit(ctx, work, known?.submission.signature ?? null);
      if (body !== OVERTAKEN) return body;
    }
  });

/** Another process of the same store recorded this intent meanwhile: nothing was sent here, and its submission is followed instead. */
const OVERTAKEN = Symbol('overtaken');

/** The answer of an intent that already landed; null when it is proven that it never will, so that it may be signed anew. */
const settleKnown = async <Body extends object>(
  ctx: Context,
  work: IntentWork<Body>,
  known: IntentRecord,
): Promise<Body | null> => {
  if (known.answer !== null) return parseStoredAnswer(known.answer) as Body;
  const { submission } = known;
  if (submission.state === 'confirmed') return conclude(ctx, work, { ...submission });
  if (submission.state !== 'signed') return null;
  const outcome = await carry(ctx, { ...resumed(known), maybeSentBefore: true });
  return outcome.kind === 'confirmed' ? conclude(ctx, work, { ...submission, slot: outcome.slot }) : null;
};

/** A recorded submission as the submitter takes it. */
export const resumed = ({ submission }: Pick<IntentRecord, 'submission'>): Submission => ({
  wireBytes: submission.wireBytes,
  signature: submission.signature as Submission['signature'],
  lastValidBlockHeight: submission.lastValidBlockHeight,
  ...(submission.nonce ? { nonce: submission.nonce as NonNullable<Submission['nonce']> } : {}),
});

const signAndSubmit = async <Body extends object>(
  ctx: Context,
  work: IntentWork<Body>,
  replaces: string | null,
): Promise<Body | typeof OVERTAKEN> => {
  let replaced = replaces;
  for (let attempt = 0; ; attempt += 1) {
    const signed = await work.sign();
    if ('alreadyLanded' in signed) return work.answer(signed.alreadyLanded);
    const submission = await withHistory(ctx, signed.submission);
    const recorded = await ctx.intents.recordSigned(
      {
        ...work.id,
        parameters: work.parameters,
        source: work.source,
        createdAtMs: ctx.clock.now(),
        submission: { ...submission, nonce: submission.nonce ?? null },
      },
      replaced,
    );
    if (!recorded) return OVERTAKEN;
    const outcome = await carry(ctx, submission);
    if (outcome.kind === 'confirmed') return conclude(ctx, work, { ...submission, slot: outcome.slot });
    if (outcome.kind === 'expired') throw expired(submission);
    const refusal = work.refusal(outcome.error, outcome.kind === 'failed');
    if (outcome.kind === 'failed' || attempt > 0 || !work.signAgain?.(refusal)) throw refusal;
    replaced = submission.signature;
  }
};

/** Bytes that a caller submits may be known here under another key: they are then never taken for unsent. */
const withHistory = async (ctx: Context, submission: Submission): Promise<Submission> => {
  const known = await ctx.intents.findSubmission(submission.signature);
  const isUnsent = known === null || known.state === 'refused' || known.state === 'expired';
  return isUnsent ? submission : { ...submission, maybeSentBefore: true };
};

type Settled = Exclude<SubmissionOutcome, { kind: 'unresolved' }>;

/** Sends and waits for as long as the service lives, whoever stops listening; the outcome is on disk before it is told. */
const carry = async (ctx: Context, submission: Submission): Promise<Settled> => {
  const outcome = await ctx.submitter.submit(submission, ctx.lifetime).catch(async (error: unknown) => {
    if (ctx.lifetime.aborted) throw unresolved(submission, error);
    // Certainly nothing was sent, and the caller hears so: a later start must not send it after all.
    if (isAppError(error, 'UPSTREAM_UNAVAILABLE'))
      await settleUnlanded(ctx, submission, { kind: 'refused', error: null });
    throw error;
  });
  if (outcome.kind === 'unresolved') throw unresolved(submission);
  if (outcome.kind !== 'confirmed') await settleUnlanded(ctx, submission, outcome);
  return outcome;
};

const settleUnlanded = (
  ctx: Context,
  { signature }: Submission,
  outcome: { kind: 'failed' | 'refused' | 'expired'; slot?: bigint; error?: unknown },
): Promise<void> =>
  ctx.intents.settle(signature, {
    state: outcome.kind,
    slot: outcome.slot ?? null,
    error: outcome.error === undefined ? null : JSON.stringify(outcome.error),
    answer: null,
  });

const conclude = async <Body extends object>(
  ctx: Context,
  work: IntentWork<Body>,
  landed: Landed,
): Promise<Body> => {
  touchIndex(ctx, landed);
  const body = await work.answer(landed);
  const outcome = {
    state: 'confirmed',
    slot: landed.slot,
    error: null,
    answer: JSON.stringify(body),
  } as const;
  try {
    // Before the intent is settled: a process killed in between finds it unsettled at the next start, and records it then.
    await recordLanded(ctx, landed, work.source).catch((error: unknown) => {
      if (!isAppError(error, 'UPSTREAM_UNAVAILABLE')) throw error;
      ctx.logger.warn({ err: error, signature: landed.signature }, 'a landed transaction was not recorded');
    });
    await ctx.intents.settle(landed.signature, outcome);
  } catch (error) {
    // It landed, whatever the store can note of it: what stands there as under way is proven anew when it is asked for.
    ctx.logger.error({ err: error, signature: landed.signature }, 'a confirmed intent could not be noted');
  }
  ctx.logger.info(
    { operation: work.id.operation, wallet: work.id.wallet, signature: landed.signature },
    'intent confirmed',
  );
  return body;
};

// Sends a recorded submission, waits for its outcome, and stores the outcome before reporting it.

import type { Submission, SubmissionOutcome } from '../../../chain/ports.ts';
import { AppError, isAppError } from '../../../kernel/app-error.ts';
import { guidance, step } from '../../../kernel/guidance.ts';
import type { IntentRecord } from '../../../store/intent-log.ts';
import type { Context } from '../../context.ts';

/** Every outcome except `unresolved`, which is thrown as an error. */
type Settled = Exclude<SubmissionOutcome, { kind: 'unresolved' }>;

type Sent = Pick<Submission, 'signature' | 'lastValidBlockHeight' | 'nonce'>;

const unresolvedBody = ({ signature, lastValidBlockHeight }: Sent) => ({
  signature,
  lastValidBlockHeight: Number(lastValidBlockHeight),
});

/** Creates the error for a transaction with a durable nonce that has not landed yet. */
const unlanded = (submission: Sent): AppError =>
  new AppError(
    'SUBMISSION_UNRESOLVED',
    'The transaction was sent but has not landed yet. It does not expire: it can land until the nonce account {nonceAccount} is used or advanced.',
    {
      reason: 'NONCE',
      params: { nonceAccount: submission.nonce!.account },
      suggestedAction: guidance`Submit it again, or cancel it with ${step('advanceNonceTransaction')}. Do not sign another transaction for it before that.`,
      body: unresolvedBody(submission),
      retryAfterSeconds: 15,
    },
  );

/**
 * Creates the error for an unknown outcome: no RPC was reachable, or the chain had stopped. Repeating the
 * request with the same key settles the outcome later.
 */
const unresolved = (submission: Sent, cause?: unknown): AppError =>
  new AppError(
    'SUBMISSION_UNRESOLVED',
    'The transaction was signed and may have been sent, but no RPC node is responding or the chain produces no blocks, so its outcome is unknown. It may have landed.',
    {
      reason: 'NO_ANSWER',
      suggestedAction: guidance`Repeat the request with the same idempotency key, or check ${step('transactionState', { signature: submission.signature })}. Do not sign another transaction for it.`,
      body: unresolvedBody(submission),
      retryAfterSeconds: 15,
      cause,
    },
  );

/**
 * Creates the error for a proven expiry. A one-shot request can simply be repeated; a transaction that the
 * caller signed must be built again.
 */
export const blockhashExpired = (
  { signature, nonce }: { readonly signature: string; readonly nonce?: unknown },
  isOneShot: boolean,
): AppError =>
  new AppError(
    'BLOCKHASH_EXPIRED',
    nonce
      ? 'The nonce was used or advanced before the transaction landed. It can provably never land.'
      : 'The blockhash expired before the transaction landed. It can provably never land.',
    {
      reason: nonce ? 'NONCE_MOVED' : 'NEVER_LANDS',
      suggestedAction: isOneShot
        ? 'Send the request again; the same idempotency key is safe.'
        : guidance`Build it again with ${step('rebuildTransaction')}, then sign it and submit it with the same idempotency key.`,
      body: { signature },
    },
  );

/** Converts a recorded submission to the submitter's input. */
export const submissionOfRecord = ({ submission }: Pick<IntentRecord, 'submission'>): Submission => ({
  wireBytes: submission.wireBytes,
  signature: submission.signature as Submission['signature'],
  lastValidBlockHeight: submission.lastValidBlockHeight,
  ...(submission.nonce ? { nonce: submission.nonce as NonNullable<Submission['nonce']> } : {}),
});

/**
 * Sends the submission and waits for its outcome even if the caller disconnects, until the service stops.
 * Settles submissions that were not confirmed; the caller settles confirmed ones. Throws
 * `AppError('SUBMISSION_UNRESOLVED')`, `AppError('STORE_UNAVAILABLE')`, and, only if nothing was sent,
 * `AppError('UPSTREAM_UNAVAILABLE')`.
 */
export const sendRecordedSubmission = async (ctx: Context, submission: Submission): Promise<Settled> => {
  const outcome = await ctx.chain.submitter
    .submit(submission, ctx.service.lifetime)
    .catch(async (error: unknown) => {
      if (ctx.service.lifetime.aborted) throw unresolved(submission, error);
      // The caller learns that nothing was sent, so a later startup must not send it either.
      if (isAppError(error, 'UPSTREAM_UNAVAILABLE'))
        await settleUnlanded(ctx, submission, { kind: 'refused', error: null });
      throw error;
    });
  if (outcome.kind === 'unresolved')
    throw submission.nonce === undefined ? unresolved(submission) : unlanded(submission);
  if (outcome.kind !== 'confirmed') await settleUnlanded(ctx, submission, outcome);
  return outcome;
};

const settleUnlanded = (
  ctx: Context,
  { signature }: Submission,
  outcome: { kind: 'failed' | 'refused' | 'expired'; slot?: bigint; error?: unknown },
): Promise<void> =>
  ctx.store.intents.settle(signature, {
    state: outcome.kind,
    slot: outcome.slot ?? null,
    error: outcome.error === undefined ? null : JSON.stringify(outcome.error),
    response: null,
  });

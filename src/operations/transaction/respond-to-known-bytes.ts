// Handles submitted bytes that the chain or another intent already has. Does not bind an idempotency key to
// them.

import type { Submission } from '../../chain/ports.ts';
import type { WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import type { IntentId, SubmissionRecord } from '../../store/intent-log.ts';
import { type IntentWork, noteBlockhash, recordAndRespond } from '../act/intents/perform-intent-once.ts';
import { landedUnderKey } from '../act/intents/replaced-transaction.ts';
import { blockhashExpired, sendRecordedSubmission } from '../act/intents/send-recorded-submission.ts';
import type { Context } from '../context.ts';

/**
 * True if the bytes are known under an id other than `id`: recorded for another intent, or seen by the
 * cluster. Anyone who reads the chain can submit such bytes, not only their signer. Throws
 * `UPSTREAM_UNAVAILABLE` or `STORE_UNAVAILABLE`.
 */
export const areKnownElsewhere = async (
  ctx: Context,
  id: IntentId,
  { signature }: Pick<Submission, 'signature'>,
): Promise<boolean> => {
  const recorded = await ctx.store.intents.findSubmission(signature);
  if (recorded !== null) return (await ctx.store.intents.find(id))?.submission.signature !== signature;
  const { statuses } = await ctx.chain.reads.signatureStatuses([signature], {
    signal: ctx.service.lifetime,
    searchHistory: true,
  });
  return (statuses[0] ?? null) !== null;
};

/**
 * Returns the caller's part of a key. In a list, each transaction has its own key with a suffix after a
 * space, because callers' keys cannot contain spaces.
 */
const callersPart = (key: string): string => key.split(' ', 1)[0]!;

/**
 * Throws `TRANSACTION_ALREADY_SUBMITTED` if another key of a caller has these bytes. Each request has one
 * idempotency key, but bytes signed only by the wallet may come from two requests that were built with the
 * same blockhash. If the second request got the outcome of the first, it would remain undone. Bytes that
 * create an account belong to one request, because the account's address is derived from the key.
 */
export const refuseBytesOfAnotherKey = async (
  ctx: Context,
  { wallet }: Pick<IntentId, 'wallet'>,
  key: string | undefined,
  wire: WireTransaction,
): Promise<void> => {
  if (key === undefined || wire.signatures.size > 1) return;
  const signature = wire.signature!;
  const holder = await ctx.store.intents.findBySignature(signature);
  if (holder === null || holder.key === signature || callersPart(holder.key) === callersPart(key)) return;
  // Makes the next build use another blockhash.
  ctx.chain.cluster.noteBlockhash(wire.blockhash, wallet);
  throw new AppError(
    'TRANSACTION_ALREADY_SUBMITTED',
    'This exact transaction was already submitted with another idempotency key. Nothing was sent with this one.',
    {
      reason: 'OTHER_KEY',
      suggestedAction: guidance`For a different change, build a new transaction. For this one, ${step('transactionState', { signature })} shows the outcome.`,
      body: { signature },
    },
  );
};

/**
 * Throws `TRANSACTION_ALREADY_SUBMITTED` if a transaction that was built in place of these expired bytes
 * landed under the same key, because building them again would then be wrong.
 */
const refuseReplacedBytes = async (
  ctx: Context,
  { id, recognized }: Pick<IntentWork<object>, 'id' | 'recognized'>,
): Promise<void> => {
  const landed = recognized === undefined ? null : await landedUnderKey(ctx, id, recognized.wire);
  if (landed === null) return;
  throw new AppError(
    'TRANSACTION_ALREADY_SUBMITTED',
    'This transaction expired, but another one for the same request and idempotency key landed: {landedSignature}. The request is done, and nothing was sent.',
    {
      reason: 'REPLACED',
      params: { landedSignature: landed },
      suggestedAction: guidance`Do not build it again. ${step('transactionState', { signature: landed })} shows the outcome.`,
      body: { signature: landed, landedSignature: landed },
    },
  );
};

/**
 * Responds with the outcome of known bytes, and sends them again as long as they can land. Records no intent.
 * Bytes that landed or are in progress count toward no quota, so that outsiders who submit them cannot
 * exhaust their signer's quota; `admit` counts all others.
 */
export const respondToKnownBytes = <Body extends object>(
  ctx: Context,
  work: IntentWork<Body>,
  submission: Submission,
  admit: () => Disposable,
): Promise<Body> =>
  // The lock depends on the bytes, not on the key. It differs from the lock of intents, because an intent
  // whose bytes are known calls this function and waits for it.
  ctx.store.flights.run([submission.signature], '', async () => {
    const { signature, wireBytes } = submission;
    noteBlockhash(ctx, work, submission);
    const recorded = await ctx.store.intents.findSubmission(signature);
    if (recorded?.state === 'failed') throw work.refusal(JSON.parse(recorded.error ?? 'null'), true);
    const slot =
      recorded?.state === 'confirmed'
        ? recorded.slot
        : await slotOfLanding(ctx, work, submission, recorded, admit);
    return recordAndRespond(ctx, work, { signature, slot, wireBytes }, () => null);
  });

const slotOfLanding = async <Body extends object>(
  ctx: Context,
  work: IntentWork<Body>,
  submission: Submission,
  recorded: SubmissionRecord | null,
  admit: () => Disposable,
): Promise<bigint> => {
  const isSentAgain = recorded?.state === 'refused' || recorded?.state === 'expired';
  if (isSentAgain) await refuseReplacedBytes(ctx, work);
  using _ = isSentAgain ? admit() : null;
  // Recorded before the bytes are sent, so that the intent that owns them does not treat them as unsent.
  if (isSentAgain) await ctx.store.intents.resendSubmission(submission.signature);
  const outcome = await sendRecordedSubmission(ctx, { ...submission, maybeSentBefore: true });
  if (outcome.kind === 'confirmed') return outcome.slot;
  if (outcome.kind === 'expired') throw blockhashExpired(submission, false);
  throw work.refusal(outcome.error, outcome.kind === 'failed');
};

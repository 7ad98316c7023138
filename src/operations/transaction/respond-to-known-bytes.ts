// Handles submitted bytes that are already on chain or belong to another intent, without binding an idempotency
// key to them.

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
 * True if the bytes are recorded for an intent other than `id`, or the cluster has seen them. Anyone who
 * reads the chain can submit such bytes, so the caller is not necessarily their signer. Throws
 * `AppError('UPSTREAM_UNAVAILABLE')` or `AppError('STORE_UNAVAILABLE')` if the chain or the store cannot be
 * read.
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
 * Returns the caller's part of a key. In a list, each transaction's key has a suffix after a space, which
 * callers' keys cannot contain.
 */
const callersPart = (key: string): string => key.split(' ', 1)[0]!;

/**
 * Throws `AppError('TRANSACTION_ALREADY_SUBMITTED')` if the same bytes were submitted with another
 * idempotency key. Two requests built with the same blockhash can have equal bytes if only the wallet signs
 * them. If the second request got the outcome of the first, it would silently remain undone. Bytes that
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
 * Throws `AppError('TRANSACTION_ALREADY_SUBMITTED')` if these bytes expired and a rebuilt transaction with
 * the same idempotency key landed. Otherwise, the caller would build them again.
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
 * Responds with the outcome of known bytes, and sends them again while they can still land. Records no intent.
 * Bytes that landed or are in flight use no quota, so outsiders cannot exhaust their signer's quota; `admit`
 * counts all others.
 */
export const respondToKnownBytes = <Body extends object>(
  ctx: Context,
  work: IntentWork<Body>,
  submission: Submission,
  admit: () => Disposable,
): Promise<Body> =>
  // The lock is keyed by the bytes instead of the idempotency key. It must differ from the lock of intents,
  // because an intent whose bytes are known calls this function and waits for it.
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
  // Recorded before the bytes are sent, so the intent that owns them does not treat them as unsent.
  if (isSentAgain) await ctx.store.intents.resendSubmission(submission.signature);
  const outcome = await sendRecordedSubmission(ctx, { ...submission, maybeSentBefore: true });
  if (outcome.kind === 'confirmed') return outcome.slot;
  if (outcome.kind === 'expired') throw blockhashExpired(submission, false);
  throw work.refusal(outcome.error, outcome.kind === 'failed');
};

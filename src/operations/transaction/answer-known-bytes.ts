// Answers for bytes that the chain or another intent already had when they were submitted. Binds no idempotency key to them.

import type { Submission } from '../../chain/ports.ts';
import type { WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import type { IntentId, SubmissionRecord } from '../../store/intent-log.ts';
import { type IntentWork, noteAndAnswer, noteBlockhash } from '../act/perform-intent.ts';
import { blockhashExpired, sendRecordedSubmission } from '../act/send-recorded-submission.ts';
import type { Context } from '../context.ts';

/**
 * True if the bytes are known under an id other than `id`: recorded for another intent, or seen by the cluster. Anyone who reads the
 * chain can submit those, not only their signer. Throws `UPSTREAM_UNAVAILABLE` or `STORE_UNAVAILABLE`.
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

/** The caller's part of a key. In a list each transaction has its own key, separated by a space, which callers' keys cannot contain. */
const callersPart = (key: string): string => key.split(' ', 1)[0]!;

/**
 * Each request of a caller has one idempotency key. Bytes signed only by the wallet may stem from two requests built under one
 * blockhash; answering the second with the outcome of the first would leave it undone. Bytes that open an account belong to one request,
 * because its address is derived from the key. Throws `TRANSACTION_ALREADY_SUBMITTED` for bytes that another key of a caller has.
 */
export const refuseAnothersBytes = async (
  ctx: Context,
  { wallet }: Pick<IntentId, 'wallet'>,
  key: string | undefined,
  wire: WireTransaction,
): Promise<void> => {
  if (key === undefined || wire.signatures.size > 1) return;
  const signature = wire.signature!;
  const holder = await ctx.store.intents.findBySignature(signature);
  if (holder === null || holder.key === signature || callersPart(holder.key) === callersPart(key)) return;
  // Building it again uses another blockhash.
  ctx.chain.cluster.noteBlockhash(wire.blockhash, wallet);
  throw new AppError(
    'TRANSACTION_ALREADY_SUBMITTED',
    'Exactly this transaction was submitted under another idempotency key. Nothing was sent under this one.',
    {
      suggestedAction: guidance`Build it again if it is another change. If it is the same one, ask ${step('transactionState', { signature })} for its outcome.`,
      body: { signature },
    },
  );
};

/**
 * Answers with the outcome of such bytes, and sends them again while they can still land. Records no intent. Bytes that landed or are in
 * progress count against no quota, so that outsiders who submit them do not use up their signer's; `admit` counts all others.
 */
export const answerKnownBytes = <Body extends object>(
  ctx: Context,
  work: IntentWork<Body>,
  submission: Submission,
  admit: () => Disposable,
): Promise<Body> =>
  // Identified by the bytes alone, not by key. Not identified like an intent, because an intent whose bytes are taken waits for this.
  ctx.store.flights.run([submission.signature], '', async () => {
    const { signature, wireBytes } = submission;
    noteBlockhash(ctx, work, submission);
    const recorded = await ctx.store.intents.findSubmission(signature);
    if (recorded?.state === 'failed') throw work.refusal(JSON.parse(recorded.error ?? 'null'), true);
    const slot =
      recorded?.state === 'confirmed'
        ? recorded.slot
        : await slotOfLanding(ctx, work, submission, recorded, admit);
    return noteAndAnswer(ctx, work, { signature, slot, wireBytes }, () => null);
  });

const slotOfLanding = async <Body extends object>(
  ctx: Context,
  work: IntentWork<Body>,
  submission: Submission,
  recorded: SubmissionRecord | null,
  admit: () => Disposable,
): Promise<bigint> => {
  const isSentAgain = recorded?.state === 'refused' || recorded?.state === 'expired';
  using _ = isSentAgain ? admit() : null;
  // Before they are sent: the intent that owns them must not treat them as unsent.
  if (isSentAgain) await ctx.store.intents.resendSubmission(submission.signature);
  const outcome = await sendRecordedSubmission(ctx, { ...submission, maybeSentBefore: true });
  if (outcome.kind === 'confirmed') return outcome.slot;
  if (outcome.kind === 'expired') throw blockhashExpired(submission);
  throw work.refusal(outcome.error, outcome.kind === 'failed');
};

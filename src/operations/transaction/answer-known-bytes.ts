// Bytes that the chain or another intent had before they were submitted: they are answered, and bind no idempotency key to themselves.

import type { Submission } from '../../chain/ports.ts';
import type { WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import type { IntentId, SubmissionRecord } from '../../store/intent-log.ts';
import { type IntentWork, noteAndAnswer, noteBlockhash } from '../act/perform-intent.ts';
import { blockhashExpired, sendRecordedSubmission } from '../act/send-recorded-submission.ts';
import type { Context } from '../context.ts';

/**
 * Whether the bytes are known otherwise than under `id`: recorded for another intent, or seen by the cluster. Whoever reads the chain
 * can send those, not only their signer. Throws `UPSTREAM_UNAVAILABLE` or `STORE_UNAVAILABLE`.
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

/** The caller's own part of a key: of a list of transactions each has a key of its own, and no caller's key holds a space. */
const callersPart = (key: string): string => key.split(' ', 1)[0]!;

/**
 * One request of the caller has one idempotency key. Bytes that need no signature but the wallet's may be two requests built under one
 * blockhash: answering the second with the outcome of the first would leave it undone. Bytes that open an account are one request, as its
 * address comes from the key. Throws `TRANSACTION_ALREADY_SUBMITTED` for bytes that another key of a caller has.
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
  // Built again, it gets another blockhash.
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
 * Answers how such bytes ended, and sends them again while they can still land. No intent is recorded. Bytes that landed or are under way are
 * sent for nobody's account, so that an outsider who submits them takes no place from their signer; others are counted by `admit`.
 */
export const answerKnownBytes = <Body extends object>(
  ctx: Context,
  work: IntentWork<Body>,
  submission: Submission,
  admit: () => Disposable,
): Promise<Body> =>
  // Named by the bytes alone, whatever key they came with; not as an intent is, because an intent that finds its bytes taken waits for this.
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
  const isSentAnew = recorded?.state === 'refused' || recorded?.state === 'expired';
  using _ = isSentAnew ? admit() : null;
  // Before they are sent: the intent that they belong to must not take them for unsent.
  if (isSentAnew) await ctx.store.intents.resendSubmission(submission.signature);
  const outcome = await sendRecordedSubmission(ctx, { ...submission, maybeSentBefore: true });
  if (outcome.kind === 'confirmed') return outcome.slot;
  if (outcome.kind === 'expired') throw blockhashExpired(submission);
  throw work.refusal(outcome.error, outcome.kind === 'failed');
};

// Returns the state of a transaction on chain. For transactions sent here, also reports a proven expiry.

import type { Signature } from '@solana/kit';
import { z } from 'zod';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import { type Sentence, sentence, sentenceMembers } from '../../kernel/sentence.ts';
import type { SubmissionRecord } from '../../store/intent-log.ts';
import { transactionUrl } from '../act/explorer-links.ts';
import { landedAfter } from '../act/intents/replaced-transaction.ts';
import { submissionOfRecord } from '../act/intents/send-recorded-submission.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { integer, sentenceShape, signatureSchema } from '../shared-schemas.ts';
import { effectSentences } from './effects-of-sent-transaction.ts';

/** `GET /api/v1/transaction/{signature}` */
export const transactionState = defineOperation({
  name: 'transactionState',
  summary: 'State of a transaction',
  description:
    'pending: it may still land. confirmed and finalized: it landed and succeeded. failed: it landed, but only the fee was paid. expired: it can provably never land. Use it after SUBMISSION_UNRESOLVED.',
  effect: 'read',
  input: z.object({ signature: signatureSchema('The transaction.') }),
  output: z.object({
    signature: z.string(),
    state: z.enum(['pending', 'confirmed', 'finalized', 'failed', 'expired']),
    slot: integer('Slot in which it landed; null until it has landed.').nullable(),
    error: z.unknown().meta({ description: "The chain's error if it failed, otherwise null.", override: {} }),
    lastValidBlockHeight: integer('Block height up to which it can land; null if unknown here.').nullable(),
    recordedHere: z.boolean().meta({ description: 'True if this service signed or sent it.' }),
    explorerUrl: z.string(),
    landedSignature: signatureSchema(
      'With `expired`: a transaction with the same effects that landed after it. Absent if there is none.',
    ).optional(),
    ...sentenceShape('message', 'Meaning of the state, and the next step.'),
  }),
  errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE', 'STORE_UNAVAILABLE'],
  presentation: { NOT_FOUND: { title: 'Transaction not found' } },
  async run({ ctx, input, signal }) {
    const { signature } = input;
    const record = await ctx.store.intents.findSubmission(signature);
    const found = await stateOnChain(ctx, signature as Signature, signal).catch((error: unknown) => {
      if (record === null || !isAppError(error, 'UPSTREAM_UNAVAILABLE')) throw error;
      const recorded = recordedOutcome(record);
      if (recorded === null) throw outcomeUnread(signature, error);
      return recorded;
    });
    if (!found && !record) {
      throw new AppError('NOT_FOUND', 'This transaction is unknown to the cluster and to this service.', {
        reason: 'NO_TRANSACTION',
        suggestedAction: 'If it was just sent, try again in a few seconds. Otherwise check the signature.',
      });
    }
    const settled = found ?? (await stateOfUnseen(ctx, record!, signal));
    const landedSignature =
      record !== null && settled.state === 'expired' ? await landedAfter(ctx, record) : null;
    return {
      body: {
        signature,
        ...settled,
        lastValidBlockHeight: record ? Number(record.lastValidBlockHeight) : null,
        recordedHere: record !== null,
        explorerUrl: transactionUrl(ctx.service.settings, signature),
        ...(landedSignature === null ? {} : { landedSignature }),
        ...sentenceMembers('message', [
          ...(record === null ? [] : await effectSentences(ctx, record, settled.state)),
          landedSignature === null
            ? MEANINGS[settled.state]
            : sentence(
                'TRANSACTION_REPLACED',
                'It did not land and never will, but a transaction with the same effects landed after it: {landedSignature}. Do not build it again unless you want the change a second time.',
                { landedSignature },
              ),
        ]),
      },
    };
  },
});

type State = {
  state: 'pending' | 'confirmed' | 'finalized' | 'failed' | 'expired';
  slot: number | null;
  error: unknown;
};

const MEANINGS: Readonly<Record<State['state'], Sentence>> = {
  pending: sentence(
    'TRANSACTION_PENDING',
    'It may still land. Check again in a few seconds, and sign nothing else for the same change in the meantime.',
  ),
  confirmed: sentence('TRANSACTION_CONFIRMED', 'It landed and succeeded.'),
  finalized: sentence(
    'TRANSACTION_FINALIZED',
    'It landed and succeeded, and can no longer be undone by a fork.',
  ),
  failed: sentence(
    'TRANSACTION_FAILED',
    'It landed but failed: only the fee was paid. Read error, then build a new transaction.',
  ),
  expired: sentence(
    'TRANSACTION_EXPIRED',
    'It did not land and never will, so nothing happened. Build it again with the same idempotency key, then sign and submit the new transaction. If the network is busy, build it with a priority.',
  ),
};

const stateOnChain = async (
  ctx: Context,
  signature: Signature,
  signal: AbortSignal,
): Promise<State | null> => {
  const [status] = (await ctx.chain.reads.signatureStatuses([signature], { signal, searchHistory: true }))
    .statuses;
  if (!status) return null;
  // A transaction at `processed` may be on a fork that is later abandoned, and so may its failure.
  if (status.confirmationStatus === 'processed') return { state: 'pending', slot: null, error: null };
  const slot = Number(status.slot);
  return status.error === null
    ? { state: status.confirmationStatus, slot, error: null }
    : { state: 'failed', slot, error: status.error };
};

/** Creates the error for a recorded transaction whose outcome is open while no node responds. */
const outcomeUnread = (signature: string, cause: unknown): AppError =>
  new AppError(
    'UPSTREAM_UNAVAILABLE',
    'The transaction {signature} is recorded here and may have landed, but no Solana RPC node responds, so its outcome is still open.',
    {
      reason: 'OUTCOME_UNREAD',
      params: { signature },
      suggestedAction: 'Check again in 15 seconds. Do not sign another transaction for it.',
      body: { signature },
      retryAfterSeconds: 15,
      cause,
    },
  );

/** Returns the outcome that was proven earlier; null if it is open. A node without that history does not change it. */
const recordedOutcome = ({ state, slot, error }: SubmissionRecord): State | null => {
  if (state === 'expired') return { state, slot: null, error: null };
  return state === 'confirmed' || state === 'failed'
    ? {
        state,
        slot: slot === null ? null : Number(slot),
        error: error === null ? null : JSON.parse(error),
      }
    : null;
};

const stateOfUnseen = async (ctx: Context, record: SubmissionRecord, signal: AbortSignal): Promise<State> => {
  const recorded = recordedOutcome(record);
  if (recorded !== null) return recorded;
  // A transaction refused here may still land, because its signer can send it elsewhere as long as its
  // blockhash is valid.
  const outcome = await ctx.chain.submitter.settle(submissionOfRecord({ submission: record }), signal);
  if (outcome?.kind === 'confirmed') return { state: 'confirmed', slot: Number(outcome.slot), error: null };
  if (outcome?.kind === 'failed')
    return { state: 'failed', slot: Number(outcome.slot), error: outcome.error };
  return { state: outcome?.kind === 'expired' ? 'expired' : 'pending', slot: null, error: null };
};

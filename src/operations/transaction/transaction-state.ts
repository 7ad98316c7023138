// Tells how a transaction stands: what the chain says, and for those sent here also that they can never land any more.

import type { Signature } from '@solana/kit';
import { z } from 'zod';
import { AppError } from '../../kernel/app-error.ts';
import { transactionUrl } from '../act/explorer.ts';
import { resumed } from '../act/perform-intent.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { integer, signatureSchema } from '../schemas.ts';

/** `GET /api/v1/transaction/{signature}` */
export const transactionState = defineOperation({
  name: 'transactionState',
  summary: 'State of a transaction',
  description:
    'pending: it may still land. confirmed and finalized: it landed and succeeded. failed: it landed and had no effect but the fee. expired: it is proven that it never will land. Ask here after SUBMISSION_UNRESOLVED.',
  effect: 'read',
  input: z.object({ signature: signatureSchema('The transaction.') }),
  output: z.object({
    signature: z.string(),
    state: z.enum(['pending', 'confirmed', 'finalized', 'failed', 'expired']),
    slot: integer('Slot in which it landed; null while it has not.').nullable(),
    error: z.unknown().meta({ description: "The chain's error when it failed, else null.", override: {} }),
    lastValidBlockHeight: integer(
      'It can land up to this block height; null where that is not known here.',
    ).nullable(),
    recordedHere: z.boolean().meta({ description: 'This service sent it.' }),
    explorerUrl: z.string(),
  }),
  errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE', 'STORE_UNAVAILABLE'],
  presentation: { NOT_FOUND: { title: 'Transaction not found' } },
  async run({ ctx, input, signal }) {
    const { signature } = input;
    const record = ctx.intents.findSubmission(signature);
    const found = await stateOnChain(ctx, signature as Signature, signal);
    if (!found && !record) {
      throw new AppError('NOT_FOUND', 'Neither the cluster nor this service knows this transaction.');
    }
    const settled = found ?? (await stateOfUnseen(ctx, record!, signal));
    return {
      body: {
        signature,
        ...settled,
        lastValidBlockHeight: record ? Number(record.lastValidBlockHeight) : null,
        recordedHere: record !== null,
        explorerUrl: transactionUrl(ctx.settings, signature),
      },
    };
  },
});

type State = {
  state: 'pending' | 'confirmed' | 'finalized' | 'failed' | 'expired';
  slot: number | null;
  error: unknown;
};

const stateOnChain = async (
  ctx: Context,
  signature: Signature,
  signal: AbortSignal,
): Promise<State | null> => {
  const [status] = (await ctx.reads.signatureStatuses([signature], { signal, searchHistory: true })).statuses;
  if (!status) return null;
  const slot = Number(status.slot);
  if (status.error !== null) return { state: 'failed', slot, error: status.error };
  const state = status.confirmationStatus === 'processed' ? 'pending' : status.confirmationStatus;
  return { state, slot, error: null };
};

const stateOfUnseen = async (
  ctx: Context,
  record: NonNullable<ReturnType<Context['intents']['findSubmission']>>,
  signal: AbortSignal,
): Promise<State> => {
  if (record.state === 'expired' || record.state === 'refused')
    return { state: 'expired', slot: null, error: null };
  const outcome = await ctx.submitter.settle(resumed({ submission: record }), signal);
  if (outcome?.kind === 'confirmed') return { state: 'confirmed', slot: Number(outcome.slot), error: null };
  if (outcome?.kind === 'failed')
    return { state: 'failed', slot: Number(outcome.slot), error: outcome.error };
  return { state: outcome?.kind === 'expired' ? 'expired' : 'pending', slot: null, error: null };
};

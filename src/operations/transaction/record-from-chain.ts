// Records a transaction that a wallet sent without this service: refreshes its accounts in the index, and
// stores the transaction if it is one of ours.
import type { Signature } from '@solana/kit';
import { readLanded, recordLanded, refreshIndexAccounts } from '../act/intents/record-landed-transaction.ts';
import type { Context } from '../context.ts';
import { type KnownEffects, knownEffects } from './effects-of-sent-transaction.ts';

/**
 * Records the transaction and returns its effects and slot; null if its form is not ours. Trusts only the chain, so
 * anyone may name any transaction. Stores each transaction only once, and ignores unknown and failed ones.
 * Rejects with `AppError('UPSTREAM_UNAVAILABLE')` or `AppError('STORE_UNAVAILABLE')`; a later search finds
 * the transaction on chain.
 */
export const recordFromChain = async (
  ctx: Context,
  signature: Signature,
  signal: AbortSignal,
): Promise<{ readonly effects: KnownEffects; readonly slot: bigint } | null> => {
  const found = await ctx.chain.reads.transaction(signature, { signal });
  if (found === null || found.error !== null) return null;
  const { slot, wireBytes, preBalances } = found;
  const landed = readLanded(ctx, { signature, slot, wireBytes, preBalances });
  refreshIndexAccounts(ctx, landed);
  await recordLanded(ctx, landed, 'actions');
  const effects = landed && (await knownEffects(ctx, landed, signature));
  return effects && { effects, slot };
};

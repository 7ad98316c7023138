// Takes note of a transaction that a wallet sent past this service: the index reads what it touched, and the store keeps it if it is one of ours.
import type { Signature } from '@solana/kit';
import { readLanded, recordLanded, touchIndex } from '../act/record-landed.ts';
import type { Context } from '../context.ts';

/**
 * Believes the chain alone, so anybody may name any transaction; the same one twice is stored once. What is neither there nor successful
 * changes nothing. Rejects with `UPSTREAM_UNAVAILABLE` or `STORE_UNAVAILABLE`; the chain tells it later all the same.
 */
export const recordFromChain = async (
  ctx: Context,
  signature: Signature,
  signal: AbortSignal,
): Promise<void> => {
  const found = await ctx.chain.reads.transaction(signature, { signal });
  if (found === null || found.error !== null) return;
  const { slot, wireBytes, preBalances } = found;
  const landed = readLanded(ctx, { signature, slot, wireBytes, preBalances });
  touchIndex(ctx, landed);
  await recordLanded(ctx, landed, 'actions');
};

// Returns a blockhash with which a wallet has not sent anything, neither from this process nor from another one
// with the same store.
import { type Address, getBase58Encoder } from '@solana/kit';
import type { RecentBlockhash } from '../../chain/ports.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';

/**
 * Returns an unused blockhash. With a used one, a repeated change could have identical bytes, and its second
 * submission would have no effect. Waits for the next block if necessary. Throws
 * `AppError('UPSTREAM_UNAVAILABLE')` if no RPC node returns a usable response.
 */
export const unusedBlockhash = async (
  ctx: {
    readonly chain: Pick<Context['chain'], 'cluster'>;
    readonly store: Pick<Context['store'], 'intents'>;
  },
  wallet: Address,
  signal: AbortSignal,
): Promise<RecentBlockhash> => {
  for (;;) {
    const recent = await ctx.chain.cluster.blockhash(signal, wallet);
    if (!(await isRecorded(ctx, wallet, recent))) return recent;
    ctx.chain.cluster.noteBlockhash(recent.blockhash, wallet);
  }
};

const isRecorded = async (
  { store: { intents } }: { readonly store: Pick<Context['store'], 'intents'> },
  wallet: Address,
  { blockhash, lastValidBlockHeight }: RecentBlockhash,
): Promise<boolean> => {
  try {
    const bytes = Buffer.from(getBase58Encoder().encode(blockhash));
    const recorded = await intents.bytesValidFrom(wallet, lastValidBlockHeight);
    return recorded.some((wireBytes) => Buffer.from(wireBytes).includes(bytes));
  } catch (error) {
    // Without the store nothing can be submitted, but transactions can still be built.
    if (isAppError(error, 'STORE_UNAVAILABLE')) return false;
    throw error;
  }
};

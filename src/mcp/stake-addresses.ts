// Lists the addresses of a wallet's stake accounts for completions.
import type { Address } from '@solana/kit';
import { AppError } from '../kernel/app-error.ts';
import type { Context } from '../operations/context.ts';
import { readWalletStakes } from '../operations/wallet/wallet-stakes.ts';

/**
 * Returns the addresses of the wallet's stake accounts, from memory if possible, because clients send a request
 * for each typed letter. Empty if the accounts cannot be read.
 */
export const stakeAddresses = async (
  ctx: Context,
  wallet: Address,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const known = ctx.chain.index?.walletRows(wallet);
  if (known) return known.rows.map(({ account }) => account.address);
  try {
    const { stakes } = await readWalletStakes(ctx, wallet, 'validator', signal);
    return stakes.map(({ account }) => account.address);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
};

// Reads the nonce account named in a request, whose value replaces the blockhash.
import type { Address } from '@solana/kit';
import { nonceIn } from '../../domain/nonce-account.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { ErrorReason } from '../../kernel/error-reasons.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import type { Context } from '../context.ts';

/** A nonce account of the wallet with its current value. */
export interface Nonce {
  readonly account: Address;
  readonly value: string;
}

const unusable = (
  reason: ErrorReason<'NONCE_UNUSABLE'>,
  message: string,
  nonce: Address,
  wallet: Address,
): AppError =>
  new AppError('NONCE_UNUSABLE', message, {
    reason,
    params: { nonce, walletAddress: wallet },
    suggestedAction: guidance`List the wallet’s nonce accounts with ${step('listNonceAccounts', { walletAddress: wallet })}.`,
    body: { nonce },
  });

/**
 * Reads `nonce`. Throws `AppError('NONCE_UNUSABLE')` unless it is a nonce account that the wallet controls,
 * and `AppError('UPSTREAM_UNAVAILABLE')` if no RPC node returns a usable response.
 */
export const requireUsableNonce = async (
  ctx: Context,
  wallet: Address,
  nonce: Address,
  signal: AbortSignal,
): Promise<Nonce & { readonly lamports: bigint }> => {
  const { accounts } = await ctx.chain.reads.accounts([nonce], { signal });
  const [account] = accounts;
  if (!account) throw unusable('NO_ACCOUNT', 'There is no account {nonce} on this cluster.', nonce, wallet);
  const decoded = nonceIn(account);
  if (decoded === null) throw unusable('NOT_A_NONCE', '{nonce} is not a nonce account.', nonce, wallet);
  if (decoded.authority !== wallet)
    throw unusable('OTHER_AUTHORITY', '{nonce} is controlled by another address.', nonce, wallet);
  return { account: nonce, value: decoded.value, lamports: account.lamports };
};

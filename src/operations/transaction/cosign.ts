// Adds the new stake account's signature at submission, for wallets that change what they sign. Signs only
// our own four instructions.
import type { Address } from '@solana/kit';
import { isSignedBy, type WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import type { Recognised } from '../act/recognise-transaction.ts';
import type { Context } from '../context.ts';

/** True if this idempotency key derives the new account of our stake, so that this service can sign for it. */
export const derivesStakeAccount = (ctx: Context, seen: Recognised, idempotencyKey: string): boolean => {
  if (seen.kind !== 'stake' || !seen.ok) return false;
  using stakeKey = ctx.chain.stakeKeys.derive({ use: 'builder', wallet: seen.wallet, idempotencyKey });
  return stakeKey.address === seen.stakeAccount;
};

/**
 * Replaces a missing or outdated signature of the derived stake account. Returns the transaction unchanged unless the wallet's
 * signature is valid, the verifier finds our stake with at most ComputeBudget and wallet guards added, and this key derives the address.
 */
export const cosign = (
  ctx: Context,
  wire: WireTransaction,
  seen: Recognised,
  idempotencyKey: string,
): WireTransaction => {
  if (seen.kind !== 'stake' || !seen.ok || !seen.stakeAccount) return wire;
  const stakeAccount = seen.stakeAccount as Address;
  const walletSignature = wire.signatures.get(seen.wallet);
  if (!walletSignature || !isSignedBy(seen.wallet, wire.messageBytes, walletSignature)) return wire;
  const present = wire.signatures.get(stakeAccount);
  if (present && isSignedBy(stakeAccount, wire.messageBytes, present)) return wire;
  using stakeKey = ctx.chain.stakeKeys.derive({ use: 'builder', wallet: seen.wallet, idempotencyKey });
  if (stakeKey.address !== stakeAccount) return wire;
  return {
    ...wire,
    signatures: new Map([...wire.signatures, [stakeAccount, stakeKey.sign(wire.messageBytes)]]),
  };
};

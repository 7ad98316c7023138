// Adds the new stake account's signature at submission, for wallets that change what they sign. Signs only our
// own four instructions.
import type { Address } from '@solana/kit';
import type { Addressing } from '../../chain/transactions/derive-stake-key.ts';
import { isSignedBy, type WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import type { Recognized } from '../act/intents/recognize-transaction.ts';
import type { Context } from '../context.ts';

/**
 * Returns the addressing with which this idempotency key derives the new account of a stake transaction; null
 * if neither does.
 */
export const addressingOfStake = (
  ctx: Context,
  seen: Recognized,
  idempotencyKey: string,
): Addressing | null => {
  if (seen.kind !== 'stake' || !seen.ok) return null;
  const intent = { use: 'builder', wallet: seen.wallet, idempotencyKey } as const;
  const found = (['key', 'seed'] as const).find((addressing) => {
    using stakeKey = ctx.chain.stakeKeys.derive({ ...intent, addressing });
    return stakeKey.address === seen.stakeAccount;
  });
  return found ?? null;
};

/**
 * Replaces a missing or outdated signature of the derived stake account. Returns the transaction unchanged
 * unless the wallet's signature is valid, the verifier finds our stake with only ComputeBudget instructions and
 * wallet guards added, and the key derives the address.
 */
export const cosign = (
  ctx: Context,
  wire: WireTransaction,
  seen: Recognized,
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

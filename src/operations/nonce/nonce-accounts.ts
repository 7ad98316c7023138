// Reads the nonce accounts that this service creates for a wallet, at ten addresses derived from the wallet.
import { type Address, createAddressWithSeed } from '@solana/kit';
import { SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';
import { NONCE_SEEDS, nonceIn } from '../../domain/nonce-account.ts';
import type { Context } from '../context.ts';

/** One of the ten addresses. */
export interface NonceSlot {
  readonly seed: string;
  readonly address: Address;
  readonly lamports: bigint;
  /** The current value; null if the wallet has no nonce account at this address. */
  readonly value: string | null;
}

/**
 * Reads all ten accounts at one slot. Throws `AppError('UPSTREAM_UNAVAILABLE')` if no RPC node returns a
 * usable response.
 */
export const readNonceSlots = async (
  { chain: { reads } }: Context,
  wallet: Address,
  signal: AbortSignal,
): Promise<readonly NonceSlot[]> => {
  const addresses = await Promise.all(
    NONCE_SEEDS.map((seed) =>
      createAddressWithSeed({ baseAddress: wallet, programAddress: SYSTEM_PROGRAM, seed }),
    ),
  );
  const { accounts } = await reads.accounts(addresses, { signal });
  return addresses.map((address, index) => {
    const account = accounts[index];
    const decoded = account ? nonceIn(account) : null;
    return {
      seed: NONCE_SEEDS[index]!,
      address,
      lamports: account?.lamports ?? 0n,
      value: decoded?.authority === wallet ? decoded.value : null,
    };
  });
};

// Decodes nonce accounts of the System program, and names those that this service creates.
import type { Address } from '@solana/kit';
import { SYSTEM_PROGRAM } from './instruction-programs.ts';
import { readAddressAt } from './read-address-at.ts';
import { STAKE_ACCOUNT_BYTES } from './stake/stake-account.ts';

/** Size of a nonce account: version u32, state u32, authority, value, fee per signature u64 (Agave). */
export const NONCE_ACCOUNT_BYTES = 80;
const STATE_OFFSET = 4;
const INITIALIZED = 1;
const AUTHORITY_OFFSET = 8;
const VALUE_OFFSET = 40;

export interface NonceAccount {
  /** The only address that can use, advance and close the account. */
  readonly authority: Address;
  /** Base58 of the current value, which transactions use in place of a recent blockhash. */
  readonly value: string;
}

/** Decodes an account's data. Returns null unless it begins with an initialized nonce. */
export const decodeNonceAccount = (data: Uint8Array): NonceAccount | null =>
  data.length >= NONCE_ACCOUNT_BYTES && data[STATE_OFFSET] === INITIALIZED
    ? { authority: readAddressAt(data, AUTHORITY_OFFSET), value: readAddressAt(data, VALUE_OFFSET) }
    : null;

/** Returns the nonce if the account belongs to the System program and holds only a nonce; otherwise null. */
export const nonceIn = ({
  owner,
  data,
}: {
  readonly owner: Address;
  readonly data: Uint8Array;
}): NonceAccount | null =>
  owner === SYSTEM_PROGRAM && data.length === NONCE_ACCOUNT_BYTES ? decodeNonceAccount(data) : null;

/**
 * Seeds of a wallet's nonce accounts. Their ten addresses can be read in one call, whereas public RPC nodes
 * refuse to search the System program's accounts.
 */
export const NONCE_SEEDS: readonly string[] = Array.from(
  { length: 10 },
  (_, index) => `holdfast-nonce-${index}`,
);

/**
 * Computes the rent-exempt minimum of a nonce account. The runtime charges for 128 bytes plus the data at one
 * rate, so the result is between that of an account without data and that of a stake account with 200 bytes.
 */
export const nonceRentLamports = ({
  stakeRentLamports,
  walletRentLamports,
}: {
  readonly stakeRentLamports: bigint;
  readonly walletRentLamports: bigint;
}): bigint =>
  walletRentLamports +
  ((stakeRentLamports - walletRentLamports) * BigInt(NONCE_ACCOUNT_BYTES)) / BigInt(STAKE_ACCOUNT_BYTES);

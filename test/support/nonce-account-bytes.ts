// The data of a nonce account.
import type { Address } from '@solana/kit';
import { keyBytes } from './truth-message.ts';

/** Builds the data: version 1, initialized, the authority, an arbitrary value, and the fee per signature. */
export const nonceAccountBytes = (authority: Address): Uint8Array =>
  Uint8Array.from([
    ...[1, 0, 0, 0, 1, 0, 0, 0],
    ...keyBytes(authority),
    ...new Uint8Array(32).fill(99),
    ...[136, 19, 0, 0, 0, 0, 0, 0],
  ]);

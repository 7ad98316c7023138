// The address that stands somewhere in an account's bytes, as the chain writes it.
import type { Address } from '@solana/kit';
import { encodeBase58 } from '../../kernel/base58.ts';

/** Base58 of the 32 bytes of `data` at `offset`. */
export const addressAt = (data: Uint8Array, offset: number): Address =>
  encodeBase58(data, offset, offset + 32) as Address;

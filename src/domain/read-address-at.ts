// Reads the address at an offset of an account's bytes.
import type { Address } from '@solana/kit';
import { encodeBase58 } from '../kernel/base58.ts';

/** Encodes the 32 bytes of `data` at `offset` as base58. */
export const readAddressAt = (data: Uint8Array, offset: number): Address =>
  encodeBase58(data, offset, offset + 32) as Address;

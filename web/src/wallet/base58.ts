// Encodes public keys and signatures with the service's own base58, without a library.
import { encodeBase58 } from '../../../src/kernel/base58.ts';

/** Base58 of 32 or 64 bytes. */
export const toBase58 = (bytes: ArrayLike<number>): string => encodeBase58(Uint8Array.from(bytes));

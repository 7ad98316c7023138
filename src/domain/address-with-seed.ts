// Derives an address from a base, a seed and a program, as the System program's seed instructions do.
import type { Address } from '@solana/kit';
import { encodeBase58, writeBase58Key } from '../kernel/base58.ts';
import { sha256 } from '../kernel/sha256.ts';

/** Maximum length of a seed in bytes. The chain refuses longer ones. */
const MAX_SEED_BYTES = 32;

const PROGRAM_DERIVED = 'ProgramDerivedAddress';

/**
 * Returns SHA-256(base ‖ seed ‖ program). Only the base can sign for the address. Returns null for input that
 * the chain refuses: a seed that is too long, or a program whose address ends with the marker of
 * program-derived addresses.
 */
export const addressWithSeed = (base: Address, seed: string, program: Address): Address | null => {
  const seedBytes = new TextEncoder().encode(seed);
  if (seedBytes.length > MAX_SEED_BYTES) return null;
  const bytes = new Uint8Array(64 + seedBytes.length);
  writeBase58Key(base, bytes.subarray(0, 32));
  bytes.set(seedBytes, 32);
  writeBase58Key(program, bytes.subarray(32 + seedBytes.length));
  return new TextDecoder().decode(bytes.subarray(-PROGRAM_DERIVED.length)) === PROGRAM_DERIVED
    ? null
    : (encodeBase58(sha256(bytes)) as Address);
};

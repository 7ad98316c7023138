// Computes a transaction's network fees from the transaction itself.
import type { Address } from '@solana/kit';
import { U64_MAX } from '../../kernel/u64.ts';
import type { DecodedInstruction } from '../instruction-types.ts';

/** Base fee for each required signature. */
export const LAMPORTS_PER_SIGNATURE = 5000n;

// Without a limit, the runtime grants up to 200,000 units per instruction and at most 1,400,000 in total.
const DEFAULT_UNITS = 200_000n;
const MAX_UNITS = 1_400_000n;

/** The runtime's sums saturate at the maximum 64-bit integer. */
const saturated = (lamports: bigint): bigint => (lamports > U64_MAX ? U64_MAX : lamports);

/**
 * Computes the priority fee in lamports, rounded up like the runtime: compute unit price × limit, or the
 * value in a version 1 header. This is an upper bound if no limit is set.
 */
export const priorityFeeLamports = (
  instructions: readonly Pick<DecodedInstruction<Address | null>, 'data'>[],
  headerPriorityFeeLamports: bigint | null = null,
): bigint => {
  if (headerPriorityFeeLamports !== null) return headerPriorityFeeLamports;
  let microLamports = 0n;
  let units: bigint | null = null;
  for (const { data } of instructions) {
    if (data.type === 'computeBudget.setComputeUnitPrice') microLamports = data.microLamports;
    if (data.type === 'computeBudget.setComputeUnitLimit') units = BigInt(data.units);
  }
  const asked = units ?? DEFAULT_UNITS * BigInt(instructions.length);
  return saturated((microLamports * (asked < MAX_UNITS ? asked : MAX_UNITS) + 999_999n) / 1_000_000n);
};

/**
 * Computes the base fee plus the priority fee, in lamports. Precompile signatures cost the same as those of
 * the transaction itself.
 */
export const networkFeeLamports = (
  signatureCount: number,
  instructions: readonly DecodedInstruction<Address | null>[],
  headerPriorityFeeLamports: bigint | null = null,
): bigint =>
  saturated(
    LAMPORTS_PER_SIGNATURE * BigInt(instructions.reduce(addSignatures, signatureCount)) +
      priorityFeeLamports(instructions, headerPriorityFeeLamports),
  );

const addSignatures = (count: number, { data }: DecodedInstruction<Address | null>): number =>
  data.type === 'precompile.verify' ? count + data.signatures : count;

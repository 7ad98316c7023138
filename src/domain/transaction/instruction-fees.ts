// Computes a transaction's network fee from its instructions, and the priority fee that this service builds into one.
import type { Address } from '@solana/kit';
import { U64_MAX } from '../../kernel/u64.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../instruction-programs.ts';
import type { DecodedInstruction } from '../instruction-types.ts';
import type { MachineOperation } from '../machine/stake-machine-state.ts';

/** Base fee for each required signature. */
export const LAMPORTS_PER_SIGNATURE = 5000n;

// Without a limit, the runtime grants up to 200,000 units per instruction and at most 1,400,000 in total.
const DEFAULT_UNITS = 200_000n;
const MAX_UNITS = 1_400_000n;

/** The runtime's sums saturate at the maximum 64-bit integer. */
const saturated = (lamports: bigint): bigint => (lamports > U64_MAX ? U64_MAX : lamports);

const MICRO = 1_000_000n;

/**
 * The limit and the price that the Compute Budget instructions set. If one is set twice, the last instruction
 * applies. The limit is null and the price 0 if not set.
 */
export const computeBudgetOf = (
  instructions: readonly Pick<DecodedInstruction<Address | null>, 'data'>[],
): { readonly computeUnitLimit: number | null; readonly microLamportsPerUnit: bigint } => {
  let computeUnitLimit: number | null = null;
  let microLamportsPerUnit = 0n;
  for (const { data } of instructions) {
    if (data.type === 'computeBudget.setComputeUnitPrice') microLamportsPerUnit = data.microLamports;
    if (data.type === 'computeBudget.setComputeUnitLimit') computeUnitLimit = data.units;
  }
  return { computeUnitLimit, microLamportsPerUnit };
};

/**
 * Computes the priority fee in lamports, rounded up like the runtime: compute unit price × limit, or the
 * value in a version 1 header. This is an upper bound if no limit is set.
 */
export const priorityFeeLamports = (
  instructions: readonly Pick<DecodedInstruction<Address | null>, 'data'>[],
  headerPriorityFeeLamports: bigint | null = null,
): bigint => {
  if (headerPriorityFeeLamports !== null) return headerPriorityFeeLamports;
  const { microLamportsPerUnit, computeUnitLimit } = computeBudgetOf(instructions);
  const asked =
    computeUnitLimit === null ? DEFAULT_UNITS * BigInt(instructions.length) : BigInt(computeUnitLimit);
  return saturated((microLamportsPerUnit * (asked < MAX_UNITS ? asked : MAX_UNITS) + MICRO - 1n) / MICRO);
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

/** A price per compute unit, and the highest priority fee that the caller accepts for one transaction. */
export interface UnitPrice {
  /** Micro-lamports per compute unit. */
  readonly microLamports: bigint;
  readonly maxFeeLamports: bigint;
}

/** The priority fee of one transaction: `lamports` = `computeUnitLimit` × `microLamportsPerUnit` ÷ 10^6, rounded up. */
export interface PriorityFee {
  readonly computeUnitLimit: number;
  readonly microLamportsPerUnit: bigint;
  readonly lamports: bigint;
}

type OperationType = MachineOperation['type'];
/** The part of an operation that decides its units. */
type TypedOperation = Pick<MachineOperation, 'type'>;

/**
 * The most compute units that each operation used in 1,918 random transactions and in the sandbox, on the
 * Stake program v5.0, November 2026. FEE-1 repeats the measurement. Operations of the System program take a
 * fixed 150.
 */
export const OPERATION_UNITS: Readonly<Record<OperationType, number>> = {
  create: 150,
  transfer: 150,
  initialize: 8_046,
  delegate: 13_773,
  deactivate: 11_215,
  split: 17_142,
  merge: 16_708,
  moveStake: 20_870,
  moveLamports: 12_103,
  withdraw: 8_379,
  authorize: 12_840,
  setLockup: 11_961,
};

/** Units of a memo: a fixed part, and for each byte. The memo program's documentation says 566 bytes for 200,000 units. */
const MEMO_UNITS = 2_000;
const MEMO_UNITS_PER_BYTE = 354;
/** Each of the two instructions that set limit and price. */
const BUDGET_UNITS = 150;
/** Margin over the measured units, percent. */
const MARGIN_PERCENT = 115;

/**
 * The limit for a transaction of these operations with a memo of `memoBytes` (0 without a memo). At most
 * 1,400,000.
 */
export const computeUnitLimit = (operations: readonly TypedOperation[], memoBytes: number): number => {
  const memo = memoBytes === 0 ? 0 : MEMO_UNITS + MEMO_UNITS_PER_BYTE * memoBytes;
  const units = operations.reduce((sum, { type }) => sum + OPERATION_UNITS[type], 2 * BUDGET_UNITS + memo);
  return Math.min(Math.ceil((units * MARGIN_PERCENT) / 100), Number(MAX_UNITS));
};

/** The fee at `price`, lowered to the highest price that the caller accepts. Null if it would be 0. */
export const priorityFeeOf = (
  price: UnitPrice | undefined,
  operations: readonly TypedOperation[],
  memoBytes: number,
): PriorityFee | null => {
  if (price === undefined) return null;
  const limit = computeUnitLimit(operations, memoBytes);
  const most = (price.maxFeeLamports * MICRO) / BigInt(limit);
  const microLamportsPerUnit = price.microLamports < most ? price.microLamports : most;
  if (microLamportsPerUnit <= 0n) return null;
  const lamports = (microLamportsPerUnit * BigInt(limit) + MICRO - 1n) / MICRO;
  return { computeUnitLimit: limit, microLamportsPerUnit, lamports };
};

/** Bytes that the two instructions and their program add to a transaction: 32 + 8 + 12. */
export const COMPUTE_BUDGET_BYTES = 52;

/** The instructions that set limit and price. */
export const computeBudgetInstructions = ({ computeUnitLimit: units, microLamportsPerUnit }: PriorityFee) => {
  const limit = new DataView(new ArrayBuffer(5));
  limit.setUint8(0, 2);
  limit.setUint32(1, units, true);
  const price = new DataView(new ArrayBuffer(9));
  price.setUint8(0, 3);
  price.setBigUint64(1, microLamportsPerUnit, true);
  return [limit, price].map(({ buffer }) => ({
    programAddress: COMPUTE_BUDGET_PROGRAM,
    data: new Uint8Array(buffer),
  }));
};

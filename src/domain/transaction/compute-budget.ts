// Computes the compute unit limit of a transaction that this service builds, and its priority fee at a given price.
import { COMPUTE_BUDGET_PROGRAM } from '../instruction-programs.ts';
import type { MachineOperation } from '../machine/stake-machine-state.ts';

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

/**
 * The most compute units that each operation used in 1,918 random transactions and in the sandbox, on the Stake program v5.0, November 2026. FEE-1 measures again.
 * Operations of the System program take a fixed 150.
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
const MICRO = 1_000_000n;

/** The limit for a transaction of these operations with a memo of `memoBytes`; 0: no memo. At most 1,400,000. */
export const computeUnitLimit = (operations: readonly OperationType[], memoBytes: number): number => {
  const memo = memoBytes === 0 ? 0 : MEMO_UNITS + MEMO_UNITS_PER_BYTE * memoBytes;
  const units = operations.reduce((sum, type) => sum + OPERATION_UNITS[type], 2 * BUDGET_UNITS + memo);
  return Math.min(Math.ceil((units * MARGIN_PERCENT) / 100), 1_400_000);
};

/** The fee at `price`, lowered to the highest price that the caller accepts. Null if it would be 0. */
export const priorityFeeOf = (
  price: UnitPrice | undefined,
  operations: readonly OperationType[],
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

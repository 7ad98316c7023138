// Computes a transaction's network fee from its instructions or its header, and the fee and limits that this
// service sets in its own transactions.
import type { Address } from '@solana/kit';
import { U64_MAX } from '../../kernel/u64.ts';
import { COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAMS, STAKE_PROGRAM } from '../instruction-programs.ts';
import type { DecodedInstruction } from '../instruction-types.ts';
import type { MachineOperation } from '../machine/stake-machine-state.ts';
import { STAKE_HISTORY_ADDRESS } from '../stake/stake-history.ts';

/** Base fee for each required signature. */
export const LAMPORTS_PER_SIGNATURE = 5000n;

/** Highest priority fee that the verifier accepts by default. */
export const DEFAULT_MAX_PRIORITY_FEE_LAMPORTS = 10_000_000n;

// Without a limit, the runtime grants up to 200,000 units per instruction and at most 1,400,000 in total.
const DEFAULT_UNITS = 200_000n;
const MAX_UNITS = 1_400_000n;

/** Limits a sum to the maximum 64-bit integer, at which the runtime's sums saturate. */
const saturated = (lamports: bigint): bigint => (lamports > U64_MAX ? U64_MAX : lamports);

const MICRO = 1_000_000n;

/**
 * Fee and limits in the header of a version 1 message. The runtime also treats values that are not set as 0.
 */
export interface HeaderBudget {
  readonly priorityFeeLamports: bigint;
  readonly computeUnitLimit: number;
  /** Maximum number of bytes of account data that the transaction may load, including programs. */
  readonly loadedAccountsDataBytes: number;
  readonly heapBytes: number;
}

/** Heap size of a transaction that does not request another. */
export const DEFAULT_HEAP_BYTES = 32_768;

/** The parts of a message that determine its priority fee. */
export interface BudgetFacts {
  readonly instructions: readonly Pick<DecodedInstruction<Address | null>, 'data'>[];
  /** Null or absent in versions other than 1. */
  readonly headerBudget?: HeaderBudget | null;
}

/** The compute unit limit, price and fee of a message. */
interface ComputeBudget {
  /** Null if not set. */
  readonly computeUnitLimit: number | null;
  /** In a version 1 header: the fee divided by the limit, rounded down. */
  readonly microLamportsPerUnit: bigint;
  /** An upper bound if the message has a price but no limit. */
  readonly priorityFeeLamports: bigint;
}

/**
 * Reads the header of a version 1 message, or the Compute Budget instructions of others. If a value is set
 * twice, the last instruction applies. The fee is rounded up, as in the runtime.
 */
export const computeBudgetOf = ({ instructions, headerBudget }: BudgetFacts): ComputeBudget => {
  if (headerBudget) {
    const { computeUnitLimit, priorityFeeLamports } = headerBudget;
    const microLamportsPerUnit =
      computeUnitLimit === 0 ? 0n : (priorityFeeLamports * MICRO) / BigInt(computeUnitLimit);
    return { computeUnitLimit, microLamportsPerUnit, priorityFeeLamports };
  }
  let computeUnitLimit: number | null = null;
  let microLamportsPerUnit = 0n;
  for (const { data } of instructions) {
    if (data.type === 'computeBudget.setComputeUnitPrice') microLamportsPerUnit = data.microLamports;
    if (data.type === 'computeBudget.setComputeUnitLimit') computeUnitLimit = data.units;
  }
  const asked =
    computeUnitLimit === null ? DEFAULT_UNITS * BigInt(instructions.length) : BigInt(computeUnitLimit);
  const units = asked < MAX_UNITS ? asked : MAX_UNITS;
  const priorityFeeLamports = saturated((microLamportsPerUnit * units + MICRO - 1n) / MICRO);
  return { computeUnitLimit, microLamportsPerUnit, priorityFeeLamports };
};

/** Computes the priority fee in lamports: compute unit price × limit, or the value in a version 1 header. */
export const priorityFeeLamports = (message: BudgetFacts): bigint =>
  computeBudgetOf(message).priorityFeeLamports;

/**
 * Computes the base fee plus the priority fee, in lamports. Precompile signatures cost the same as transaction
 * signatures.
 */
export const networkFeeLamports = (
  message: BudgetFacts & { readonly requiredSigners: readonly Address[] },
): bigint =>
  saturated(
    LAMPORTS_PER_SIGNATURE *
      BigInt(message.instructions.reduce(addSignatures, message.requiredSigners.length)) +
      priorityFeeLamports(message),
  );

const addSignatures = (count: number, { data }: BudgetFacts['instructions'][number]): number =>
  data.type === 'precompile.verify' ? count + data.signatures : count;

/** A price per compute unit, and the highest priority fee that the caller accepts for one transaction. */
export interface UnitPrice {
  /** Micro-lamports per compute unit. */
  readonly microLamports: bigint;
  readonly maxFeeLamports: bigint;
}

/**
 * The priority fee of one transaction: `lamports` = `computeUnitLimit` × `microLamportsPerUnit` ÷ 10^6,
 * rounded up.
 */
export interface PriorityFee {
  readonly computeUnitLimit: number;
  readonly microLamportsPerUnit: bigint;
  readonly lamports: bigint;
}

type OperationType = MachineOperation['type'];
/** The part of an operation that determines its compute units. */
type TypedOperation = Pick<MachineOperation, 'type'>;

/**
 * Maximum number of compute units used by each operation in 10,000 random transactions and in the sandbox, on
 * the Stake program v5.0, November 2026. The test of guarantee FEE-1 repeats the measurement. Operations of the
 * System program always use 150.
 */
export const OPERATION_UNITS: Readonly<Record<OperationType, number>> = {
  create: 150,
  transfer: 150,
  initialize: 8_046,
  delegate: 13_773,
  deactivate: 11_215,
  split: 17_142,
  merge: 16_782,
  moveStake: 20_875,
  moveLamports: 12_103,
  withdraw: 8_379,
  authorize: 12_840,
  setLockup: 11_961,
};

/**
 * Compute units of a memo: a fixed part plus an amount per byte. The memo program's documentation states 566
 * bytes for 200,000 units.
 */
const MEMO_UNITS = 2_000;
const MEMO_UNITS_PER_BYTE = 354;
/** Compute units of each of the two instructions that set limit and price. */
const BUDGET_UNITS = 150;
/** The measured units plus a margin, in percent. */
const MARGIN_PERCENT = 115;

/**
 * Computes the compute unit limit for a transaction with these operations and a memo of `memoBytes` (0
 * without a memo). At most 1,400,000.
 */
export const computeUnitLimit = (operations: readonly TypedOperation[], memoBytes: number): number => {
  const memo = memoBytes === 0 ? 0 : MEMO_UNITS + MEMO_UNITS_PER_BYTE * memoBytes;
  const units = operations.reduce((sum, { type }) => sum + OPERATION_UNITS[type], 2 * BUDGET_UNITS + memo);
  return Math.min(Math.ceil((units * MARGIN_PERCENT) / 100), Number(MAX_UNITS));
};

/**
 * Computes the priority fee at `price`, lowered so that it does not exceed the highest fee that the caller
 * accepts. Returns null if it would be 0.
 */
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

// According to SIMD-0186, each account counts with its data plus 64 bytes, and each program with its image.
const ACCOUNT_OVERHEAD_BYTES = 64;

/**
 * Bytes for which accounts count. The program images are Stake v5.1.0, including its program account, and
 * Memo v3, from the crate solana-program-binaries 4.2.2. The sysvars are those of the sandbox and of Agave
 * 4.1, November 2026.
 */
const ACCOUNT_BYTES: ReadonlyMap<string, number> = new Map([
  [STAKE_PROGRAM, 36 + ACCOUNT_OVERHEAD_BYTES + 45 + 212_056],
  ...MEMO_PROGRAMS.map((program) => [program, 74_800] as const),
  [STAKE_HISTORY_ADDRESS, 16_392],
  ['SysvarRecentB1ockHashes11111111111111111111', 6_008],
]);
/** Size of the largest other account, which is a vote account. */
const OTHER_ACCOUNT_BYTES = 3_762;

/**
 * Computes the account data limit of a version 1 transaction that names these accounts and programs, each of
 * them once.
 */
export const loadedAccountsDataBytes = (addresses: readonly Address[]): number => {
  const bytes = addresses.reduce(
    (sum, one) => sum + ACCOUNT_OVERHEAD_BYTES + (ACCOUNT_BYTES.get(one) ?? OTHER_ACCOUNT_BYTES),
    0,
  );
  return Math.ceil((bytes * MARGIN_PERCENT) / 100);
};

/** Bytes that the two instructions and their program add to a transaction: 32 + 8 + 12. */
export const COMPUTE_BUDGET_BYTES = 52;

/** Builds the instructions that set limit and price. */
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

// Runs the real Stake program in this process. The test controls the sysvars that affect stakes.
import { type Address, getTransactionDecoder, type Instruction } from '@solana/kit';
import { Clock, EpochRewards, FailedTransactionMetadata, LiteSVM, Rent } from 'litesvm';
import { STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import type { OwnedAccount } from '../../src/domain/stake/stake-account.ts';
import {
  decodeStakeHistory,
  STAKE_HISTORY_ADDRESS,
  type StakeArithmetic,
  type StakeHistory,
  type StakeHistoryEntry,
} from '../../src/domain/stake/stake-history.ts';
import { compileUnsigned } from './truth-message.ts';

/**
 * Null if accepted, otherwise the runtime's error: `Custom 12` (InsufficientDelegation), `InsufficientFunds`, …
 */
export type Refusal = string | null;

const SYSTEM = '11111111111111111111111111111111' as Address;
const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111' as Address;
const HISTORY_ADDRESS = STAKE_HISTORY_ADDRESS as Address;
const HISTORY_ENTRIES = 512n;
const STAKE_BYTES = 200n;
const SLOTS_PER_EPOCH = 432_000n;

// The runtime returns errors without fields only as numbers.
const INSTRUCTION_ERRORS: Readonly<Record<number, string>> = {
  1: 'InvalidArgument',
  2: 'InvalidInstructionData',
  3: 'InvalidAccountData',
  5: 'InsufficientFunds',
  6: 'IncorrectProgramId',
  7: 'MissingRequiredSignature',
  8: 'AccountAlreadyInitialized',
  9: 'UninitializedAccount',
  44: 'InvalidAccountOwner',
};

/** An error and the index of the instruction that raised it, or null if the transaction as a whole failed. */
export interface TruthRefusal {
  readonly operation: number | null;
  readonly code: string;
}

const refusalOf = (failed: FailedTransactionMetadata): TruthRefusal => {
  const error = failed.err();
  if (String(error).includes('InsufficientFundsForRent'))
    return { operation: null, code: 'InsufficientFundsForRent' };
  if (typeof error !== 'object' || !('err' in error))
    return { operation: null, code: `Transaction ${String(error)}` };
  const inner = error.err();
  const operation = error.index;
  if (typeof inner === 'number')
    return { operation, code: INSTRUCTION_ERRORS[inner] ?? `Instruction ${inner}` };
  return { operation, code: 'code' in inner ? `Custom ${inner.code}` : String(inner) };
};

const nameOf = (failed: FailedTransactionMetadata): string => refusalOf(failed).code;

/** A runtime. Sequences share it and use different addresses. */
export class TruthRuntime {
  /** Version of the Stake program whose arithmetic is under test. */
  readonly arithmetic: StakeArithmetic;
  readonly payer: Address;
  #svm = new LiteSVM().withSigverify(false).withBlockhashCheck(false).withTransactionHistory(0n);
  #history: StakeHistory = new Map();
  #rewards = false;
  epoch = 0n;
  unixTimestamp = 0n;

  /** Runs litesvm's Stake program v5.0, or the image of v5.1 if given. */
  constructor(payer: Address, integerImage?: Uint8Array) {
    this.payer = payer;
    this.arithmetic = integerImage ? 'integer' : 'float64';
    if (integerImage) this.#svm.addProgram(STAKE_PROGRAM, integerImage);
    this.setAccount({ address: payer, owner: SYSTEM, lamports: 10n ** 18n, data: new Uint8Array() });
  }

  addProgram(address: Address, image: Uint8Array): void {
    this.#svm.addProgram(address, image);
  }

  transactions = 0;

  send(instructions: readonly Instruction[]): Refusal {
    return this.run(instructions)?.code ?? null;
  }

  /** Sends like `send`, and also reports which instruction was refused. Another address may pay the fee. */
  run(instructions: readonly Instruction[], payer = this.payer): TruthRefusal | null {
    this.transactions += 1;
    const result = this.#svm.sendTransaction(compileUnsigned(payer, instructions));
    return result instanceof FailedTransactionMetadata ? refusalOf(result) : null;
  }

  /** Runs a signed transaction unchanged. Does not verify signatures. */
  runWire(wire: Uint8Array): TruthRefusal | null {
    this.transactions += 1;
    const result = this.#svm.sendTransaction(getTransactionDecoder().decode(wire) as never);
    return result instanceof FailedTransactionMetadata ? refusalOf(result) : null;
  }

  /**
   * Runs a signed transaction like `runWire`. Returns the compute units of each instruction, in order, and
   * their total.
   */
  measureWire(wire: Uint8Array): {
    readonly refusal: TruthRefusal | null;
    readonly units: bigint;
    readonly logs: readonly string[];
  } {
    this.transactions += 1;
    const result = this.#svm.sendTransaction(getTransactionDecoder().decode(wire) as never);
    const isFailed = result instanceof FailedTransactionMetadata;
    const meta = isFailed ? result.meta() : result;
    return {
      refusal: isFailed ? refusalOf(result) : null,
      units: meta.computeUnitsConsumed(),
      logs: meta.logs(),
    };
  }

  /** Returns the result that a transaction would have now, without changing anything. */
  simulate(instructions: readonly Instruction[], payer = this.payer): Refusal {
    this.transactions += 1;
    const result = this.#svm.simulateTransaction(compileUnsigned(payer, instructions));
    return result instanceof FailedTransactionMetadata ? nameOf(result) : null;
  }

  /** Returns the return data of a simulated instruction. */
  ask(instruction: Instruction): Uint8Array {
    const result = this.#svm.simulateTransaction(compileUnsigned(this.payer, [instruction]));
    if (result instanceof FailedTransactionMetadata) throw new Error(nameOf(result));
    return result.meta().returnData().data();
  }

  account(address: Address): OwnedAccount | null {
    const found = this.#svm.getAccount(address);
    if (!found.exists) return null;
    return {
      address,
      owner: found.programAddress,
      lamports: found.lamports,
      data: new Uint8Array(found.data),
    };
  }

  setAccount({ address, owner, lamports, data }: OwnedAccount): void {
    this.#svm.setAccount({
      address,
      programAddress: owner,
      lamports: lamports as never,
      data,
      executable: false,
      space: BigInt(data.length),
    });
  }

  get stakeRentLamports(): bigint {
    return this.rentLamports(STAKE_BYTES);
  }

  /** Returns the rent-exempt minimum of an account with `bytes` bytes of data. */
  rentLamports(bytes: bigint): bigint {
    return this.#svm.minimumBalanceForRentExemption(bytes);
  }

  setRentPerByte(lamportsPerByte: bigint): void {
    this.#svm.setRent(new Rent(lamportsPerByte, 1, 50));
  }

  get epochRewardsActive(): boolean {
    return this.#rewards;
  }

  setEpochRewardsActive(active: boolean): void {
    this.#rewards = active;
    this.#svm.setEpochRewards(new EpochRewards(0n, 1n, SYSTEM, 0n, 0n, 0n, active));
  }

  /** Reads the runtime's sysvar with Holdfast's decoder. */
  get history(): StakeHistory {
    return this.#history;
  }

  /**
   * Enters `epoch` with the newest 512 of `entries`. They must include every earlier epoch, because the program
   * assumes that none is missing.
   */
  enterEpoch(epoch: bigint, unixTimestamp: bigint, entries: (epoch: bigint) => StakeHistoryEntry): void {
    this.epoch = epoch;
    this.unixTimestamp = unixTimestamp;
    this.#svm.setClock(new Clock(epoch * SLOTS_PER_EPOCH, unixTimestamp, epoch, epoch + 1n, unixTimestamp));
    const count = epoch < HISTORY_ENTRIES ? epoch : HISTORY_ENTRIES;
    const data = new Uint8Array(8 + 32 * Number(count));
    const view = new DataView(data.buffer);
    view.setBigUint64(0, count, true);
    for (let i = 0; i < Number(count); i += 1) {
      const ended = epoch - 1n - BigInt(i);
      const entry = entries(ended);
      view.setBigUint64(8 + 32 * i, ended, true);
      view.setBigUint64(16 + 32 * i, entry.effectiveLamports, true);
      view.setBigUint64(24 + 32 * i, entry.activatingLamports, true);
      view.setBigUint64(32 + 32 * i, entry.deactivatingLamports, true);
    }
    this.setAccount({ address: HISTORY_ADDRESS, owner: SYSVAR_OWNER, lamports: 10n ** 9n, data });
    this.#history = decodeStakeHistory(this.account(HISTORY_ADDRESS)!.data, this.arithmetic);
  }

  /** Sets the time within the epoch, on which lockups depend. */
  setTime(unixTimestamp: bigint): void {
    this.unixTimestamp = unixTimestamp;
    this.#svm.setClock(
      new Clock(this.epoch * SLOTS_PER_EPOCH, unixTimestamp, this.epoch, this.epoch + 1n, unixTimestamp),
    );
  }
}

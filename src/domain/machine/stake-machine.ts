// Simulates Stake program instructions exactly, in order and atomically; refusals carry the program's own error code.
import type { Address } from '@solana/kit';
import { stakeInstructions } from './stake-instructions.ts';
import {
  lamportsAt,
  type MachineAccounts,
  type MachineChain,
  type MachineOperation,
  MachineState,
  type RefusalCode,
} from './stake-machine-state.ts';

/** Why a transaction was refused; `operation` is the index of the instruction, null when the transaction as a whole failed. */
export interface MachineRefusal {
  readonly operation: number | null;
  readonly code: RefusalCode;
}

/** The accounts after all operations, or the first refusal. */
type MachineResult =
  | { readonly ok: true; readonly accounts: MachineAccounts }
  | { readonly ok: false; readonly refusal: MachineRefusal };

/** The size of what a rent is paid for, beside the data: the chain adds it to each account. */
const OVERHEAD_BYTES = 128n;
const STAKE_BYTES = 200n;

const refused = (operation: number | null, code: RefusalCode): MachineResult => ({
  ok: false,
  refusal: { operation, code },
});

const signersOf = (operation: MachineOperation): readonly Address[] => {
  if (operation.type === 'create') return [operation.payer, operation.account];
  if (operation.type === 'transfer') return [operation.from];
  if (operation.type === 'initialize') return [];
  const custodian = 'custodian' in operation ? operation.custodian : undefined;
  return custodian === undefined ? [operation.authority] : [operation.authority, custodian];
};

/**
 * The result of one transaction with these instructions. Fees are not part of it: take them from the payer's wallet beforehand.
 * Each instruction is signed by the authority, and custodian, it names. An address in neither map is an account that does not exist.
 */
export const applyOperations = (
  operations: readonly MachineOperation[],
  accounts: MachineAccounts,
  chain: MachineChain,
): MachineResult => {
  const state = new MachineState(accounts, chain, new Set(operations.flatMap(signersOf)));
  for (const [index, operation] of operations.entries()) {
    // System's own instructions are accepted while rewards are being distributed.
    const isSystem = operation.type === 'create' || operation.type === 'transfer';
    const code =
      chain.epochRewardsActive && !isSystem
        ? 'Custom 16'
        : (
            stakeInstructions[operation.type] as (
              one: MachineOperation,
              on: MachineState,
            ) => RefusalCode | null
          )(operation, state);
    if (code !== null) return refused(index, code);
  }
  if (!state.touched().every((address) => paysRent(address, accounts, state))) {
    return refused(null, 'InsufficientFundsForRent');
  }
  return { ok: true, accounts: state.accounts() };
};

/** The least balance of an account without data that stays: a wallet's, lamports. */
export const walletRentLamports = (stakeRentLamports: bigint): bigint =>
  (stakeRentLamports * OVERHEAD_BYTES) / (OVERHEAD_BYTES + STAKE_BYTES);

/** An account may end empty or with its rent; one that had less before, because the rent rose, may not grow while it has less. */
const paysRent = (address: Address, before: MachineAccounts, after: MachineState): boolean => {
  const stake = after.stakes.get(address);
  const hasData = stake !== undefined && stake.kind !== 'empty';
  const rentOf = (withData: boolean): bigint =>
    withData ? after.chain.stakeRentLamports : walletRentLamports(after.chain.stakeRentLamports);
  const lamports = after.lamportsOf(address);
  if (lamports === 0n || lamports >= rentOf(hasData)) return true;
  const hadData = before.stakes.has(address);
  const lamportsBefore = lamportsAt(before, address);
  const wasShort = lamportsBefore > 0n && lamportsBefore < rentOf(hadData);
  return wasShort && hadData === hasData && lamports <= lamportsBefore;
};

// Simulates Stake program instructions exactly, in order and atomically. Refusals carry the program's own
// error code.
import type { Address } from '@solana/kit';
import { stakeInstructions } from './apply-stake-instructions.ts';
import {
  lamportsAt,
  type MachineAccounts,
  type MachineChain,
  type MachineOperation,
  MachineState,
  type RefusalCode,
  STAKE_ERROR,
} from './stake-machine-state.ts';

/**
 * Reason why a transaction was refused. `operation` is the index of the refused instruction, or null if the
 * transaction as a whole failed.
 */
export interface MachineRefusal {
  readonly operation: number | null;
  readonly code: RefusalCode;
}

/** The accounts after all operations, or the first refusal. */
type MachineResult =
  | { readonly ok: true; readonly accounts: MachineAccounts }
  | { readonly ok: false; readonly refusal: MachineRefusal };

/** Bytes that the chain adds to an account's data size when it computes the rent-exempt minimum. */
const OVERHEAD_BYTES = 128n;
const STAKE_BYTES = 200n;

const refused = (operation: number | null, code: RefusalCode): MachineResult => ({
  ok: false,
  refusal: { operation, code },
});

const signersOf = (operation: MachineOperation): readonly Address[] => {
  if (operation.type === 'create')
    return operation.seed === undefined ? [operation.payer, operation.account] : [operation.payer];
  if (operation.type === 'transfer') return [operation.from];
  if (operation.type === 'initialize') return [];
  const custodian = 'custodian' in operation ? operation.custodian : undefined;
  return custodian === undefined ? [operation.authority] : [operation.authority, custodian];
};

/**
 * Executes one transaction with these instructions. Fees are not included: subtract them from the payer's
 * wallet first. The named authorities and custodians are assumed to have signed. An address in neither map is
 * an account that does not exist.
 */
export const applyOperations = (
  operations: readonly MachineOperation[],
  accounts: MachineAccounts,
  chain: MachineChain,
): MachineResult => {
  const state = new MachineState(accounts, chain, new Set(operations.flatMap(signersOf)));
  for (const [index, operation] of operations.entries()) {
    // The System program accepts instructions even while rewards are being distributed.
    const isSystem = operation.type === 'create' || operation.type === 'transfer';
    const code =
      chain.epochRewardsActive && !isSystem
        ? STAKE_ERROR.EpochRewardsActive
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

/** Computes the minimum balance of an account without data, such as a wallet, in lamports. */
export const walletRentLamports = (stakeRentLamports: bigint): bigint =>
  (stakeRentLamports * OVERHEAD_BYTES) / (OVERHEAD_BYTES + STAKE_BYTES);

/**
 * Checks that an account ends up empty or rent-exempt. If it already had less because the rent-exempt minimum
 * rose, it may keep less but must not grow.
 */
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

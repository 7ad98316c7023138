// Computes the size of a transaction from its instructions, so that plans can put as many instructions as
// possible into one transaction.
import type { Address } from '@solana/kit';
import { withClassicAccounts } from '../machine/classic-accounts.ts';
import type { MachineOperation } from '../machine/stake-machine-state.ts';
import { COMPUTE_BUDGET_BYTES } from '../transaction/instruction-fees.ts';
import type { PlanInputs } from './plan.ts';

/**
 * Maximum planned size of a transaction. The network carries 1,232 bytes, and a version 0 transaction is two
 * bytes longer than the legacy transaction calculated here.
 */
export const MAX_PLANNED_BYTES = 1_230;

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const HEADER_BYTES = 3;
const BLOCKHASH_BYTES = 32;
/** The base address and the length field of the seed. The seed itself is ASCII and is added separately. */
const BASE_BYTES = 32 + 8;
const PROGRAMS = { stake: 'Stake program', system: 'System program' } as const;

interface Shape {
  readonly program: keyof typeof PROGRAMS;
  /** Accounts in instruction order, repeats included: each occurrence takes one index byte. */
  readonly accounts: readonly Address[];
  readonly dataBytes: number;
}

const optional = (bytes: number, value: unknown): number => (value === undefined ? 1 : 1 + bytes);

const shapeOf = (operation: MachineOperation): Shape => {
  const stake = (accounts: readonly (Address | undefined)[], dataBytes: number): Shape => ({
    program: 'stake',
    accounts: withClassicAccounts(
      operation.type,
      accounts.filter((one) => one !== undefined),
      (address) => address,
    ),
    dataBytes,
  });
  switch (operation.type) {
    case 'create':
      return {
        program: 'system',
        accounts: [operation.payer, operation.account],
        dataBytes: 52 + (operation.seed === undefined ? 0 : BASE_BYTES + operation.seed.length),
      };
    case 'transfer':
      return { program: 'system', accounts: [operation.from, operation.to], dataBytes: 12 };
    case 'initialize':
      return stake([operation.account], 116);
    case 'delegate':
      return stake([operation.account, operation.voteAccount, operation.authority], 4);
    case 'deactivate':
      return stake([operation.account, operation.authority], 4);
    case 'merge':
      return stake([operation.account, operation.from, operation.authority], 4);
    case 'split':
    case 'moveStake':
    case 'moveLamports':
      return stake([operation.account, operation.into, operation.authority], 12);
    case 'withdraw':
      return stake([operation.account, operation.to, operation.authority, operation.custodian], 12);
    case 'authorize':
      return stake([operation.account, operation.authority, operation.custodian], 40);
    case 'setLockup': {
      const { unixTimestamp, epoch, custodian } = operation.lockup;
      return stake(
        [operation.account, operation.authority],
        4 + optional(8, unixTimestamp) + optional(8, epoch) + optional(32, custodian),
      );
    }
  }
};

/** Accounts that must sign, including the payer. */
export const signersOf = (payer: Address, operations: readonly MachineOperation[]): ReadonlySet<Address> => {
  const signers = new Set([payer]);
  for (const operation of operations) {
    if (operation.type === 'create') {
      signers.add(operation.payer);
      if (operation.seed === undefined) signers.add(operation.account);
    } else if (operation.type === 'transfer') signers.add(operation.from);
    else if (operation.type !== 'initialize') {
      signers.add(operation.authority);
      if ('custodian' in operation && operation.custodian !== undefined) signers.add(operation.custodian);
    }
  }
  return signers;
};

/** Computes the size of a compact-u16, which holds 7 bits per byte. */
const countBytes = (count: number): number => (count < 0x80 ? 1 : 2);

/**
 * Computes the size of a legacy transaction of `world`'s wallet; a version 0 transaction is 2 bytes longer.
 * Includes the memo, and the Compute Budget instructions if a priority fee is paid.
 */
export const transactionBytes = (
  { wallet: payer, memoBytes, unitPrice }: Pick<PlanInputs, 'wallet' | 'memoBytes' | 'unitPrice'>,
  operations: readonly MachineOperation[],
): number => {
  const shapes = operations.map(shapeOf);
  const keys = new Set<string>([payer]);
  for (const { accounts, program } of shapes) {
    for (const account of accounts) keys.add(account);
    keys.add(PROGRAMS[program]);
  }
  const memo = memoBytes === 0 ? 0 : 2 + countBytes(memoBytes) + memoBytes;
  const keyCount = keys.size + (memo === 0 ? 0 : 1);
  const instructions = operations.length + (memo === 0 ? 0 : 1);
  const signatures = signersOf(payer, operations).size;
  return (
    (unitPrice === undefined ? 0 : COMPUTE_BUDGET_BYTES) +
    countBytes(signatures) +
    SIGNATURE_BYTES * signatures +
    HEADER_BYTES +
    countBytes(keyCount) +
    KEY_BYTES * keyCount +
    BLOCKHASH_BYTES +
    countBytes(instructions) +
    shapes.reduce(
      (sum, { accounts, dataBytes }) =>
        sum + 1 + countBytes(accounts.length) + accounts.length + countBytes(dataBytes) + dataBytes,
      memo,
    )
  );
};

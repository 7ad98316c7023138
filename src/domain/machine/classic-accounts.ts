// Accounts that the Stake program no longer reads but that Ledger's app, web3.js and RPC nodes expect in its
// instructions.
import type { Address } from '@solana/kit';
import type { MachineOperation } from './stake-machine-state.ts';

const CLOCK = 'SysvarC1ock11111111111111111111111111111111' as Address;
const STAKE_HISTORY = 'SysvarStakeHistory1111111111111111111111111' as Address;
const RENT = 'SysvarRent111111111111111111111111111111111' as Address;
const STAKE_CONFIG = 'StakeConfig11111111111111111111111111111111' as Address;

interface ClassicAccounts {
  /** Number of accounts before the classic accounts. */
  readonly after: number;
  readonly accounts: readonly Address[];
}

/**
 * Classic accounts by instruction. Split, moveStake, moveLamports and setLockup have none. Source: the
 * instructions of `@solana/web3.js` 1.98 and the parser of LedgerHQ/app-solana
 * (`libsol/stake_instruction.c`), read 2026-11. Stake v5 accepts both forms.
 */
const classicAccounts: Partial<Record<MachineOperation['type'], ClassicAccounts>> = {
  initialize: { after: 1, accounts: [RENT] },
  authorize: { after: 1, accounts: [CLOCK] },
  delegate: { after: 2, accounts: [CLOCK, STAKE_HISTORY, STAKE_CONFIG] },
  withdraw: { after: 2, accounts: [CLOCK, STAKE_HISTORY] },
  deactivate: { after: 1, accounts: [CLOCK] },
  merge: { after: 2, accounts: [CLOCK, STAKE_HISTORY] },
};

/** Inserts an instruction's classic accounts into the accounts that the program reads. */
export const withClassicAccounts = <Account>(
  type: MachineOperation['type'],
  accounts: readonly Account[],
  toAccount: (address: Address) => Account,
): readonly Account[] => {
  const classic = classicAccounts[type];
  return classic === undefined
    ? accounts
    : [
        ...accounts.slice(0, classic.after),
        ...classic.accounts.map(toAccount),
        ...accounts.slice(classic.after),
      ];
};

// State of the stake machine: accounts during a transaction, and the instruction types.
import type { Address } from '@solana/kit';
import type { Lockup, StakeAccount } from '../stake/stake-account.ts';
import type { StakeChainFacts } from '../stake/stake-state.ts';

/**
 * Properties of the cluster that instructions depend on, including the minimum delegation and the vote
 * accounts.
 */
export interface MachineChain extends StakeChainFacts {
  readonly minimumDelegationLamports: bigint;
  /** Credits by vote account. An address that is missing is not a vote account. */
  readonly voteCredits: ReadonlyMap<Address, bigint>;
}

interface BlankStakeAccount<Kind extends string> {
  readonly kind: Kind;
  readonly address: Address;
  readonly lamports: bigint;
}

/**
 * An account of the Stake program: decoded, created but not yet initialized, or closed and funded again
 * (`empty`).
 */
export type MachineAccount = StakeAccount | BlankStakeAccount<'uninitialized'> | BlankStakeAccount<'empty'>;

/** Every account that exists and that a transaction touches. */
export interface MachineAccounts {
  readonly stakes: ReadonlyMap<Address, MachineAccount>;
  /** Lamports by address of System accounts. */
  readonly wallets: ReadonlyMap<Address, bigint>;
}

interface Move<Type extends string> {
  readonly type: Type;
  readonly account: Address;
  readonly into: Address;
  readonly lamports: bigint;
  readonly authority: Address;
}

/** An instruction. Its `authority`, `custodian`, `payer` and paying wallets are assumed to have signed. */
export type MachineOperation =
  /**
   * Creates a 200-byte account owned by the Stake program. With `seed`, its address is derived from the
   * payer; otherwise the account must sign too.
   */
  | {
      readonly type: 'create';
      readonly account: Address;
      readonly payer: Address;
      readonly lamports: bigint;
      readonly seed?: string | undefined;
    }
  /** Transfers lamports from a wallet to any account. */
  | { readonly type: 'transfer'; readonly from: Address; readonly to: Address; readonly lamports: bigint }
  | {
      readonly type: 'initialize';
      readonly account: Address;
      readonly stakeAuthority: Address;
      readonly withdrawAuthority: Address;
      readonly lockup: Lockup;
    }
  | {
      readonly type: 'delegate';
      readonly account: Address;
      readonly voteAccount: Address;
      readonly authority: Address;
    }
  | { readonly type: 'deactivate'; readonly account: Address; readonly authority: Address }
  | Move<'split'>
  | Move<'moveStake'>
  | Move<'moveLamports'>
  /** `from` is closed and its whole balance goes to `account`. */
  | {
      readonly type: 'merge';
      readonly account: Address;
      readonly from: Address;
      readonly authority: Address;
    }
  | {
      readonly type: 'withdraw';
      readonly account: Address;
      readonly to: Address;
      readonly lamports: bigint;
      readonly authority: Address;
      readonly custodian?: Address | undefined;
    }
  | {
      readonly type: 'authorize';
      readonly account: Address;
      readonly role: 'staker' | 'withdrawer';
      readonly authority: Address;
      readonly newAuthority: Address;
      readonly custodian?: Address | undefined;
    }
  /** Absent fields remain unchanged. */
  | {
      readonly type: 'setLockup';
      readonly account: Address;
      readonly lockup: Partial<Lockup>;
      readonly authority: Address;
    };

/** Error codes of the Stake program, by their names in its source. */
export const STAKE_ERROR = {
  LockupInForce: 'Custom 1',
  AlreadyDeactivated: 'Custom 2',
  TooSoonToRedelegate: 'Custom 3',
  MergeTransientStake: 'Custom 5',
  MergeMismatch: 'Custom 6',
  CustodianMissing: 'Custom 7',
  VoteAddressMismatch: 'Custom 10',
  InsufficientDelegation: 'Custom 12',
  EpochRewardsActive: 'Custom 16',
} as const satisfies Readonly<Record<string, `Custom ${number}`>>;

/** Error codes of the System program, by their names in its source. */
export const SYSTEM_ERROR = {
  AccountAlreadyInUse: 'Custom 0',
  ResultWithNegativeLamports: 'Custom 1',
} as const satisfies Readonly<Record<string, `Custom ${number}`>>;

/**
 * An error of the program or, for `InsufficientFundsForRent`, of the transaction. `Custom n` is a number from
 * `STAKE_ERROR` or `SYSTEM_ERROR`.
 */
export type RefusalCode =
  | `Custom ${number}`
  | 'IncorrectProgramId'
  | 'InsufficientFunds'
  | 'InsufficientFundsForRent'
  | 'InvalidAccountData'
  | 'InvalidAccountOwner'
  | 'InvalidArgument'
  | 'InvalidInstructionData'
  | 'MissingRequiredSignature';

/** Returns the balance of an address; 0 if the account does not exist. */
export const lamportsAt = ({ stakes, wallets }: MachineAccounts, address: Address): bigint =>
  stakes.get(address)?.lamports ?? wallets.get(address) ?? 0n;

/** The accounts during a transaction. A closed account still exists, without lamports. */
export class MachineState implements MachineAccounts {
  readonly stakes: Map<Address, MachineAccount>;
  readonly wallets: Map<Address, bigint>;
  readonly chain: MachineChain;
  /** Signers of any of the instructions. Each of them signs the whole transaction. */
  readonly signers: ReadonlySet<Address>;
  readonly #touched = new Set<Address>();

  constructor({ stakes, wallets }: MachineAccounts, chain: MachineChain, signers: ReadonlySet<Address>) {
    this.stakes = new Map(stakes);
    this.wallets = new Map(wallets);
    this.chain = chain;
    this.signers = signers;
  }

  lamportsOf(address: Address): bigint {
    return lamportsAt(this, address);
  }

  /** Returns the account's state, or the error that reading it causes. */
  stake(address: Address): StakeAccount | RefusalCode {
    const account = this.stakes.get(address);
    if (account === undefined) return 'InvalidAccountOwner';
    return account.kind === 'uninitialized' || account.kind === 'empty' ? 'InvalidAccountData' : account;
  }

  put(account: MachineAccount): void {
    this.#touched.add(account.address);
    this.stakes.set(account.address, account);
  }

  /** Adds lamports, or subtracts them if negative. The caller checks the balance. */
  pay(address: Address, lamports: bigint): void {
    this.#touched.add(address);
    const stake = this.stakes.get(address);
    if (stake) this.stakes.set(address, { ...stake, lamports: stake.lamports + lamports });
    else this.wallets.set(address, (this.wallets.get(address) ?? 0n) + lamports);
  }

  /** Removes the state and the lamports of an account. */
  close(address: Address): void {
    this.put({ kind: 'empty', address, lamports: 0n });
  }

  touched(): readonly Address[] {
    return [...this.#touched];
  }

  /** Returns the accounts after the transaction. Accounts without lamports no longer exist. */
  accounts(): MachineAccounts {
    for (const address of this.#touched) {
      if (this.lamportsOf(address) > 0n) continue;
      this.stakes.delete(address);
      this.wallets.delete(address);
    }
    return this;
  }
}

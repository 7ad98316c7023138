// State of the stake machine: accounts during a transaction, and the instruction types.
import type { Address } from '@solana/kit';
import type { Lockup, StakeAccount } from '../stake/stake-account.ts';
import type { StakeChainFacts } from '../stake/stake-state.ts';

/** What decides about instructions: beside the cluster's facts the minimum delegation and the vote accounts. */
export interface MachineChain extends StakeChainFacts {
  readonly minimumDelegationLamports: bigint;
  /** Credits by vote account; an address that is missing is no vote account. */
  readonly voteCredits: ReadonlyMap<Address, bigint>;
}

interface BlankStakeAccount<Kind extends string> {
  readonly kind: Kind;
  readonly address: Address;
  readonly lamports: bigint;
}

/** An account of the Stake program: as decoded, created and not initialized, or closed and paid into again (`empty`). */
export type MachineAccount = StakeAccount | BlankStakeAccount<'uninitialized'> | BlankStakeAccount<'empty'>;

/** Every account that a transaction touches and that exists. */
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

/** An instruction. Whoever it names as `authority`, `custodian`, `payer` or wallet it is taken `from` has signed. */
export type MachineOperation =
  /** 200 bytes of the Stake program at an address that signs too. */
  | {
      readonly type: 'create';
      readonly account: Address;
      readonly payer: Address;
      readonly lamports: bigint;
    }
  /** From a wallet, to any account. */
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
  /** `from` is closed, all of it goes to `account`. */
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
  /** What is absent stays as it is. */
  | {
      readonly type: 'setLockup';
      readonly account: Address;
      readonly lockup: Partial<Lockup>;
      readonly authority: Address;
    };

/** An error of the program or, for `InsufficientFundsForRent`, of the transaction. `Custom n` is the Stake program's, 0 and 1 System's too. */
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

/** The balance of an address, 0 for what does not exist. */
export const lamportsAt = ({ stakes, wallets }: MachineAccounts, address: Address): bigint =>
  stakes.get(address)?.lamports ?? wallets.get(address) ?? 0n;

/** The accounts in the middle of a transaction: closed ones are still there, without lamports. */
export class MachineState implements MachineAccounts {
  readonly stakes: Map<Address, MachineAccount>;
  readonly wallets: Map<Address, bigint>;
  readonly chain: MachineChain;
  /** Whoever signs for any instruction has signed the transaction. */
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

  /** The account with its state, or why the program cannot read one. */
  stake(address: Address): StakeAccount | RefusalCode {
    const account = this.stakes.get(address);
    if (account === undefined) return 'InvalidAccountOwner';
    return account.kind === 'uninitialized' || account.kind === 'empty' ? 'InvalidAccountData' : account;
  }

  put(account: MachineAccount): void {
    this.#touched.add(account.address);
    this.stakes.set(account.address, account);
  }

  /** Adds lamports, or takes them where negative; the caller has made sure that they are there. */
  pay(address: Address, lamports: bigint): void {
    this.#touched.add(address);
    const stake = this.stakes.get(address);
    if (stake) this.stakes.set(address, { ...stake, lamports: stake.lamports + lamports });
    else this.wallets.set(address, (this.wallets.get(address) ?? 0n) + lamports);
  }

  /** Takes the state from an account whose lamports are all gone. */
  close(address: Address): void {
    this.put({ kind: 'empty', address, lamports: 0n });
  }

  touched(): readonly Address[] {
    return [...this.#touched];
  }

  /** What is left after the transaction: an account without lamports does not exist. */
  accounts(): MachineAccounts {
    for (const address of this.#touched) {
      if (this.lamportsOf(address) > 0n) continue;
      this.stakes.delete(address);
      this.wallets.delete(address);
    }
    return this;
  }
}

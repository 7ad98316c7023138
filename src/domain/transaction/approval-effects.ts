// Types of the effects check: the request, the facts of a node, and the effects of all transactions of one approval.
import type { Address } from '@solana/kit';
import type { MachineChain } from '../machine/stake-machine-state.ts';
import type { GoalName } from '../plan/plan-goals.ts';
import type { StakeAccount } from '../stake/stake-account.ts';
import type { VerifierProblem } from './stake-verifier.ts';
import type { TransactionKind } from './transaction-kinds.ts';

/** The accounts and the chain at one slot, as read from an RPC node that the user chose. */
export interface NodeFacts {
  /** `voteCredits` may hold the pinned vote account only. */
  readonly chain: MachineChain;
  /** Null: nothing exists at that address, or it is not a stake account. Further accounts of the wallet may be included. */
  readonly accounts: ReadonlyMap<Address, StakeAccount | null>;
  readonly walletLamports: bigint;
}

/** The request that the transactions of one approval are held to. */
export interface EffectsRequest {
  readonly wallet: Address;
  /** The only validator that may be delegated to. */
  readonly voteAccount: Address;
  readonly kind: Exclude<TransactionKind, 'donate'>;
  /** Of a rearrangement. */
  readonly goal?: GoalName | undefined;
  readonly lamports?: bigint | undefined;
  /** Default `exact`. */
  readonly rounding?: 'exact' | 'atLeast' | undefined;
  /** Of a sweep. Default: the wallet. */
  readonly to?: 'wallet' | 'stake' | 'activating' | undefined;
  /** The accounts that the user named; nothing else may change. Default: any account of the wallet. */
  readonly accounts?: readonly Address[] | undefined;
}

/** A fact that the bytes do not show and no node confirmed. */
export type UnknownFact =
  | 'deactivated-amount'
  | 'deactivated-validator'
  | 'staked-amount'
  | 'staked-source'
  | 'merged-accounts'
  | 'rounded-amount'
  | 'rent-at-risk';

/** An unknown fact of one account: the person who reads the review decides. */
export interface UnknownEffect {
  readonly account: Address;
  readonly fact: UnknownFact;
  /** One sentence for the review. */
  readonly text: string;
}

/** The effects of all transactions together. */
export interface ApprovalEffects {
  /** Null: the bytes do not show it. */
  readonly deactivatedLamports: bigint | null;
  /** New stakes count with their rent. Null: the bytes do not show it. */
  readonly stakedLamports: bigint | null;
  /** Rent and loans of these transactions that come back are not counted. */
  readonly withdrawnLamports: bigint;
  /** Rent of new accounts that stay open. */
  readonly rentLamports: bigint;
  /** The part of the rent that somebody else may be able to withdraw. */
  readonly atRiskLamports: bigint;
  readonly feeLamports: bigint;
  readonly newAccounts: readonly Address[];
  /** Accounts that are delegated with all that they hold after others were merged or moved into them. */
  readonly fullyDelegated: readonly Address[];
  readonly transactions: number;
}

/** The result of `checkEffects`. Transactions with problems are never signed; unknowns need a person. */
export interface EffectsCheck {
  readonly problems: readonly VerifierProblem[];
  readonly unknowns: readonly UnknownEffect[];
  readonly effects: ApprovalEffects;
}

/** The part of the effects that depends on the accounts: read from the bytes, or run on the accounts that a node shows. */
export interface AccountEffects {
  readonly problems: readonly VerifierProblem[];
  readonly unknowns: readonly UnknownEffect[];
  readonly deactivatedLamports: bigint;
  /** False: more is deactivated, and the bytes do not show how much. */
  readonly isDeactivatedShown: boolean;
  /** The deactivated part of accounts from which the same transactions do not withdraw it. */
  readonly coolingLamports: bigint;
  readonly stakedLamports: bigint;
  /** False: more is staked, and the bytes do not show how much. */
  readonly isStakedShown: boolean;
  /** Idle SOL that lay in accounts and is staked along. */
  readonly idleStakedLamports: bigint;
  readonly atRiskLamports: bigint;
}

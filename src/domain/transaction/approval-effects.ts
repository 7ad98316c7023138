// Types of the effects check: the request, the facts from a node, and the effects of all transactions of one approval.
import type { Address } from '@solana/kit';
import type { MachineChain } from '../machine/stake-machine-state.ts';
import type { GoalName } from '../plan/plan-goals.ts';
import type { StakeAccount } from '../stake/stake-account.ts';
import type { VerifierProblem } from './stake-verifier.ts';
import type { TransactionKind } from './transaction-kinds.ts';

/** The accounts and the chain at one slot, as read from an RPC node that the user chose. */
export interface NodeFacts {
  /** `voteCredits` contains at most the pinned vote account. */
  readonly chain: MachineChain;
  /**
   * Null if the address has no account or is not a stake account. May include other accounts of the wallet.
   */
  readonly accounts: ReadonlyMap<Address, StakeAccount | null>;
  readonly walletLamports: bigint;
}

/** The request that the transactions of one approval must match. */
export interface EffectsRequest {
  readonly wallet: Address;
  /** The only validator allowed as a delegation target. */
  readonly voteAccount: Address;
  readonly kind: Exclude<TransactionKind, 'donate'>;
  /** For a rearrangement. */
  readonly goal?: GoalName | undefined;
  readonly lamports?: bigint | undefined;
  /** Default `exact`. */
  readonly rounding?: 'exact' | 'atLeast' | undefined;
  /** For a sweep. Default: the wallet. */
  readonly to?: 'wallet' | 'stake' | 'activating' | undefined;
  /** Accounts named by the user; no others may change. Default: any account of the wallet. */
  readonly accounts?: readonly Address[] | undefined;
}

/** A fact that neither the bytes nor a node confirm. */
export type UnknownFact =
  | 'deactivated-amount'
  | 'deactivated-validator'
  | 'staked-amount'
  | 'staked-source'
  | 'merged-accounts'
  | 'rounded-amount'
  | 'rent-at-risk';

/** An unknown fact about one account, left to the person who reads the review. */
export interface UnknownEffect {
  readonly account: Address;
  readonly fact: UnknownFact;
  /** One sentence for the review. */
  readonly text: string;
}

/** The effects of all transactions together. */
export interface ApprovalEffects {
  /** Null if the bytes do not determine it. */
  readonly deactivatedLamports: bigint | null;
  /** New stakes, including their rent. Null if the bytes do not determine it. */
  readonly stakedLamports: bigint | null;
  /** Excludes rent and loans that the same transactions return. */
  readonly withdrawnLamports: bigint;
  /** Rent of new accounts that stay open. */
  readonly rentLamports: bigint;
  /** Part of the rent that another address may be able to withdraw. */
  readonly atRiskLamports: bigint;
  readonly feeLamports: bigint;
  readonly newAccounts: readonly Address[];
  /** Accounts that are delegated with their whole balance after others were merged or moved into them. */
  readonly fullyDelegated: readonly Address[];
  readonly transactions: number;
}

/** The result of `checkEffects`. Transactions with problems are never signed; unknowns need a person's decision. */
export interface EffectsCheck {
  readonly problems: readonly VerifierProblem[];
  readonly unknowns: readonly UnknownEffect[];
  readonly effects: ApprovalEffects;
}

/** The effects that depend on the accounts: read from the bytes, or computed on the accounts from a node. */
export interface AccountEffects {
  readonly problems: readonly VerifierProblem[];
  readonly unknowns: readonly UnknownEffect[];
  readonly deactivatedLamports: bigint;
  /** False if more is deactivated, by an amount that the bytes do not determine. */
  readonly isDeactivatedShown: boolean;
  /** Deactivated stake that the same transactions do not withdraw. */
  readonly coolingLamports: bigint;
  readonly stakedLamports: bigint;
  /** False if more is staked, by an amount that the bytes do not determine. */
  readonly isStakedShown: boolean;
  /** Idle SOL in accounts that is staked together with the rest. */
  readonly idleStakedLamports: bigint;
  readonly atRiskLamports: bigint;
}

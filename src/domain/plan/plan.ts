// The plan type: transactions, their costs, and later steps.
import type { Address } from '@solana/kit';
import type { MachineAccount, MachineChain, MachineOperation } from '../machine/stake-machine-state.ts';
import type { StakeAccount } from '../stake/stake-account.ts';

/** What a plan stands on. */
export interface PlanWorld {
  /** Who signs and pays; plans touch only accounts whose withdraw authority it is. */
  readonly wallet: Address;
  readonly walletLamports: bigint;
  readonly accounts: readonly StakeAccount[];
  readonly chain: MachineChain;
  /** The vote account that the wallet delegates to here. */
  readonly voteAccount: Address;
  /** Addresses at which nothing exists and whose keys can sign, by their index in the plan. */
  readonly newAddress: (index: number) => Address;
  /** Of one signature, lamports; the chain charges 5,000. */
  readonly signatureFeeLamports: bigint;
  /** Of one transaction besides, lamports. */
  readonly priorityFeeLamports: bigint;
  /** The length of the memo that every transaction carries; 0: none. */
  readonly memoBytes: number;
}

/** Instructions that make no sense apart and go into one transaction together. */
export type AtomicStep = readonly MachineOperation[];

/** Something that is possible in a later epoch, and what it is for. */
export interface LaterStep {
  readonly account: Address;
  readonly action: 'withdraw' | 'delegate' | 'merge';
  readonly epoch: bigint;
}

/** Why an account is left as it is. */
export interface BlockedAccount {
  readonly account: Address;
  readonly reason:
    | 'warming up'
    | 'cooling down'
    | 'activating'
    | 'other authorities'
    | 'lockup'
    | 'below the minimum';
  /** The first epoch in which it can take part; null: time alone does not help. */
  readonly possibleFromEpoch: bigint | null;
}

/** Why there is no plan. */
export type PlanRefusal =
  | { readonly why: 'NOTHING_TO_DO'; readonly blocked: readonly BlockedAccount[] }
  | { readonly why: 'EPOCH_REWARDS_ACTIVE' }
  /** The nearest amounts that can be had; null: there is none on that side. */
  | {
      readonly why: 'AMOUNT_NOT_REACHABLE';
      readonly nearestBelowLamports: bigint | null;
      readonly nearestAboveLamports: bigint | null;
      /** False: too many sums were possible to try them all, so that nearer amounts may exist. */
      readonly isComplete: boolean;
    }
  /** Together with `missingLamports` more it would be enough. */
  | { readonly why: 'BELOW_MINIMUM' | 'WALLET_SHORT'; readonly missingLamports: bigint }
  | { readonly why: 'UNDO_TOO_LATE' | 'NOTHING_TO_UNDO' | 'NOT_ACTIVATING' | 'LOCKED' }
  | { readonly why: 'UNDO_IMPOSSIBLE'; readonly missingLamports: bigint };

/** What a goal asks for, before it is packed and carried out by the machine. */
export interface PlanDraft {
  readonly steps: readonly AtomicStep[];
  /** The amount that it comes to: more than was asked for where only more can be had. */
  readonly amountLamports?: bigint;
  /** Drafts of the same goal that cost the wallet something else, for one that cannot pay for this one. */
  readonly otherwise?: () => readonly PlanDraft[];
  /** False: each step is a transaction of its own. Default: as many as fit go into one. */
  readonly isPacked?: boolean;
  readonly laterSteps?: readonly LaterStep[];
  readonly blocked?: readonly BlockedAccount[];
  /** Stake that goes without a reward, and for how many epochs. */
  readonly forgone?: readonly ForgoneReward[];
}

/** Stake that earns nothing for some epochs because of the plan. */
export interface ForgoneReward {
  readonly stakeLamports: bigint;
  readonly epochs: number;
}

/** A draft, or why there is none. */
export type Drafted = PlanDraft | { readonly refusal: PlanRefusal };

/** One transaction of a plan. */
export interface PlannedTransaction {
  readonly operations: readonly MachineOperation[];
  readonly bytes: number;
  readonly signatures: number;
  readonly feeLamports: bigint;
}

/** Lamports that an account will let go of, and from which epoch on. */
export interface LaterLamports {
  readonly account: Address;
  readonly lamports: bigint;
  readonly epoch: bigint;
}

/** A plan that the Stake program accepts as long as the accounts stay as read. */
export interface Plan {
  /** In this order; each leaves the accounts in a state that makes sense if no other follows. */
  readonly transactions: readonly PlannedTransaction[];
  readonly accountsBefore: readonly MachineAccount[];
  readonly accountsAfter: readonly MachineAccount[];
  readonly wallet: {
    readonly beforeLamports: bigint;
    readonly afterLamports: bigint;
    /** Of accounts that cool down, those of earlier deactivations included. */
    readonly later: readonly LaterLamports[];
  };
  readonly cost: {
    readonly feesLamports: bigint;
    /** In accounts that the plan opens, back when they are closed; negative: rent of closed accounts comes free. */
    readonly rentLockedLamports: bigint;
    readonly forgone: readonly ForgoneReward[];
  };
  /** Of an amount that was rounded: what it comes to. */
  readonly amountLamports: bigint | null;
  /** Accounts whose activation ends before it took effect. */
  readonly cancelsActivationOf: readonly Address[];
  readonly laterSteps: readonly LaterStep[];
  readonly blocked: readonly BlockedAccount[];
}

// The plan type, with its transactions, costs and later steps.
import type { Address } from '@solana/kit';
import type { MachineAccount, MachineChain, MachineOperation } from '../machine/stake-machine-state.ts';
import type { StakeAccount } from '../stake/stake-account.ts';
import type { UnitPrice } from '../transaction/instruction-fees.ts';

export interface PlanInputs {
  /**
   * The wallet that signs and pays. Without `owner`, plans only change accounts whose withdraw authority is
   * this wallet.
   */
  readonly wallet: Address;
  /**
   * The withdraw authority of the accounts, if it is not the wallet. In that case, the wallet is only their
   * stake authority and plans withdraw nothing. Default: the wallet.
   */
  readonly owner?: Address | undefined;
  readonly walletLamports: bigint;
  readonly accounts: readonly StakeAccount[];
  readonly chain: MachineChain;
  /** The vote account to which plans delegate stake. */
  readonly voteAccount: Address;
  /**
   * Returns an unused address for each index in the plan. The address either signs with its own key or is
   * derived from the wallet with a seed.
   */
  readonly newAddress: (index: number) => Address;
  /**
   * Returns the seed of a new address, and a seed of the same length for any other address. Default: new
   * addresses sign.
   */
  readonly seedOf?: ((account: Address) => string) | undefined;
  /** Fee per signature, in lamports; the chain charges 5,000. */
  readonly signatureFeeLamports: bigint;
  /** Default: no priority fee. */
  readonly unitPrice?: UnitPrice | undefined;
  /** Length of the memo in every transaction; 0 if there is none. */
  readonly memoBytes: number;
}

/** Instructions that must be in the same transaction. */
export type AtomicStep = readonly MachineOperation[];

/** An action that becomes possible in a later epoch. */
export interface LaterStep {
  readonly account: Address;
  readonly action: 'withdraw' | 'delegate' | 'merge';
  readonly epoch: bigint;
}

/** Codes of the reasons why an account stays unchanged. */
export const BLOCKED_REASONS = [
  'warming up',
  'cooling down',
  'activating',
  'other authorities',
  'lockup',
  'below the minimum',
] as const;

/** An account that stays unchanged. */
export interface BlockedAccount {
  readonly account: Address;
  readonly reason: (typeof BLOCKED_REASONS)[number];
  /** First epoch in which the account can take part; null if that does not depend on the epoch alone. */
  readonly possibleFromEpoch: bigint | null;
}

/** Reasons why there is no plan. */
export type PlanRefusal =
  | { readonly why: 'NOTHING_TO_DO'; readonly blocked: readonly BlockedAccount[] }
  | { readonly why: 'EPOCH_REWARDS_ACTIVE' }
  /**
   * `nearestBelowLamports` and `nearestAboveLamports` are the nearest possible amounts; null if there is none
   * on that side.
   */
  | {
      readonly why: 'AMOUNT_NOT_REACHABLE';
      readonly nearestBelowLamports: bigint | null;
      readonly nearestAboveLamports: bigint | null;
      /** False if there were too many sums to try all, so closer amounts may exist. */
      readonly isComplete: boolean;
    }
  /** `missingLamports` is the wallet's shortfall. */
  | { readonly why: 'BELOW_MINIMUM' | 'WALLET_SHORT'; readonly missingLamports: bigint }
  | { readonly why: 'UNDO_TOO_LATE' | 'NOTHING_TO_UNDO' | 'NOT_ACTIVATING' | 'LOCKED' }
  | { readonly why: 'UNDO_IMPOSSIBLE'; readonly missingLamports: bigint };

/** The steps toward a goal, before they are packed into transactions and executed in the stake machine. */
export interface PlanDraft {
  readonly steps: readonly AtomicStep[];
  /** The resulting amount. Larger than requested if only a larger amount is possible. */
  readonly amountLamports?: bigint;
  /**
   * Creates alternative drafts for the same goal with other costs, for a wallet that cannot pay for this one.
   */
  readonly otherwise?: () => readonly PlanDraft[];
  /**
   * If false, each step becomes a separate transaction. By default, as many steps as fit share a transaction.
   */
  readonly isPacked?: boolean;
  readonly laterSteps?: readonly LaterStep[];
  readonly blocked?: readonly BlockedAccount[];
  /** Stake that earns no rewards, and for how many epochs. */
  readonly forgone?: readonly ForgoneReward[];
}

/** Stake that earns nothing for some epochs because of the plan. */
export interface ForgoneReward {
  readonly stakeLamports: bigint;
  readonly epochs: number;
}

/** A draft, or the reason why there is none. */
export type DraftOrRefusal = PlanDraft | { readonly refusal: PlanRefusal };

export interface PlannedTransaction {
  readonly operations: readonly MachineOperation[];
  readonly bytes: number;
  readonly signatures: number;
  readonly feeLamports: bigint;
}

/** Lamports that an account can release from `epoch` onwards. */
export interface LamportsFromEpoch {
  readonly account: Address;
  readonly lamports: bigint;
  readonly epoch: bigint;
}

/** A plan that the Stake program accepts as long as the accounts do not change. */
export interface Plan {
  /**
   * Transactions in order. After each of them, the accounts are in a valid state even if none of the later
   * ones follow.
   */
  readonly transactions: readonly PlannedTransaction[];
  readonly accountsBefore: readonly MachineAccount[];
  readonly accountsAfter: readonly MachineAccount[];
  readonly wallet: {
    readonly beforeLamports: bigint;
    readonly afterLamports: bigint;
    /** Lamports of deactivating accounts, including earlier deactivations. */
    readonly later: readonly LamportsFromEpoch[];
  };
  readonly cost: {
    readonly feesLamports: bigint;
    /**
     * Rent locked in accounts that the plan creates, until they are closed. Negative if the plan closes
     * accounts that release more.
     */
    readonly rentLockedLamports: bigint;
    readonly forgone: readonly ForgoneReward[];
  };
  /**
   * The resulting amount if the goal is to unstake or withdraw an amount. Larger than requested if it was
   * rounded up.
   */
  readonly amountLamports: bigint | null;
  /** Accounts whose activation is canceled before it takes effect. */
  readonly cancelsActivationOf: readonly Address[];
  readonly laterSteps: readonly LaterStep[];
  readonly blocked: readonly BlockedAccount[];
}

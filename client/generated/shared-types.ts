// Parts of answers shared by several operations.
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { ServiceErrorCode } from './error-codes.ts';

/** How this service treats secret keys in one-shot calls. No other call takes one. */
export interface Security {
  readonly keyUsage: string;
  readonly stored: false;
  readonly logged: false;
  readonly transport: string;
  readonly verify: string;
}

/** Origin of the answer, and next steps. */
export interface Meta {
  /** Time at which this answer was created. ISO 8601. */
  readonly timestamp: string;
  /** Documentation of this endpoint or error code. */
  readonly documentation: string;
  /** Path template of the endpoint that answered. */
  readonly endpoint: string;
  /** What the endpoint does. */
  readonly description: string;
  /** Paths of related endpoints, by name. */
  readonly relatedEndpoints: Readonly<Record<string, string>>;
  /** The Solana cluster of this service. */
  readonly cluster: string;
  /** Usual next steps. */
  readonly nextSteps?: Readonly<Record<string, string>> | undefined;
  /** How to support the service. */
  readonly support?: Readonly<Record<string, string>> | undefined;
  /** Where to check the running code. */
  readonly verifyThisCode?: string | undefined;
  /** Newest slot of the stake account index, if it provided the answer. At least 0. */
  readonly indexSlot?: number | undefined;
  /** Every listed account was read at this slot or later. At least 0. */
  readonly verifiedSlot?: number | undefined;
  /** How long a cached answer stays fresh. At least 0. At most 86400. */
  readonly cacheTtlSeconds?: number | undefined;
  /** Time at which a cached answer was created. ISO 8601. */
  readonly cachedAt?: string | undefined;
}

/** All failures have this shape; some codes add fields. */
export interface ErrorBody {
  /** Short title. */
  readonly error: string;
  /** What happened, in words for people. */
  readonly message: string;
  /** What happened, as a code for programs. The list only grows. */
  readonly errorCode: ServiceErrorCode;
  /** Distinguishes the messages of one errorCode. Stable like errorCode; texts may change. */
  readonly reason?: string | undefined;
  /** The values in message and suggestedAction, by name. */
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  /** How to fix it. */
  readonly suggestedAction?: string | undefined;
  /** Raw state of the stake account; only with STAKE_NOT_WITHDRAWABLE. */
  readonly currentState?: string | undefined;
  /** The state in words. */
  readonly stateDescription?: string | undefined;
  /** The sentences of stateDescription. */
  readonly stateDescriptionSentences?: readonly Sentence[] | undefined;
  readonly epochTiming?: EpochTiming | undefined;
  /** All issues; only with VALIDATION_ERROR. */
  readonly details?: readonly ValidationIssue[] | undefined;
  readonly _meta: Meta;
}

/** A sentence as data. */
export interface Sentence {
  /** Stable; texts may change. */
  readonly code: string;
  readonly text: string;
  /** The values in the text, by name. */
  readonly params: Readonly<Record<string, string | number>>;
}

/** Epoch timing, used to estimate when a stake account becomes withdrawable. */
export interface EpochTiming {
  /** The current epoch. */
  readonly currentEpoch: number;
  /** Remaining slots times the measured slot duration, seconds. */
  readonly estimatedSecondsRemaining: number;
  /** Wall-clock estimate of the boundary. ISO 8601. */
  readonly estimatedEpochEnd: string;
  /** Share of the epoch that has passed, percent. */
  readonly progressPct: number;
  /** Slots since the epoch began. */
  readonly slotIndex: number;
  /** Slots of the whole epoch. */
  readonly slotsInEpoch: number;
  /** Slots until the boundary. */
  readonly slotsRemaining: number;
  /** Mean slot duration measured on the cluster, milliseconds. */
  readonly slotDurationMs: number;
  /** The boundary if slots are as fast as the fastest ones measured. ISO 8601. */
  readonly earliestEpochEnd: string;
  /** The boundary if slots are as slow as the slowest ones measured. ISO 8601. */
  readonly latestEpochEnd: string;
  /** Rewards are being distributed; stake instructions fail until that is done. */
  readonly epochRewardsActive: boolean;
}

/** One problem in a refused request. */
export interface ValidationIssue {
  /** The invalid field; empty if the whole request is affected. */
  readonly path: string;
  /** The rule. Stable; messages may change. */
  readonly code: string;
  /** The violated rule in words; never the value. */
  readonly message: string;
  /** The values in the text, by name. */
  readonly params?: Readonly<Record<string, string | number>> | undefined;
}

/** The priority fee in a response. */
export interface PriorityFee {
  /**
   * `instructions`: two Compute Budget instructions come first. `none`: there is no fee, because the
   * estimate is 0.
   */
  readonly form: 'none' | 'instructions';
  /** Part of the network fee. */
  readonly lamports: number;
  /** The same. */
  readonly sol: number;
  /** Compute units that the transaction may use. */
  readonly computeUnitLimit: number | null;
  /** Price of one compute unit, in millionths of a lamport. */
  readonly microLamportsPerUnit: number;
  /** Percent of the amount moved; null if the transaction moves none. */
  readonly shareOfAmountPct: number | null;
}

/** A warning as data. */
export interface Notice {
  readonly code:
    | 'VALIDATOR_CLOSED'
    | 'VALIDATOR_DELINQUENT'
    | 'VALIDATOR_NOT_ADMITTED'
    | 'COMMISSION_FULL'
    | 'DESTAKE_POSSIBLE'
    | 'FOREIGN_STAKE_AUTHORITY'
    | 'VALIDATOR_MOVED'
    | 'VALIDATOR_STATE_UNKNOWN'
    | 'COMMISSION_RAISED'
    | 'EPOCH_MISSED'
    | 'BELOW_MINIMUM_STAKE'
    | 'EPOCH_ENDS_SOON'
    | 'BALANCE_UNCHECKED'
    | 'NEVER_EXPIRES'
    | 'OTHER_FEE_PAYER'
    | 'FOREIGN_WITHDRAW_AUTHORITY'
    | 'YIELD_UNKNOWN'
    | 'TIPS_UNKNOWN'
    | 'REWARDS_DISTRIBUTING'
    | 'REWARDS_NOT_RETAINED'
    | 'REWARDS_LIMITED'
    | 'REWARDS_UNKNOWN'
    | 'ACCOUNTS_LIMITED'
    | 'CLOSED_ACCOUNTS_UNREAD'
    | 'OTHER_VALIDATOR'
    | 'ACCOUNT_CLOSES'
    | 'PRIORITY_FEE_UNKNOWN'
    | 'PRIORITY_FEE_CAPPED'
    | 'PRIORITY_FEE_DISPUTED'
    | 'PROVIDER_FIELD_MISSING'
    | 'PROVIDER_FIELD_INVALID'
    | 'PROVIDER_ENTRIES_INVALID'
    | 'PROVIDER_ENTRIES_TWICE'
    | 'PROVIDER_LACKS_VALIDATOR'
    | 'PROVIDER_FAILED'
    | 'NO_VOTE_CREDITS_YET'
    | 'NO_SKIP_RATE_YET'
    | 'NO_VOTE_RATE_YET'
    | 'NO_MEV_PROVIDER'
    | 'NO_NETWORK_PROVIDER'
    | 'EPOCH_RECORD_UNAVAILABLE'
    | 'EPOCH_UNAVAILABLE'
    | 'RANK_UNAVAILABLE'
    | 'YIELD_EXPECTED'
    | 'STAKING_YIELD_UNAVAILABLE'
    | 'TIP_YIELD_UNAVAILABLE'
    | 'REALISED_YIELD_UNAVAILABLE'
    | 'PAID_REWARDS_UNAVAILABLE'
    | 'COMMISSION_UNAVAILABLE'
    | 'VOTES_UNAVAILABLE'
    | 'BLOCKS_UNAVAILABLE'
    | 'SKIP_RATE_UNAVAILABLE'
    | 'UPTIME_UNAVAILABLE'
    | 'VOTE_LATENCY_UNAVAILABLE'
    | 'EARLIER_FIGURES_UNAVAILABLE'
    | 'CURRENT_EPOCH_UNAVAILABLE'
    | 'LEADER_SLOTS_UNAVAILABLE'
    | 'PROFILE_UNREADABLE'
    | 'DELEGATORS_UNCOUNTABLE'
    | 'DELEGATORS_BEING_COUNTED'
    | 'STAKE_AND_COMMISSION_UNAVAILABLE'
    | 'SOFTWARE_UNAVAILABLE'
    | 'HARDWARE_UNDESCRIBED'
    | 'OLDER_CHANGES_MISSING'
    | 'WALLET_OF_PROGRAM'
    | 'CHAIN_NOT_SEARCHED'
    | 'OLDER_TRANSACTIONS_SEARCHED'
    | 'TRANSACTION_FORM_UNKNOWN'
    | 'DASHBOARDS_OF_MAINNET';
  readonly severity: 'critical' | 'warning' | 'info';
  readonly text: string;
  /** The values in the text, by name. */
  readonly params: Readonly<Record<string, string | number>>;
}

/** The stake plan in a response. */
export interface StakePlan {
  /** Every account of the wallet that was considered. */
  readonly accounts: ReadonlyArray<{
    /** In a preview, new accounts are named `new-1`, `new-2` and so on. */
    readonly stakeAccountAddress: string;
    readonly voteAccount: string | null;
    /** Null if the plan opens it. */
    readonly before: PlannedAccount | null;
    /** Null if the plan closes it. */
    readonly after: PlannedAccount | null;
  }>;
  readonly wallet: {
    /** Balance of the wallet. */
    readonly beforeSol: number;
    /** Its balance after the transactions have landed, minus fees. */
    readonly afterSol: number;
    /** Deactivating stake, including earlier deactivations. */
    readonly later: ReadonlyArray<{
      readonly stakeAccountAddress: string;
      /** Amount that can then be withdrawn. */
      readonly sol: number;
      /** First epoch in which it can be withdrawn. */
      readonly epoch: number;
      /** Estimated start of that epoch. ISO 8601. */
      readonly estimatedAt: string;
      /** The same, based on the fastest measured slots; equals estimatedAt for later epochs. ISO 8601. */
      readonly earliestAt: string;
      /** The same, based on the slowest measured slots; equals estimatedAt for later epochs. ISO 8601. */
      readonly latestAt: string;
    }>;
  };
  readonly cost: {
    /** Network fees. */
    readonly feesSol: number;
    /** Rent of new accounts, returned when they are closed; negative if rent is returned. */
    readonly rentLockedSol: number;
    /** Rewards lost during a migration, at this validator’s yield; null while unknown. */
    readonly forgoneSol: number | null;
  };
  /** For an unstake by amount: the planned amount; with `atLeast` it may exceed the requested one. */
  readonly amountSol?: number | undefined;
  /** Stakes that end before becoming active. */
  readonly cancelsActivationOf: readonly string[];
  /** Remaining step; request the same goal again then. */
  readonly laterSteps: ReadonlyArray<{
    readonly stakeAccountAddress: string;
    readonly action: 'withdraw' | 'delegate' | 'merge';
    /** The first epoch in which it is possible. */
    readonly epoch: number;
  }>;
  /** Accounts that stay unchanged, with the reason for each. */
  readonly blocked: ReadonlyArray<{
    readonly stakeAccountAddress: string;
    readonly reason:
      | 'warming up'
      | 'cooling down'
      | 'activating'
      | 'other authorities'
      | 'lockup'
      | 'below the minimum';
    /** Null if waiting does not help. */
    readonly possibleFromEpoch: number | null;
  }>;
}

/** The planned account in a response. */
export interface PlannedAccount {
  readonly state: 'initialized' | 'activating' | 'active' | 'deactivating' | 'inactive';
  /** Balance. */
  readonly sol: number;
  /** Delegated. */
  readonly stakedSol: number;
}

/** The history act in a response. */
export interface HistoryAct {
  readonly act:
    | 'rescue'
    | 'stake'
    | 'topUp'
    | 'restake'
    | 'undo'
    | 'unstake'
    | 'merge'
    | 'withdraw'
    | 'split'
    | 'move'
    | 'donate'
    | 'change';
  /** Null if unknown, and for a rescue or merge. */
  readonly amountSol: number | null;
  /** Number of accounts that were merged or taken back; null for other acts. */
  readonly accountCount: number | null;
  /** Number of accounts after a merge; null for other acts. */
  readonly accountsLeft: number | null;
}

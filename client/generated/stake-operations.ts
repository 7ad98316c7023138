// Inputs and answers of the operations under "Stake".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { SolAmount } from '../sol-amount.ts';
import type {
  EpochTiming,
  HistoryAct,
  Meta,
  Notice,
  PriorityFee,
  Security,
  Sentence,
  StakePlan,
} from './shared-types.ts';

/** The withdraw readiness in a response. */
export interface WithdrawReadiness {
  readonly address: string;
  /** Balance. */
  readonly sol: number;
  readonly state: 'initialized' | 'activating' | 'active' | 'deactivating' | 'inactive';
  readonly stateDescription: string;
  /** The sentences of stateDescription. */
  readonly stateDescriptionSentences: readonly Sentence[];
  /** The full balance can be withdrawn now. */
  readonly withdrawReady: boolean;
  /**
   * First epoch in which the full balance can be withdrawn; null if it can be withdrawn now or no epoch is
   * fixed yet (see withdrawableWhen).
   */
  readonly withdrawableAtEpoch: number | null;
  /**
   * Time at which the full balance can be withdrawn. at_epoch: from `withdrawableAtEpoch` on. not_fixed: it
   * is staked and not deactivated, or locked.
   */
  readonly withdrawableWhen: 'now' | 'at_epoch' | 'not_fixed';
  readonly estimatedSecondsRemaining: number | null;
  /** Wall-clock estimate. ISO 8601. */
  readonly estimatedWithdrawableAt: string | null;
  /**
   * Time at which the full balance could be withdrawn if it were unstaked now. Null unless it is staked,
   * and while a lockup has no known end date.
   */
  readonly ifUnstakedNow: IfUnstakedNow | null;
}

/** The if unstaked now in a response. */
export interface IfUnstakedNow {
  /** Estimate; now if none of it is active yet. ISO 8601. */
  readonly at: string;
  /** Based on the fastest measured slots; equals at for later epochs. ISO 8601. */
  readonly earliest: string;
  /** Based on the slowest measured slots; equals at for later epochs. ISO 8601. */
  readonly latest: string;
}

/** The stake account in a response. */
export interface StakeAccount extends WithdrawReadiness {
  /** Balance in lamports. At least 0. */
  readonly lamports: number;
  /** The state tag on chain. */
  readonly rawState: 'initialized' | 'delegated';
  /** Effective stake. */
  readonly activeSol: number;
  /** Warming up. */
  readonly activatingSol: number;
  /** Deactivating: still earning, not yet withdrawable. */
  readonly deactivatingSol: number;
  /** Largest withdrawal currently possible. */
  readonly withdrawableSol: number;
  /** Largest withdrawal that keeps the account open. */
  readonly partialWithdrawMaxSol: number;
  /** Balance beyond stake and rent, while the account is staked. */
  readonly excessSol: number;
  /** The cluster's current rent-exempt minimum of a stake account. */
  readonly rentReserveSol: number;
  /** owner: the wallet may withdraw. staker: it may only unstake. */
  readonly role: 'owner' | 'staker';
  /** Null if never delegated. */
  readonly activationEpoch: number | null;
  /** Null if not set. */
  readonly deactivationEpoch: number | null;
  readonly stakeAuthority: string;
  readonly withdrawAuthority: string;
  readonly lockup: {
    readonly custodian: string;
    /** Seconds since the Unix epoch. */
    readonly unixTimestamp: number;
    /** Epoch. */
    readonly epoch: number;
  } | null;
  readonly voteAccount: string | null;
  /** The account in an explorer. */
  readonly explorerUrl: string;
  readonly suggestedActions: readonly SuggestedAction[];
}

/** The suggested action in a response. */
export interface SuggestedAction {
  readonly action: string;
  readonly reason: string;
  /** The sentences of reason. */
  readonly reasonSentences: readonly Sentence[];
  readonly method: string;
  readonly endpoint: string;
}

/** The projected period in a response. */
export interface ProjectedPeriod {
  /** Rewards paid by that time. */
  readonly rewardSol: number;
  /** Balance of the stake account at that time. */
  readonly balanceSol: number;
}

/** The portfolio in a response. */
export interface Portfolio {
  /** Balance of the wallet itself. */
  readonly liquidSol: number;
  /** Balances of the owned accounts delegated to this validator. */
  readonly totalStakedSol: number;
  /** Effective stake. */
  readonly activeSol: number;
  /** Warming up. */
  readonly activatingSol: number;
  /** Deactivating: still earning, not yet withdrawable. */
  readonly deactivatingSol: number;
  /** Total that can be withdrawn now. */
  readonly withdrawableSol: number;
  /** Balance beyond stake and rent, while the account is staked. */
  readonly excessSol: number;
}

/** The summarised stake account in a response. */
export interface SummarisedStakeAccount extends StakeAccount {
  /** Daily rewards of its effective stake at current rates; null while unknown. */
  readonly estimatedDailyRewardSol: number | null;
}

/** Percent a year; null if unknown. */
export interface SummaryApy {
  readonly stakingApy: number | null;
  readonly jitoMevApy: number | null;
  readonly totalApy: number | null;
  /** `totalApy`; `stakingApy` alone, excluding tips, while `jitoMevApy` is null. */
  readonly atLeastApy: number | null;
}

/** The next step, with the endpoint to call for it. */
export interface RecommendedAction {
  readonly action: 'STAKE' | 'FUND' | 'HOLD' | 'WAIT' | 'WITHDRAW';
  readonly reason: string;
  /** The sentences of reason. */
  readonly reasonSentences: readonly Sentence[];
  readonly method: string;
  readonly endpoint: string;
  /** Present if the step has an amount. */
  readonly amountSol?: number | undefined;
  /** The account to withdraw from. */
  readonly stakeAccountAddress?: string | undefined;
  /** Used instead of an account: pass all: true to include every account that is ready. */
  readonly all?: true | undefined;
}

/** The epoch reward in a response. */
export interface EpochReward {
  /** The epoch in which it was earned. */
  readonly epoch: number;
  /** Time at which its inflation reward was paid; null if none was paid, or if unknown. ISO 8601. */
  readonly paidAt: string | null;
  readonly stakeAccountAddress: string;
  /** Amount paid by the cluster; 0 if nothing was paid, null while unknown. */
  readonly inflationSol: number | null;
  /** Incoming SOL that no transaction of the owner sent; null if unavailable. */
  readonly tipsSol: number | null;
  /** Balance right after the payment. */
  readonly balanceAfterSol: number | null;
  /** Commission at the time, percent. */
  readonly commissionPct: number | null;
}

/** The history entry in a response. */
export interface HistoryEntry {
  /**
   * The kind of transaction, by its instructions. A restake and an undone unstake have the same
   * instructions; act distinguishes them.
   */
  readonly type: 'stake' | 'unstake' | 'withdraw' | 'restake' | 'donate' | 'rearrange';
  /**
   * The act, by its effects; if there were several, the first of these: rescue took back control, `topUp`
   * added to an activating stake, undo reverted an unstake of the same epoch, change is anything else.
   */
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
  /** Its effects in words: "Unstake 5 SOL, withdraw 3 SOL". */
  readonly title: string;
  /** The effects listed in title, in the same order. */
  readonly acts: readonly HistoryAct[];
  /** The transaction. */
  readonly signature: string;
  /** Null for a donation, and for a rearrangement of several. */
  readonly stakeAccountAddress: string | null;
  /**
   * Amount of the act: deactivated by an unstake, delegated by a restake or undo. Null if unknown, and for
   * a rescue or merge.
   */
  readonly amountSol: number | null;
  /** Slot in which it landed. */
  readonly slot: number;
  /** Epoch in which it landed. */
  readonly epoch: number;
  /** When. ISO 8601. */
  readonly confirmedAt: string;
  /**
   * Interface it was sent through: page, client, cli, mcp-stdio, mcp or actions if the caller identified
   * itself, else rest. chain: found on chain.
   */
  readonly source: 'rest' | 'page' | 'client' | 'cli' | 'mcp-stdio' | 'mcp' | 'actions' | 'chain';
  /** It has the memo of this service. */
  readonly hasMemo: boolean;
  /** Its effects on each stake account, in order; at least one. */
  readonly legs: readonly HistoryLeg[];
  /** The transaction in an explorer. */
  readonly explorerUrl: string;
  /** The stake account in an explorer; null for a donation. */
  readonly accountUrl: string | null;
}

/** The history leg in a response. */
export interface HistoryLeg {
  /** Effect of this instruction; undo for a delegate that reverted a deactivation of the same epoch. */
  readonly type:
    | 'create'
    | 'transfer'
    | 'delegate'
    | 'deactivate'
    | 'withdraw'
    | 'split'
    | 'merge'
    | 'moveStake'
    | 'moveLamports'
    | 'authorize'
    | 'undo';
  /** The affected account; for a merge the one that remains. */
  readonly stakeAccountAddress: string | null;
  /**
   * The counterpart: the destination of a split, move or withdrawal; the source of a merge, create or
   * transfer; the vote account of a delegate; the new authority of an authorize.
   */
  readonly counterAccountAddress: string | null;
  /** Amount moved; for a delegate, undo or deactivate the delegated amount. Null if unknown. */
  readonly amountSol: number | null;
}

/** The wallet alert in a response. */
export interface WalletAlert {
  readonly type:
    | 'stake_authority_changed'
    | 'stake_lockup_changed'
    | 'stake_moved_away'
    | 'unexpected_deactivation';
  /** At least 0. */
  readonly slot: number;
  /** Time of its block; null if unknown to all nodes. */
  readonly timestamp: string | null;
  readonly level: 'info' | 'warning' | 'critical';
  /** Meaning of each of `data.patterns`, in the same order. */
  readonly explanation: readonly string[];
  /**
   * Number of other alerts of this stake account that this one represents: the wallet signed no transaction
   * of the account, so an outsider created it.
   */
  readonly folded: number;
  /** Same data as in the webhook event of this type. */
  readonly data:
    | {
        /** The wallet that could withdraw the stake before the change. */
        readonly walletAddress: string;
        /** The epoch in which it happened. At least 0. */
        readonly epoch: number;
        readonly stakeAccountAddress: string;
        /** critical: act now. */
        readonly level: 'info' | 'warning' | 'critical';
        /** Patterns it shares with thefts. */
        readonly patterns: ReadonlyArray<
          | 'withdraw-authority-gone'
          | 'both-authorities-at-once'
          | 'while-activating'
          | 'first-separate-stake-authority'
          | 'unknown-custodian'
          | 'all-deactivated-at-once'
          | 'authority-collects-stakes'
        >;
        /** The finalized transaction that made the change. */
        readonly signature: string;
        /** Signers of the transaction, the fee payer first. */
        readonly signedBy: readonly string[];
        readonly stakeAuthority: {
          /** Null: not known. */
          readonly from: string | null;
          /** Null: not known. */
          readonly to: string | null;
        };
        readonly withdrawAuthority: {
          /** Null: not known. */
          readonly from: string | null;
          /** Null: not known. */
          readonly to: string | null;
        };
      }
    | {
        /** The wallet that could withdraw the stake before the change. */
        readonly walletAddress: string;
        /** The epoch in which it happened. At least 0. */
        readonly epoch: number;
        readonly stakeAccountAddress: string;
        /** critical: act now. */
        readonly level: 'info' | 'warning' | 'critical';
        /** Patterns it shares with thefts. */
        readonly patterns: ReadonlyArray<
          | 'withdraw-authority-gone'
          | 'both-authorities-at-once'
          | 'while-activating'
          | 'first-separate-stake-authority'
          | 'unknown-custodian'
          | 'all-deactivated-at-once'
          | 'authority-collects-stakes'
        >;
        /** The finalized transaction that made the change. */
        readonly signature: string;
        /** Signers of the transaction, the fee payer first. */
        readonly signedBy: readonly string[];
        readonly lockup: {
          /** Null if there is none or it is unknown. */
          readonly from: {
            readonly unixTimestamp: number;
            /** At least 0. */
            readonly epoch: number;
            readonly custodian: string;
          } | null;
          /** Null if there is none or it is unknown. */
          readonly to: {
            readonly unixTimestamp: number;
            /** At least 0. */
            readonly epoch: number;
            readonly custodian: string;
          } | null;
        };
      }
    | {
        /** The wallet that could withdraw the stake before the change. */
        readonly walletAddress: string;
        /** The epoch in which it happened. At least 0. */
        readonly epoch: number;
        readonly stakeAccountAddress: string;
        /** critical: act now. */
        readonly level: 'info' | 'warning' | 'critical';
        /** Patterns it shares with thefts. */
        readonly patterns: ReadonlyArray<
          | 'withdraw-authority-gone'
          | 'both-authorities-at-once'
          | 'while-activating'
          | 'first-separate-stake-authority'
          | 'unknown-custodian'
          | 'all-deactivated-at-once'
          | 'authority-collects-stakes'
        >;
        /** The finalized transaction that made the change. */
        readonly signature: string;
        /** Signers of the transaction, the fee payer first. */
        readonly signedBy: readonly string[];
        readonly how: 'redelegated' | 'withdrawn';
        /** The new vote account, or the recipient of the balance. */
        readonly to: string | null;
      }
    | {
        /** The wallet that could withdraw the stake before the change. */
        readonly walletAddress: string;
        /** The epoch in which it happened. At least 0. */
        readonly epoch: number;
        readonly stakeAccountAddress: string;
        /** critical: act now. */
        readonly level: 'info' | 'warning' | 'critical';
        /** Patterns it shares with thefts. */
        readonly patterns: ReadonlyArray<
          | 'withdraw-authority-gone'
          | 'both-authorities-at-once'
          | 'while-activating'
          | 'first-separate-stake-authority'
          | 'unknown-custodian'
          | 'all-deactivated-at-once'
          | 'authority-collects-stakes'
        >;
        /** The finalized transaction that made the change. */
        readonly signature: string;
        /** Signers of the transaction, the fee payer first. */
        readonly signedBy: readonly string[];
        /** At least 0. */
        readonly deactivationEpoch: number;
        /** The deactivation can be undone up to this slot. At least 0. */
        readonly undoUntilSlot: number;
      };
}

/** Input of `GET /api/v1/check-withdraw-ready/{walletAddress}`. */
export interface CheckWithdrawReadyInput {
  /** The wallet. */
  readonly walletAddress: string;
}

/** Answer of `GET /api/v1/check-withdraw-ready/{walletAddress}`. */
export interface CheckWithdrawReadyAnswer {
  readonly walletAddress: string;
  readonly accounts: readonly WithdrawReadiness[];
  readonly anyReady: boolean;
  /** Accounts ready now. */
  readonly readyCount: number;
  /** Accounts listed. */
  readonly totalAccounts: number;
  readonly _meta: Meta;
}

/** Input of `POST /api/v1/stake`. */
export interface StakeInput {
  /** The wallet that signs and pays. */
  readonly walletAddress: string;
  /**
   * Base58 secret key of `walletAddress` (64 bytes, or the 32-byte seed). Used in memory for this one
   * signature, never stored, never logged.
   */
  readonly secretKey: string;
  /**
   * Priority fee while the network is busy: none, low, medium or high, or the high estimate up to
   * `maxLamports`. Default: medium unless the operator set another.
   */
  readonly priority?:
    | 'none'
    | 'low'
    | 'medium'
    | 'high'
    | {
        /** At least 0. At most 1000000000. */
        readonly maxLamports: number;
      }
    | undefined;
  /** Total moved into the new stake account, in SOL, rent included. Above 0. At most 9000000. */
  readonly amountSol: SolAmount;
}

/** Answer of `POST /api/v1/stake`. */
export interface StakeAnswer {
  /** The confirmed transaction. */
  readonly signature: string;
  /** The transaction in an explorer. */
  readonly explorerUrl: string;
  readonly message: string;
  /** The sentences of message. */
  readonly messageSentences: readonly Sentence[];
  readonly priorityFee?: PriorityFee | undefined;
  /**
   * Present if the network was busy: earlier transactions of this request that expired and never land,
   * oldest first.
   */
  readonly expiredAttempts?:
    | ReadonlyArray<{
        readonly signature: string;
        /** Fee that was too low; not charged. */
        readonly priorityFeeLamports: number;
      }>
    | undefined;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  /** Repeating the request with this key returns this same result. */
  readonly idempotencyKey: string;
  readonly security: Security;
  readonly stakeAccountAddress: string;
  /** Total moved into the stake account. */
  readonly amountSol: number;
  /** Part of amountSol that is delegated and earns. Null if the request resumed after a restart. */
  readonly delegatedSol: number | null;
  /**
   * Part of amountSol that is the rent-exempt minimum of the account: not delegated, returned when the
   * account is closed. Null as above.
   */
  readonly rentReserveSol: number | null;
  readonly _meta: Meta;
}

/** Input of `POST /api/v1/unstake`. */
export interface UnstakeInput {
  /** The wallet that signs and pays. */
  readonly walletAddress: string;
  /**
   * Base58 secret key of `walletAddress` (64 bytes, or the 32-byte seed). Used in memory for this one
   * signature, never stored, never logged.
   */
  readonly secretKey: string;
  /**
   * Priority fee while the network is busy: none, low, medium or high, or the high estimate up to
   * `maxLamports`. Default: medium unless the operator set another.
   */
  readonly priority?:
    | 'none'
    | 'low'
    | 'medium'
    | 'high'
    | {
        /** At least 0. At most 1000000000. */
        readonly maxLamports: number;
      }
    | undefined;
  /** The stake account to deactivate; with amountSol, the only account to take it from. */
  readonly stakeAccountAddress?: string | undefined;
  /**
   * Exact amount in SOL, taken from as many accounts as needed. Default: the whole account. Above 0. At
   * most 9000000.
   */
  readonly amountSol?: SolAmount | undefined;
  /** `atLeast`: the next larger amount if `amountSol` is not possible. Default: exact. */
  readonly rounding?: 'exact' | 'atLeast' | undefined;
  /**
   * `unstake` deactivates `amountSol` in addition to stake already deactivating; `withdrawAmount`: the
   * total that arrives, including withdrawable and deactivating SOL. Default "unstake".
   */
  readonly want?: 'unstake' | 'withdrawAmount' | undefined;
}

/** Answer of `POST /api/v1/unstake`. */
export interface UnstakeAnswer {
  /** The confirmed transaction. */
  readonly signature: string;
  /** The transaction in an explorer. */
  readonly explorerUrl: string;
  readonly message: string;
  /** The sentences of message. */
  readonly messageSentences: readonly Sentence[];
  readonly priorityFee?: PriorityFee | undefined;
  /**
   * Present if the network was busy: earlier transactions of this request that expired and never land,
   * oldest first.
   */
  readonly expiredAttempts?:
    | ReadonlyArray<{
        readonly signature: string;
        /** Fee that was too low; not charged. */
        readonly priorityFeeLamports: number;
      }>
    | undefined;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  /** Repeating the request with this key returns this same result. */
  readonly idempotencyKey: string;
  readonly security: Security;
  /** With `amountSol`: the plan. */
  readonly plan?: StakePlan | undefined;
  readonly epochTiming?: EpochTiming | undefined;
  readonly _meta: Meta;
}

/** Input of `POST /api/v1/withdraw`. */
export interface WithdrawInput {
  /** The wallet that signs and pays. */
  readonly walletAddress: string;
  /**
   * Base58 secret key of `walletAddress` (64 bytes, or the 32-byte seed). Used in memory for this one
   * signature, never stored, never logged.
   */
  readonly secretKey: string;
  /**
   * Priority fee while the network is busy: none, low, medium or high, or the high estimate up to
   * `maxLamports`. Default: medium unless the operator set another.
   */
  readonly priority?:
    | 'none'
    | 'low'
    | 'medium'
    | 'high'
    | {
        /** At least 0. At most 1000000000. */
        readonly maxLamports: number;
      }
    | undefined;
  /** The stake account to withdraw from. */
  readonly stakeAccountAddress?: string | undefined;
  /** SOL. If omitted or null, the full balance. Above 0. At most 9000000. */
  readonly amountSol?: SolAmount | null | undefined;
  /** Instead of an account: every inactive account. */
  readonly all?: true | undefined;
}

/** Answer of `POST /api/v1/withdraw`. */
export interface WithdrawAnswer {
  /** The confirmed transaction. */
  readonly signature: string;
  /** The transaction in an explorer. */
  readonly explorerUrl: string;
  readonly message: string;
  /** The sentences of message. */
  readonly messageSentences: readonly Sentence[];
  readonly priorityFee?: PriorityFee | undefined;
  /**
   * Present if the network was busy: earlier transactions of this request that expired and never land,
   * oldest first.
   */
  readonly expiredAttempts?:
    | ReadonlyArray<{
        readonly signature: string;
        /** Fee that was too low; not charged. */
        readonly priorityFeeLamports: number;
      }>
    | undefined;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  /** Repeating the request with this key returns this same result. */
  readonly idempotencyKey: string;
  readonly security: Security;
  /** Amount withdrawn. */
  readonly amountSol: number;
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/stake/accounts/{walletAddress}`. */
export interface ListStakeAccountsInput {
  /** The wallet. */
  readonly walletAddress: string;
  /** `all` adds undelegated and elsewhere-delegated accounts. Default "validator". */
  readonly scope?: 'validator' | 'all' | undefined;
}

/** Answer of `GET /api/v1/stake/accounts/{walletAddress}`. */
export interface ListStakeAccountsAnswer {
  readonly walletAddress: string;
  readonly validatorVoteAccount: string;
  readonly accounts: readonly StakeAccount[];
  /** Balances of the owned accounts delegated to this validator. */
  readonly totalStakedSol: number;
  readonly epochTiming?: EpochTiming | undefined;
  readonly message?: string | undefined;
  /** The sentences of message. */
  readonly messageSentences?: readonly Sentence[] | undefined;
  readonly nextSteps?:
    | {
        readonly checkBalance: string;
        readonly stake: string;
        readonly simulate: string;
      }
    | undefined;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/stake/accounts/{walletAddress}/withdraw-ready`. */
export interface WithdrawReadinessInput {
  /** The wallet. */
  readonly walletAddress: string;
}

/** Answer of `GET /api/v1/stake/accounts/{walletAddress}/withdraw-ready`. */
export type WithdrawReadinessAnswer = CheckWithdrawReadyAnswer;

/** Input of `POST /api/v1/stake/simulate`. */
export interface SimulateStakeInput {
  /** Total that would be moved into the new stake account, rent included, SOL. Above 0. At most 9000000. */
  readonly amountSol: SolAmount;
  /** Length of the projection in days. At least 1. At most 3650. Default 365. */
  readonly durationDays?: number | undefined;
}

/** Answer of `POST /api/v1/stake/simulate`. */
export interface SimulateStakeAnswer {
  /** As given. */
  readonly amountSol: number;
  /** The part that would be delegated and earn rewards. */
  readonly delegatedSol: number;
  /** As given. */
  readonly durationDays: number;
  /** Percent a year, equal to `totalApy` of the validator; null while unknown. */
  readonly effectiveApy: number | null;
  /**
   * Yearly yield of the projections, percent: `effectiveApy`; while tips are unknown, the yield without
   * tips, so the actual rewards may be higher.
   */
  readonly atLeastApy: number | null;
  /** After 1, 30, 365 and `durationDays` days from now; null while no rate is available. */
  readonly projections: {
    readonly daily: ProjectedPeriod;
    readonly monthly: ProjectedPeriod;
    readonly annual: ProjectedPeriod;
    readonly total: ProjectedPeriod;
  } | null;
  /** Rewards once the stake is active, before compounding. */
  readonly onceActive: {
    /** Per epoch. */
    readonly perEpochSol: number;
    /** Per day. */
    readonly perDaySol: number;
  } | null;
  readonly activation: {
    /** Epoch boundaries until the whole stake is active. */
    readonly epochsUntilActive: number;
    /** Estimated time of that boundary. ISO 8601. */
    readonly estimatedActiveAt: string;
    /** The first epoch that earns rewards. */
    readonly firstRewardEpoch: number;
    /** Estimated time of its payment. ISO 8601. */
    readonly estimatedFirstRewardAt: string;
  };
  readonly feeReserve: {
    /** Amount to keep in the wallet for later fees. */
    readonly recommendedSol: number;
    /** Minimum that the cluster accepts now: rent plus minimum delegation. */
    readonly minimumStakeSol: number;
  };
  readonly recommendation: string;
  /** The sentences of recommendation. */
  readonly recommendationSentences: readonly Sentence[];
  readonly epochTiming: EpochTiming;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/stake/summary/{walletAddress}`. */
export interface StakingSummaryInput {
  /** The wallet. */
  readonly walletAddress: string;
}

/** Answer of `GET /api/v1/stake/summary/{walletAddress}`. */
export interface StakingSummaryAnswer {
  readonly walletAddress: string;
  readonly validatorVoteAccount: string;
  /** The same as in `portfolio`. */
  readonly totalStakedSol: number;
  /** `liquidSol` of `portfolio`. */
  readonly walletBalanceSol: number;
  readonly portfolio: Portfolio;
  readonly accounts: readonly SummarisedStakeAccount[];
  readonly apy?: SummaryApy | undefined;
  readonly epochTiming?: EpochTiming | undefined;
  readonly recommendedAction: RecommendedAction;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/stake/rewards/{walletAddress}`. */
export interface StakingRewardsInput {
  /** The wallet. */
  readonly walletAddress: string;
  /** Number of completed epochs to include. At least 1. At most 200. Default 30. */
  readonly epochs?: number | undefined;
}

/** Answer of `GET /api/v1/stake/rewards/{walletAddress}`. */
export interface StakingRewardsAnswer {
  readonly walletAddress: string;
  readonly rewards: readonly EpochReward[];
  readonly totals: {
    /** Sum of the known figures, SOL; null if none. */
    readonly inflationSol: number | null;
    /** Sum of the known figures, SOL; null if none. */
    readonly tipsSol: number | null;
    /** Number of rewards with unknown inflation; the sum excludes them. */
    readonly unknownInflation: number;
    /** Number of rewards with unknown tips; the sum excludes them. */
    readonly unknownTips: number;
  };
  /** The first epoch included. */
  readonly fromEpoch: number;
  /** The last completed epoch. */
  readonly toEpoch: number;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/stake/history/{walletAddress}`. */
export interface WalletHistoryInput {
  /** The wallet. */
  readonly walletAddress: string;
  /** Entries per page. At least 1. At most 200. Default 50. */
  readonly limit?: number | undefined;
  /** `nextCursor` from the previous page. */
  readonly cursor?: string | undefined;
}

/** Answer of `GET /api/v1/stake/history/{walletAddress}`. */
export interface WalletHistoryAnswer {
  readonly walletAddress: string;
  readonly history: readonly HistoryEntry[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /**
   * The history is complete from this slot on; 0 is the beginning. Null until the chain has been searched
   * for this wallet.
   */
  readonly coverageFromSlot: number | null;
  /** True if nothing is missing: the search reached the beginning. */
  readonly complete: boolean;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/alerts/{walletAddress}`. */
export interface WalletAlertsInput {
  /** The wallet. */
  readonly walletAddress: string;
  /** Alerts per page. At least 1. At most 100. Default 20. */
  readonly limit?: number | undefined;
  /** `nextCursor` from the previous page. */
  readonly cursor?: string | undefined;
}

/** Answer of `GET /api/v1/alerts/{walletAddress}`. */
export interface WalletAlertsAnswer {
  readonly walletAddress: string;
  readonly alerts: readonly WalletAlert[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** Stake accounts that the wallet can take back. */
  readonly rescuable: readonly string[];
  readonly complete: boolean;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

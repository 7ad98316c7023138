// Inputs and answers of the operations under "Validator".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { Meta, Notice } from './shared-types.ts';

/** Annual staking yield with this validator. */
export interface Apy {
  /**
   * Inflation rewards after the commission in force, compounded over 365 days, percent. Like the others,
   * null while stake earns nothing; the reason is in notices.
   */
  readonly stakingApy: number | null;
  /** MEV tips after commission, not compounded, percent. */
  readonly jitoMevApy: number | null;
  /** stakingApy + jitoMevApy; null if either is. */
  readonly totalApy: number | null;
  /** totalApy; stakingApy alone, excluding tips, while jitoMevApy is null. Used for projections. */
  readonly atLeastApy: number | null;
  /** Commission on inflation rewards, read from the chain, percent. */
  readonly commission: number | null;
  /** Commission on MEV tips, basis points. */
  readonly jitoCommissionBps: number | null;
  /** Method of the calculation. Past figures are no guarantee of future results. */
  readonly method: {
    /** Calculation of this part; null while unknown. */
    readonly staking: YieldMethod | null;
    /** Calculation of this part; null while unknown. */
    readonly jitoMev: YieldMethod | null;
    /** Measured length of an epoch, used for the year. */
    readonly secondsPerEpoch: number | null;
    readonly description: string;
  };
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
}

/** Calculation of a part of the yield. */
export interface YieldMethod {
  /**
   * `realised`: rewards that were paid. `expected`: issuance of the cluster, used until a reward paid here
   * has been measured. `provider`: figure of a statistics provider. `none`: the validator takes no part in
   * tips.
   */
  readonly source: 'realised' | 'expected' | 'provider' | 'none';
  /** First epoch of the window; null unless realised. */
  readonly fromEpoch: number | null;
  /** Last epoch of the window. */
  readonly toEpoch: number | null;
  /** Epochs in the window that had a sample. */
  readonly epochCount: number;
  /** Samples: one for each account and epoch, or each epoch of tips. */
  readonly sampleCount: number;
}

/** Current performance of the validator. */
export interface Performance {
  /** Vote credits earned this epoch as a share of the maximum; null in its first 64 slots. */
  readonly voteSuccessRate: number | null;
  /** Share of our samples of the last 30 epochs in which the validator was not delinquent. */
  readonly uptimePercentage: number | null;
  /** Number of these samples. */
  readonly uptimeSamples: number;
  /** Share of passed leader slots without a block; null under 8 passed slots. */
  readonly skipRate: number | null;
  /** Vote credits earned this epoch. */
  readonly epochCredits: number | null;
  /** Rank by vote credits of this epoch, 1 is best. */
  readonly epochCreditsRank: number | null;
  /** Stake that is active this epoch. */
  readonly totalActiveStake: number | null;
  /** True if the validator is delinquent (its votes lag behind). */
  readonly delinquent: boolean | null;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
}

/** One completed epoch. */
export interface ValidatorEpoch {
  /** The epoch. */
  readonly epoch: number;
  /** Stake that was active in this epoch. */
  readonly activeStakeSol: number | null;
  /** Vote credits earned in this epoch. */
  readonly credits: number | null;
  /** Yearly yield based on the epoch’s rewards and tips, percent. */
  readonly apy: number | null;
  /** Commission rate applied to the rewards, percent. */
  readonly commission: number | null;
  /** Share of leader slots without a block, percent. */
  readonly skipRate: number | null;
}

/** One sample of the votes. */
export interface VoteSample {
  /** Time of the sample. ISO 8601. */
  readonly timestamp: string;
  /** Slot at that time. */
  readonly slot: number;
  /** Credits earned as a share of the maximum, percent. */
  readonly voteSuccessRate: number;
}

/** The validator alert in a response. */
export interface ValidatorAlert {
  readonly change:
    | 'delinquent'
    | 'recovered'
    | 'commission'
    | 'collector'
    | 'absent'
    | 'destake-possible'
    | 'limits';
  readonly level: 'info' | 'warning' | 'critical';
  readonly epoch: number;
  readonly slot: number;
  /** Time of detection. ISO 8601. */
  readonly timestamp: string;
  /** The term, `voting`, `absent` (to: the epoch) or `destake` (to: from which epoch). */
  readonly what: string;
  readonly from: string;
  readonly to: string;
  readonly nearBoundary: boolean;
  readonly seenByNodes: number;
}

/** One city. */
export interface CityDensity {
  readonly city: string;
  /** Null if the provider has none. */
  readonly country: string | null;
  /** Validators there. */
  readonly validatorCount: number;
  /** Share of all validators, percent. */
  readonly sharePct: number;
  /** Active validators with a known APY, used for the median. */
  readonly scored: number;
  /** Median APY; null with fewer than 3 scored validators. */
  readonly medianApy: number | null;
}

/** Input of `GET /api/v1/validator`. */
export type ValidatorProfileInput = Readonly<Record<never, never>>;

/** Answer of `GET /api/v1/validator`. */
export interface ValidatorProfileAnswer {
  /** Name. */
  readonly name: string | null;
  /** Identity address. */
  readonly identity: string | null;
  /** Address of the vote account to which stake is delegated. */
  readonly voteAccount: string;
  /** Website. */
  readonly website: string | null;
  /** Description by the operator. */
  readonly description: string | null;
  /** Commission on inflation rewards, read from the chain, percent. */
  readonly commission: number | null;
  /**
   * Share of block revenue that is not paid to delegators, percent; null if its layout has no such member.
   */
  readonly blockRevenueCommission: number | null;
  /** The vote account, decoded from its bytes; null if its layout is not the current one. */
  readonly voteState: {
    /** Commission on inflation rewards, basis points. */
    readonly inflationCommissionBps: number;
    /** Share of block revenue that is not paid to delegators, basis points. */
    readonly blockRevenueCommissionBps: number;
    /** Account that receives the commission on inflation rewards. */
    readonly inflationCollector: string;
    /** Account that receives the share of block revenue. */
    readonly blockRevenueCollector: string;
    /** Block revenue not yet paid to the delegators. */
    readonly pendingDelegatorRewardsSol: number;
    /**
     * Whether the account has a BLS key. A cluster with admission tickets does not admit validators without
     * one.
     */
    readonly hasBlsKey: boolean;
    /** Balance of the account, from which a cluster with admission tickets takes the fees. */
    readonly balanceSol: number;
  } | null;
  /** Commission on MEV tips, basis points. */
  readonly jitoCommissionBps: number | null;
  /** Epoch of that commission. */
  readonly jitoCommissionEpoch: number | null;
  /** Stake that is active this epoch. */
  readonly activatedStakeSol: number | null;
  /** Wallets with at least one account delegated here and not deactivated. */
  readonly delegatorCount: number | null;
  /** Rank by stake, 1 is the largest. */
  readonly rank: number | null;
  /** Ranking by vote credits; null while no RPC node lists the validators. */
  readonly voteCreditRank: {
    /** Rank by vote credits, 1 is best; ties share the better rank. */
    readonly rank: number;
    /** Number of ranked validators. */
    readonly total: number;
    /** The epoch whose credits are ranked. */
    readonly epoch: number;
    /** Credits that could have been earned and were not. */
    readonly missedCredits: number | null;
    /** Average number of slots between a block and the vote for it, over the last 31 votes. */
    readonly avgLatency: number | null;
    readonly source: string;
  } | null;
  /** Software version announced by the validator. */
  readonly software: string | null;
  /** Whether it takes part in MEV tips. */
  readonly jitoEnabled: boolean | null;
  /** Location of the machine. */
  readonly location: string | null;
  /** Picture. */
  readonly iconUrl: string | null;
  readonly apy: Apy;
  readonly performance: Performance;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/validator/apy`. */
export type ValidatorApyInput = Readonly<Record<never, never>>;

/** Answer of `GET /api/v1/validator/apy`. */
export interface ValidatorApyAnswer extends Apy {
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/validator/performance`. */
export type ValidatorPerformanceInput = Readonly<Record<never, never>>;

/** Answer of `GET /api/v1/validator/performance`. */
export interface ValidatorPerformanceAnswer extends Performance {
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/validator/history`. */
export type ValidatorHistoryInput = Readonly<Record<never, never>>;

/** Answer of `GET /api/v1/validator/history`. */
export interface ValidatorHistoryAnswer {
  readonly epochs: readonly ValidatorEpoch[];
  readonly voteSamples: readonly VoteSample[];
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/validator/live`. */
export type ValidatorLiveInput = Readonly<Record<never, never>>;

/** Answer of `GET /api/v1/validator/live`. */
export interface ValidatorLiveAnswer {
  /** The current slot. */
  readonly currentSlot: number;
  /** The current epoch. */
  readonly currentEpoch: number;
  /** Share of the epoch that has passed, percent. */
  readonly epochProgressPct: number;
  /** Slots since the epoch began. */
  readonly slotIndex: number;
  /** Slots of the whole epoch. */
  readonly slotsInEpoch: number;
  /** Measured mean slot duration, milliseconds. */
  readonly slotDurationMs: number;
  /** Leader slots in the current epoch; all null while no RPC counts them. */
  readonly leaderSlots: {
    /** Leader slots of the whole epoch. */
    readonly assigned: number | null;
    /** Leader slots that have passed. */
    readonly passed: number | null;
    /** Blocks produced in the passed slots. */
    readonly produced: number | null;
    /** Passed slots without a block. */
    readonly skipped: number | null;
    /** Share of passed slots without a block; null if fewer than 8 have passed. */
    readonly skipRatePct: number | null;
  };
  /** The last slot that the validator voted for. */
  readonly lastVoteSlot: number;
  /** The last slot that the validator considers finalized. */
  readonly rootSlot: number;
  /** Vote credits earned this epoch. */
  readonly epochCredits: number;
  /** Stake that is active this epoch. */
  readonly activatedStakeSol: number;
  /** True if the validator is delinquent (its votes lag behind). */
  readonly delinquent: boolean;
  /** Commission on inflation rewards, percent. */
  readonly commission: number | null;
  /** Commission on MEV tips, basis points. */
  readonly jitoCommissionBps: number | null;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/validator/alerts`. */
export type ValidatorAlertsInput = Readonly<Record<never, never>>;

/** Answer of `GET /api/v1/validator/alerts`. */
export interface ValidatorAlertsAnswer {
  readonly validatorVoteAccount: string;
  /** Null if not watched yet. */
  readonly watchedSinceEpoch: number | null;
  readonly alerts: readonly ValidatorAlert[];
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/validator/infrastructure`. */
export type ValidatorInfrastructureInput = Readonly<Record<never, never>>;

/** Answer of `GET /api/v1/validator/infrastructure`. */
export interface ValidatorInfrastructureAnswer {
  /** Processor. */
  readonly cpu: string | null;
  /** Memory. */
  readonly memory: string | null;
  /** Storage. */
  readonly storage: string | null;
  /** Network connection. */
  readonly network: string | null;
  readonly datacenter: {
    /** Name of the data centre. */
    readonly name: string | null;
    /** City. */
    readonly city: string | null;
    /** Country. */
    readonly country: string | null;
    readonly certifications: readonly string[];
  } | null;
  readonly redundancy: {
    /** Whether a second machine can take over. */
    readonly standby: boolean | null;
    /** How. */
    readonly description: string | null;
  } | null;
  /** Validator software. */
  readonly software: string | null;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/network/peer-density`. */
export type PeerDensityInput = Readonly<Record<never, never>>;

/** Answer of `GET /api/v1/network/peer-density`. */
export interface PeerDensityAnswer {
  /** Most validators first, at most 25. */
  readonly cities: readonly CityDensity[];
  /** City of this validator; null if unknown. */
  readonly validatorCity: CityDensity | null;
  /** Over all scored validators. */
  readonly globalMedianApy: number | null;
  /** Number of validators that the provider lists. */
  readonly totalValidators: number;
  /** Number of these that are active and have a known APY. */
  readonly scoredValidators: number;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

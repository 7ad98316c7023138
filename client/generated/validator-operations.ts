// What the operations under "Validator" take and give.
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { Meta, Notice } from './shared-types.ts';

/** Annual staking yield with this validator. */
export interface Apy {
  /**
   * Inflation rewards after the commission in force, compounded over 365 days, percent. Null, like the
   * others, while stake earns nothing: notices say why.
   */
  readonly stakingApy: number | null;
  /** MEV tips after commission, not compounded, percent. */
  readonly jitoMevApy: number | null;
  /** stakingApy + jitoMevApy; null if either is. */
  readonly totalApy: number | null;
  /** totalApy; stakingApy alone, excluding tips, while jitoMevApy is null. What projections are made at. */
  readonly atLeastApy: number | null;
  /** Commission on inflation rewards as the chain has it, percent. */
  readonly commission: number | null;
  /** Commission on MEV tips, basis points. */
  readonly jitoCommissionBps: number | null;
  /** How the figures were made. They describe the past and are no guarantee. */
  readonly method: {
    /** How this part was made; null while it is not known. */
    readonly staking: YieldMethod | null;
    /** How this part was made; null while it is not known. */
    readonly jitoMev: YieldMethod | null;
    /** Measured length of an epoch that the year is made of. */
    readonly secondsPerEpoch: number | null;
    readonly description: string;
  };
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** The most severe first. Critical: do not stake before you read it. */
  readonly notices: readonly Notice[];
}

/** How a part of the yield was made. */
export interface YieldMethod {
  /**
   * `realised`: rewards that were paid. `expected`: issuance of the cluster, because no reward paid here
   * was measured yet. `provider`: figure of a statistics provider. `none`: the validator takes no part in
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
  /** Vote credits earned this epoch as a share of the obtainable; null in its first 64 slots. */
  readonly voteSuccessRate: number | null;
  /** Share of our samples of the last 30 epochs in which the validator was not delinquent. */
  readonly uptimePercentage: number | null;
  /** How many samples that is. */
  readonly uptimeSamples: number;
  /** Share of passed leader slots without a block; null under 8 passed slots. */
  readonly skipRate: number | null;
  /** Vote credits earned this epoch. */
  readonly epochCredits: number | null;
  /** Rank by vote credits of this epoch, 1 is best. */
  readonly epochCreditsRank: number | null;
  /** Stake that is effective this epoch. */
  readonly totalActiveStake: number | null;
  /** True when the validator lags in voting. */
  readonly delinquent: boolean | null;
  /** What is missing or less certain than usual in this answer, and why. */
  readonly warnings: readonly string[];
}

/** One completed epoch. */
export interface ValidatorEpoch {
  /** The epoch. */
  readonly epoch: number;
  /** Stake that was effective in it. */
  readonly activeStakeSol: number | null;
  /** Vote credits earned in it. */
  readonly credits: number | null;
  /** Yearly yield at its rewards and tips, percent. */
  readonly apy: number | null;
  /** Commission that its rewards were paid under, percent. */
  readonly commission: number | null;
  /** Share of leader slots without a block, percent. */
  readonly skipRate: number | null;
}

/** One sample of the votes. */
export interface VoteSample {
  /** When it was taken. ISO 8601. */
  readonly timestamp: string;
  /** The slot at that time. */
  readonly slot: number;
  /** Credits earned of those obtainable, percent. */
  readonly voteSuccessRate: number;
}

/** Part of an answer: validator alert. */
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
  /** When it was noticed. ISO 8601. */
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
  /** Null where the provider has none. */
  readonly country: string | null;
  /** Validators there. */
  readonly validatorCount: number;
  /** Share of all validators, percent. */
  readonly sharePct: number;
  /** Active validators of known APY: what the median is made of. */
  readonly scored: number;
  /** Median APY; null with fewer than 3 scored validators. */
  readonly medianApy: number | null;
}

/** What `GET /api/v1/validator` takes. */
export type ValidatorProfileInput = Readonly<Record<never, never>>;

/** What `GET /api/v1/validator` answers. */
export interface ValidatorProfileAnswer {
  /** Name. */
  readonly name: string | null;
  /** Identity address. */
  readonly identity: string | null;
  /** Vote account address: what stake is delegated to. */
  readonly voteAccount: string;
  /** Website. */
  readonly website: string | null;
  /** Description by the operator. */
  readonly description: string | null;
  /** Commission on inflation rewards as the chain has it, percent. */
  readonly commission: number | null;
  /**
   * Share of block revenue that the vote account keeps from delegators, percent; null where its layout has
   * no such member.
   */
  readonly blockRevenueCommission: number | null;
  /** The vote account by its own bytes; null where its layout is not the current one. */
  readonly voteState: {
    /** Commission on inflation rewards, basis points. */
    readonly inflationCommissionBps: number;
    /** Share of block revenue kept from delegators, basis points. */
    readonly blockRevenueCommissionBps: number;
    /** Where the commission on inflation rewards goes. */
    readonly inflationCollector: string;
    /** Where the share of block revenue goes. */
    readonly blockRevenueCollector: string;
    /** Block revenue that waits to be paid to the delegators. */
    readonly pendingDelegatorRewardsSol: number;
    /**
     * The account holds a BLS key. A cluster that asks for admission tickets admits no validator without
     * one.
     */
    readonly hasBlsKey: boolean;
    /** What the account holds; a cluster that asks for admission tickets takes them from here. */
    readonly balanceSol: number;
  } | null;
  /** Commission on MEV tips, basis points. */
  readonly jitoCommissionBps: number | null;
  /** The epoch that commission held in. */
  readonly jitoCommissionEpoch: number | null;
  /** Stake that is effective this epoch. */
  readonly activatedStakeSol: number | null;
  /** Wallets with at least one account delegated here and not deactivated. */
  readonly delegatorCount: number | null;
  /** Rank by stake, 1 is the largest. */
  readonly rank: number | null;
  /** Ranking by vote credits; null while no RPC node lists the validators. */
  readonly voteCreditRank: {
    /** Rank by vote credits, 1 is best; ties share the better rank. */
    readonly rank: number;
    /** Validators that are ranked. */
    readonly total: number;
    /** The epoch whose credits count. */
    readonly epoch: number;
    /** Credits that could have been earned and were not. */
    readonly missedCredits: number | null;
    /** Slots between a block and the vote for it, mean over the last 31 votes. */
    readonly avgLatency: number | null;
    readonly source: string;
  } | null;
  /** Version that the validator gossips. */
  readonly software: string | null;
  /** Takes part in MEV tips. */
  readonly jitoEnabled: boolean | null;
  /** Location of the machine. */
  readonly location: string | null;
  /** Picture. */
  readonly iconUrl: string | null;
  readonly apy: Apy;
  readonly performance: Performance;
  /** What is missing or less certain than usual in this answer, and why. */
  readonly warnings: readonly string[];
  readonly _meta: Meta;
}

/** What `GET /api/v1/validator/apy` takes. */
export type ValidatorApyInput = Readonly<Record<never, never>>;

/** What `GET /api/v1/validator/apy` answers. */
export interface ValidatorApyAnswer extends Apy {
  readonly _meta: Meta;
}

/** What `GET /api/v1/validator/performance` takes. */
export type ValidatorPerformanceInput = Readonly<Record<never, never>>;

/** What `GET /api/v1/validator/performance` answers. */
export interface ValidatorPerformanceAnswer extends Performance {
  readonly _meta: Meta;
}

/** What `GET /api/v1/validator/history` takes. */
export type ValidatorHistoryInput = Readonly<Record<never, never>>;

/** What `GET /api/v1/validator/history` answers. */
export interface ValidatorHistoryAnswer {
  readonly epochs: readonly ValidatorEpoch[];
  readonly voteSamples: readonly VoteSample[];
  /** What is missing or less certain than usual in this answer, and why. */
  readonly warnings: readonly string[];
  readonly _meta: Meta;
}

/** What `GET /api/v1/validator/live` takes. */
export type ValidatorLiveInput = Readonly<Record<never, never>>;

/** What `GET /api/v1/validator/live` answers. */
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
  /** Leader slots of the running epoch; all null while no RPC counts them. */
  readonly leaderSlots: {
    /** Leader slots of the whole epoch. */
    readonly assigned: number | null;
    /** Of these, slots behind the cluster. */
    readonly passed: number | null;
    /** Blocks made in them. */
    readonly produced: number | null;
    /** Passed slots without a block. */
    readonly skipped: number | null;
    /** Skipped of passed; null under 8 passed slots. */
    readonly skipRatePct: number | null;
  };
  /** The last slot that the validator voted for. */
  readonly lastVoteSlot: number;
  /** The last slot that the validator holds for final. */
  readonly rootSlot: number;
  /** Vote credits earned this epoch. */
  readonly epochCredits: number;
  /** Stake that is effective this epoch. */
  readonly activatedStakeSol: number;
  /** True when the validator lags in voting. */
  readonly delinquent: boolean;
  /** Commission on inflation rewards, percent. */
  readonly commission: number | null;
  /** Commission on MEV tips, basis points. */
  readonly jitoCommissionBps: number | null;
  /** What is missing or less certain than usual in this answer, and why. */
  readonly warnings: readonly string[];
  readonly _meta: Meta;
}

/** What `GET /api/v1/validator/alerts` takes. */
export type ValidatorAlertsInput = Readonly<Record<never, never>>;

/** What `GET /api/v1/validator/alerts` answers. */
export interface ValidatorAlertsAnswer {
  readonly validatorVoteAccount: string;
  /** Null: not watched yet. */
  readonly watchedSinceEpoch: number | null;
  readonly alerts: readonly ValidatorAlert[];
  readonly _meta: Meta;
}

/** What `GET /api/v1/validator/infrastructure` takes. */
export type ValidatorInfrastructureInput = Readonly<Record<never, never>>;

/** What `GET /api/v1/validator/infrastructure` answers. */
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
    /** A second machine can take over. */
    readonly standby: boolean | null;
    /** How. */
    readonly description: string | null;
  } | null;
  /** Validator software. */
  readonly software: string | null;
  /** What is missing or less certain than usual in this answer, and why. */
  readonly warnings: readonly string[];
  readonly _meta: Meta;
}

/** What `GET /api/v1/network/peer-density` takes. */
export type PeerDensityInput = Readonly<Record<never, never>>;

/** What `GET /api/v1/network/peer-density` answers. */
export interface PeerDensityAnswer {
  /** Most validators first, at most 25. */
  readonly cities: readonly CityDensity[];
  /** Of this validator; null when unknown. */
  readonly validatorCity: CityDensity | null;
  /** Over all scored validators. */
  readonly globalMedianApy: number | null;
  /** Validators that the provider lists. */
  readonly totalValidators: number;
  /** Of these, active ones of known APY. */
  readonly scoredValidators: number;
  /** What is missing or less certain than usual in this answer, and why. */
  readonly warnings: readonly string[];
  readonly _meta: Meta;
}

// Data about the cluster's validators that the chain does not contain. Every field may be unknown.
import type { Snapshot } from './provider-snapshot.ts';

/** One validator as described by a statistics provider. Percentages are 0–100 unless noted. */
export interface ValidatorStatistic {
  readonly voteAccount: string;
  readonly identity: string | null;
  /** Display name, at most 100 characters, without control characters. */
  readonly name: string | null;
  /** At most 1,000 characters. */
  readonly description: string | null;
  readonly website: string | null;
  readonly iconUrl: string | null;
  /** Epoch to which the values apply. */
  readonly epoch: number | null;
  readonly runsJito: boolean | null;
  /**
   * 0–10,000. Null if the provider reports that the validator does not run Jito, even if it also sends a
   * stale value.
   */
  readonly jitoCommissionBps: number | null;
  /** Rounded SOL. Never convert it to lamports. */
  readonly activatedStakeSol: number | null;
  readonly delinquent: boolean | null;
  readonly skipRatePct: number | null;
  readonly voteSuccessPct: number | null;
  readonly creditsThisEpoch: number | null;
  /** 0–1,000. */
  readonly stakingApyPct: number | null;
  /** 0–1,000. */
  readonly jitoApyPct: number | null;
  /** 0–1,000. The provider's total, or its older single estimate if there is no total. */
  readonly totalApyPct: number | null;
  readonly softwareVersion: string | null;
  readonly city: string | null;
  readonly country: string | null;
}

/** The active stake of our validator in one epoch. */
export interface EpochStake {
  readonly epoch: number;
  /** Rounded SOL. */
  readonly activeStakeSol: number | null;
}

/**
 * A provider of validator statistics. Calls reject only if `signal` is aborted; other failures are in the
 * snapshot.
 */
export interface NetworkStatistics {
  /** Returns all validators, one per vote account. */
  readonly validators: (signal: AbortSignal) => Promise<Snapshot<readonly ValidatorStatistic[]>>;
  /** Returns only our validator. */
  readonly validator: (signal: AbortSignal) => Promise<Snapshot<ValidatorStatistic>>;
  /** Lists our validator's stake without duplicate epochs, newest first. */
  readonly stakeHistory: (signal: AbortSignal) => Promise<Snapshot<readonly EpochStake[]>>;
  /** Aborts requests in progress and closes the connections. */
  readonly close: () => Promise<void>;
}

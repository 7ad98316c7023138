// What the service wants to know of the cluster's validators and the chain does not say; every field may be unknown.
import type { Snapshot } from './provider-snapshot.ts';

/** One validator as a statistics provider describes it. Percentages are 0–100 unless said otherwise. */
export interface ValidatorStatistic {
  readonly voteAccount: string;
  readonly identity: string | null;
  /** For people, at most 100 characters, without control characters. */
  readonly name: string | null;
  /** At most 1,000 characters. */
  readonly description: string | null;
  readonly website: string | null;
  readonly iconUrl: string | null;
  /** Place by the provider's own ranking, 1 is best. */
  readonly rank: number | null;
  /** The epoch that the figures belong to. */
  readonly epoch: number | null;
  readonly commissionPct: number | null;
  readonly runsJito: boolean | null;
  /** 0–10,000; null where the provider says that it runs no Jito, whatever stale figure comes along. */
  readonly jitoCommissionBps: number | null;
  /** SOL, a rounded figure: never to be turned into lamports. */
  readonly activatedStakeSol: number | null;
  readonly delinquent: boolean | null;
  readonly skipRatePct: number | null;
  readonly voteSuccessPct: number | null;
  /** Share of the last 30 days in which the provider saw it not delinquent. */
  readonly uptimePct: number | null;
  readonly creditsTotal: number | null;
  readonly creditsThisEpoch: number | null;
  /** 0–1,000. */
  readonly stakingApyPct: number | null;
  /** 0–1,000. */
  readonly jitoApyPct: number | null;
  /** 0–1,000; the provider's total, or its older single estimate where there is no total. */
  readonly totalApyPct: number | null;
  readonly softwareVersion: string | null;
  readonly city: string | null;
  readonly country: string | null;
  /** Degrees, -90 to 90. */
  readonly latitude: number | null;
  /** Degrees, -180 to 180. */
  readonly longitude: number | null;
  /** Who runs the network it stands in. */
  readonly hostingOrganisation: string | null;
  readonly asn: string | null;
  readonly firstEpochWithStake: number | null;
}

/** The active stake of our validator in one epoch. */
export interface EpochStake {
  readonly epoch: number;
  /** SOL, a rounded figure. */
  readonly activeStakeSol: number | null;
}

/** A provider of validator statistics. Calls throw only the signal's reason; whatever else happens is in the snapshot. */
export interface NetworkStatistics {
  /** Every validator, each vote account once. */
  readonly validators: (signal: AbortSignal) => Promise<Snapshot<readonly ValidatorStatistic[]>>;
  /** Our validator alone. */
  readonly validator: (signal: AbortSignal) => Promise<Snapshot<ValidatorStatistic>>;
  /** Our validator's stake, newest epoch first, each once. */
  readonly stakeHistory: (signal: AbortSignal) => Promise<Snapshot<readonly EpochStake[]>>;
  /** Ends requests under way and connections. */
  readonly close: () => Promise<void>;
}

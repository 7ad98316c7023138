// What the service wants to know of MEV and the chain does not say; amounts are exact lamports or unknown.
import type { Snapshot } from './provider-snapshot.ts';

/** Our validator's MEV commission. */
export interface MevCommission {
  /** The epoch in which the commission held; null when none is known. */
  readonly epoch: number | null;
  /** Basis points of the tips, 0–10,000. */
  readonly commissionBps: number | null;
  /** In the epoch that was asked for. Null when the provider does not list the validator yet: one of little stake shows only after its first leader slot. */
  readonly runsJito: boolean | null;
}

/** What our validator's blocks earned in one finished epoch. */
export interface MevEpochRewards {
  readonly epoch: number;
  /** Tips after Jito's own share, before they are split between the validator (its commission) and its stakers. */
  readonly mevLamports: bigint | null;
  readonly commissionBps: number | null;
  /** Priority fees handed on, before the same split. */
  readonly priorityFeeLamports: bigint | null;
  readonly priorityFeeCommissionBps: number | null;
}

/** A provider of MEV statistics. Calls throw only the signal's reason; whatever else happens is in the snapshot. */
export interface MevStatistics {
  /** The commission in `epoch` (the current one), or in the newest finished epoch where the provider does not know that one yet. */
  readonly commission: (epoch: number, signal: AbortSignal) => Promise<Snapshot<MevCommission>>;
  /** Finished epochs, newest first, each once; empty for a validator that Jito never saw. An epoch that is not listed is unknown, not 0. */
  readonly rewards: (signal: AbortSignal) => Promise<Snapshot<readonly MevEpochRewards[]>>;
  /** Ends requests under way and connections. */
  readonly close: () => Promise<void>;
}

/** The stakers' part of an epoch's tips, rounded down; null when amount or commission is unknown. */
export const stakersMevLamports = ({ mevLamports, commissionBps }: MevEpochRewards): bigint | null =>
  mevLamports === null || commissionBps === null
    ? null
    : (mevLamports * BigInt(10_000 - commissionBps)) / 10_000n;

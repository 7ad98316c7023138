// MEV data that the chain does not contain. Amounts are exact lamports or null.
import type { Snapshot } from './provider-snapshot.ts';

/** Our validator's MEV commission. */
export interface MevCommission {
  /** Epoch of the commission; null if unknown. */
  readonly epoch: number | null;
  /** Share of the tips in basis points, 0–10,000. */
  readonly commissionBps: number | null;
  /**
   * True if the validator runs Jito in the requested epoch. Null if the provider does not list the validator
   * yet: a small validator only appears after its first leader slot.
   */
  readonly runsJito: boolean | null;
}

/** MEV income of our validator's blocks in one finished epoch. */
export interface MevEpochRewards {
  readonly epoch: number;
  /**
   * Tips after Jito's share has been deducted and before they are split between the validator (its
   * commission) and its stakers.
   */
  readonly mevLamports: bigint | null;
  readonly commissionBps: number | null;
}

/**
 * A provider of MEV statistics. Calls reject only if `signal` is aborted; other failures are in the snapshot.
 */
export interface MevStatistics {
  /**
   * Returns the commission in `epoch` (the current one), or in the latest finished epoch if the provider does
   * not know the current one yet.
   */
  readonly commission: (epoch: number, signal: AbortSignal) => Promise<Snapshot<MevCommission>>;
  /**
   * Lists finished epochs without duplicates, newest first; empty if Jito has never seen the validator. A
   * missing epoch is unknown, not 0.
   */
  readonly rewards: (signal: AbortSignal) => Promise<Snapshot<readonly MevEpochRewards[]>>;
  /** Aborts requests in progress and closes the connections. */
  readonly close: () => Promise<void>;
}

/**
 * Computes the stakers' share of an epoch's tips, rounded down; null if the amount or the commission is
 * unknown.
 */
export const stakersMevLamports = ({ mevLamports, commissionBps }: MevEpochRewards): bigint | null =>
  mevLamports === null || commissionBps === null
    ? null
    : (mevLamports * BigInt(10_000 - commissionBps)) / 10_000n;

/**
 * Computes the validator's share of an epoch's tips, rounded down; null if the amount or the commission is
 * unknown.
 */
export const validatorMevLamports = ({ mevLamports, commissionBps }: MevEpochRewards): bigint | null =>
  mevLamports === null || commissionBps === null ? null : (mevLamports * BigInt(commissionBps)) / 10_000n;

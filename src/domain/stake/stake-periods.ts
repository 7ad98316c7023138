// A stake account's delegation periods. In each, the account was delegated to our vote account, under one
// owner, with one activation epoch.
import type { Address } from '@solana/kit';
import { EPOCH_ABSENT, type StakeAccount } from './stake-account.ts';
import type { LockupTimes } from './stake-operation.ts';

export interface ChainPoint {
  readonly slot: bigint;
  readonly epoch: bigint;
}

/** A slot with its time in Unix seconds; null if no node reports the time. */
export interface TimedPoint extends ChainPoint {
  readonly seconds: bigint | null;
}

/** A deactivation that was in force at the end of a slot. */
export interface Deactivation {
  readonly epoch: bigint;
  /** Slot of the transaction that deactivated the stake; null if it precedes the known history. */
  readonly slot: bigint | null;
  /** The time of that slot in Unix seconds; null if unknown. */
  readonly seconds: bigint | null;
}

/**
 * A period in which an account was delegated to our vote account, with one activation epoch, under one
 * withdraw authority.
 */
export interface DelegationPeriod {
  readonly withdrawer: Address;
  readonly activationEpoch: bigint;
  /** `EPOCH_ABSENT` if no deactivation was in force when the period ended. */
  readonly deactivationEpoch: bigint;
  /** One entry per epoch. A deactivation that was undone and repeated within an epoch counts once. */
  readonly deactivations: readonly Deactivation[];
  /**
   * True if the account's own history contains a delegate instruction in the activation epoch, false if it
   * contains none, null if the history was not read completely.
   */
  readonly delegated: boolean | null;
  /** Null if the period began before the known history. */
  readonly since: TimedPoint | null;
  /** Null if the period has not ended. */
  readonly until: TimedPoint | null;
  readonly stakeLamports: bigint;
  /** The account's whole balance when the period ended. */
  readonly lamports: bigint;
  /** The account's lockup when the period ended. */
  readonly lockup: LockupTimes;
  /** Slot of the last known change of the lockup. */
  readonly lockupSlot: bigint | null;
}

/**
 * Derives the period from an account's current state, assuming that nothing else happened to the account.
 * Returns null if it is not delegated to `voteAccount`.
 */
export const currentPeriod = (
  account: StakeAccount,
  voteAccount: Address,
  delegated: boolean | null,
): DelegationPeriod | null => {
  const { delegation } = account;
  if (delegation === null || delegation.voteAccount !== voteAccount) return null;
  const { deactivationEpoch } = delegation;
  return {
    withdrawer: account.withdrawAuthority,
    activationEpoch: delegation.activationEpoch,
    deactivationEpoch,
    deactivations:
      deactivationEpoch === EPOCH_ABSENT ? [] : [{ epoch: deactivationEpoch, slot: null, seconds: null }],
    delegated,
    since: null,
    until: null,
    stakeLamports: delegation.stakeLamports,
    lamports: account.lamports,
    lockup: account.lockup,
    lockupSlot: null,
  };
};

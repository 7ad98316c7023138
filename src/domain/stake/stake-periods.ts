// A stake account's delegation periods: delegated to our vote account, under one owner, since one epoch.
import type { Address } from '@solana/kit';
import { EPOCH_ABSENT, type StakeAccount } from './stake-account.ts';
import type { LockupTimes } from './stake-operation.ts';

/** A slot and its epoch. */
export interface ChainPoint {
  readonly slot: bigint;
  readonly epoch: bigint;
}

/** A slot with its time, Unix seconds, where a node knows it. */
export interface TimedPoint extends ChainPoint {
  readonly seconds: bigint | null;
}

/** A deactivation that held at the end of a slot. */
export interface Deactivation {
  readonly epoch: bigint;
  /** The slot that set it; null if before the history that was read. */
  readonly slot: bigint | null;
  /** The time of that slot, Unix seconds; null where it is not known. */
  readonly seconds: bigint | null;
}

/** A stretch in which an account was delegated to our vote account, since one activation epoch, under one withdraw authority. */
export interface DelegationPeriod {
  readonly withdrawer: Address;
  readonly activationEpoch: bigint;
  /** `EPOCH_ABSENT` unless set at the end. */
  readonly deactivationEpoch: bigint;
  /** Each epoch once: undone and done again within an epoch is one. */
  readonly deactivations: readonly Deactivation[];
  /** Its own history holds a delegate in the activation epoch; null where its history was not read. */
  readonly delegated: boolean | null;
  /** Null: it began before the history that was read. */
  readonly since: TimedPoint | null;
  /** Null: it goes on. */
  readonly until: TimedPoint | null;
  readonly stakeLamports: bigint;
  /** The whole balance at its end. */
  readonly lamports: bigint;
  /** As it was at its end. */
  readonly lockup: LockupTimes;
  /** The slot of the last change of the lockup, as far as history was read. */
  readonly lockupSlot: bigint | null;
}

/** Returns the period that an account's present state shows, if nothing is known to have happened to it. Null if not delegated to `voteAccount`. */
export const presentPeriod = (
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

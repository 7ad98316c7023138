// A stake account's delegation periods: delegated to our vote account, under one owner, since one epoch.
import type { Address } from '@solana/kit';
import { EPOCH_ABSENT, type StakeAccount } from './stake-account.ts';
import type { LockupTimes } from './stake-operation.ts';

/** A moment on chain. */
export interface ChainPoint {
  readonly slot: bigint;
  readonly epoch: bigint;
}

/** A moment on chain and its time, Unix seconds, where a node knows it. */
export interface TimedPoint extends ChainPoint {
  readonly seconds: bigint | null;
}

/** A deactivation that held at the end of a slot. */
export interface Deactivation {
  readonly epoch: bigint;
  /** Since when it held; null: since before what was looked at. */
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
  /** Its own history holds a delegate in the activation epoch; null where its history was not looked at. */
  readonly delegated: boolean | null;
  /** Null: it began before what was looked at. */
  readonly since: TimedPoint | null;
  /** Null: it goes on. */
  readonly until: TimedPoint | null;
  readonly stakeLamports: bigint;
  /** The whole balance at its end. */
  readonly lamports: bigint;
  /** As it was at its end. */
  readonly lockup: LockupTimes;
  /** When the lockup was last changed, as far as it was looked at. */
  readonly lockupSlot: bigint | null;
}

/** The one period that an account's present state tells of, where nothing is known to have happened to it. Null: not delegated to `voteAccount`. */
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

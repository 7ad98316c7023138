// How much of a delegation counts in an epoch, to the lamport as the Stake program itself replays it over the StakeHistory sysvar.

import { U64_MAX } from '../../kernel/u64.ts';
import { EPOCH_ABSENT } from './stake-account.ts';
import type { StakeHistory, StakeHistoryEntry } from './stake-history.ts';

/** A delegation in one epoch. What was delegated and is not effective or activating any more has cooled down. */
export interface StakeActivation {
  readonly effectiveLamports: bigint;
  readonly activatingLamports: bigint;
  readonly deactivatingLamports: bigint;
}

/** The members of a delegation that decide its activation. */
export interface ActivationInput {
  readonly stakeLamports: bigint;
  readonly activationEpoch: bigint;
  readonly deactivationEpoch: bigint;
}

const RATE = 0.09;
const RATE_BEFORE = 0.25;

/** The share of the cluster's effective stake that may activate, or deactivate, on entering `epoch`: 9 %, before the change 25 %. */
export const warmupCooldownRate = (epoch: bigint, newRateActivationEpoch = 0n): number =>
  epoch < newRateActivationEpoch ? RATE_BEFORE : RATE;

/**
 * The part of one account's `remainingLamports` that moves on entering `epoch`, when `movingLamports` of the cluster wait to move.
 * Doubles in the program's own order of operations, truncated, at least one lamport and at most 2^64−1: that is what makes it exact.
 */
export const movedOnEntering = (
  epoch: bigint,
  remainingLamports: bigint,
  movingLamports: bigint,
  clusterEffectiveLamports: bigint,
  newRateActivationEpoch = 0n,
): bigint => {
  const weight = Number(remainingLamports) / Number(movingLamports);
  const allowed = Number(clusterEffectiveLamports) * warmupCooldownRate(epoch, newRateActivationEpoch);
  const moved = BigInt(Math.trunc(weight * allowed));
  if (moved > U64_MAX) return U64_MAX;
  return moved > 1n ? moved : 1n;
};

/**
 * What of `delegation` is effective, activating and deactivating in `epoch`.
 *
 * An epoch that has dropped out of the history (512 entries) counts as completed. `newRateActivationEpoch` is the epoch from which the
 * 9 % rate holds; 0, the default, is right wherever the change lies further back than the history does.
 * Source: Stake program v5.0, compared by running it; v5.1 calculates in integers and differs by at most one lamport.
 */
export const stakeActivation = (
  delegation: ActivationInput,
  epoch: bigint,
  history: StakeHistory,
  newRateActivationEpoch = 0n,
): StakeActivation => {
  const { deactivationEpoch } = delegation;
  const { effectiveLamports, activatingLamports } = warmUp(
    delegation,
    epoch,
    history,
    newRateActivationEpoch,
  );
  if (epoch < deactivationEpoch) return { effectiveLamports, activatingLamports, deactivatingLamports: 0n };
  const remaining =
    epoch === deactivationEpoch
      ? effectiveLamports
      : coolDown(effectiveLamports, deactivationEpoch, epoch, history, newRateActivationEpoch);
  return { effectiveLamports: remaining, activatingLamports: 0n, deactivatingLamports: remaining };
};

const warmUp = (
  { stakeLamports, activationEpoch, deactivationEpoch }: ActivationInput,
  epoch: bigint,
  history: StakeHistory,
  newRateActivationEpoch: bigint,
): { effectiveLamports: bigint; activatingLamports: bigint } => {
  const of = (effectiveLamports: bigint, activatingLamports: bigint) => ({
    effectiveLamports,
    activatingLamports,
  });
  if (activationEpoch === EPOCH_ABSENT) return of(stakeLamports, 0n);
  if (activationEpoch === deactivationEpoch || epoch < activationEpoch) return of(0n, 0n);
  if (epoch === activationEpoch) return of(0n, stakeLamports);
  let entry: StakeHistoryEntry | undefined = history.get(activationEpoch);
  if (entry === undefined) return of(stakeLamports, 0n);
  let effective = 0n;
  // Warm-up stops where cool-down begins, hence the second bound.
  for (
    let entered = activationEpoch + 1n;
    entry !== undefined && entry.activatingLamports > 0n;
    entered += 1n
  ) {
    const moved = movedOnEntering(
      entered,
      stakeLamports - effective,
      entry.activatingLamports,
      entry.effectiveLamports,
      newRateActivationEpoch,
    );
    // The program's sum wraps around at 64 bits. It happens: a stake that grew by a merge can be some hundred times what the whole
    // cluster was activating in the epoch it now claims to come from, and then stays short of its full effect for ever.
    effective = BigInt.asUintN(64, effective + moved);
    if (effective >= stakeLamports) return of(stakeLamports, 0n);
    if (entered >= epoch || entered >= deactivationEpoch) break;
    entry = history.get(entered);
  }
  return of(effective, stakeLamports - effective);
};

const coolDown = (
  effectiveLamports: bigint,
  deactivationEpoch: bigint,
  epoch: bigint,
  history: StakeHistory,
  newRateActivationEpoch: bigint,
): bigint => {
  let entry: StakeHistoryEntry | undefined = history.get(deactivationEpoch);
  if (entry === undefined) return 0n;
  let remaining = effectiveLamports;
  for (
    let entered = deactivationEpoch + 1n;
    entry !== undefined && entry.deactivatingLamports > 0n;
    entered += 1n
  ) {
    remaining -= movedOnEntering(
      entered,
      remaining,
      entry.deactivatingLamports,
      entry.effectiveLamports,
      newRateActivationEpoch,
    );
    if (remaining <= 0n) return 0n;
    if (entered >= epoch) break;
    entry = history.get(entered);
  }
  return remaining;
};

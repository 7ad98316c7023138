// Computes the effective part of a delegation in an epoch from StakeHistory, exactly like the Stake program.

import { U64_MAX } from '../../kernel/u64.ts';
import { EPOCH_ABSENT } from './stake-account.ts';
import type { StakeArithmetic, StakeHistory, StakeHistoryEntry } from './stake-history.ts';

/** The parts of a delegation in one epoch, in lamports. Any remainder is inactive. */
export interface StakeActivation {
  readonly effectiveLamports: bigint;
  readonly activatingLamports: bigint;
  readonly deactivatingLamports: bigint;
}

/** The fields of a delegation that determine its activation. */
export interface ActivationInput {
  readonly stakeLamports: bigint;
  readonly activationEpoch: bigint;
  readonly deactivationEpoch: bigint;
}

/**
 * Share of the cluster's effective stake that may activate, or deactivate, on entering an epoch. The Stake program
 * uses 9 % for every epoch, even for those in which 25 % applied.
 */
const RATE_BPS = 900n;
const BPS_PER_UNIT = 10_000n;
const U128_MAX = 2n ** 128n - 1n;

/** The same rate as a factor: 9 %. */
export const WARMUP_COOLDOWN_RATE = Number(RATE_BPS) / Number(BPS_PER_UNIT);

/**
 * Input for computing the amount of one account that activates or deactivates on entering an epoch, in
 * lamports.
 */
interface MoveInput {
  /** The amount that the account still has to activate or deactivate. */
  readonly remainingLamports: bigint;
  /** The cluster's total activating or deactivating amount in the previous epoch, which is more than 0. */
  readonly movingLamports: bigint;
  /** The cluster's effective stake in the previous epoch. */
  readonly clusterEffectiveLamports: bigint;
}

const movedInFloat64 = ({
  remainingLamports,
  movingLamports,
  clusterEffectiveLamports,
}: MoveInput): bigint => {
  const weight = Number(remainingLamports) / Number(movingLamports);
  const moved = BigInt(Math.trunc(weight * (Number(clusterEffectiveLamports) * WARMUP_COOLDOWN_RATE)));
  return moved > U64_MAX ? U64_MAX : moved;
};

const movedInIntegers = ({
  remainingLamports,
  movingLamports,
  clusterEffectiveLamports,
}: MoveInput): bigint => {
  const product = remainingLamports * clusterEffectiveLamports * RATE_BPS;
  const moved = (product > U128_MAX ? U128_MAX : product) / (movingLamports * BPS_PER_UNIT);
  return moved > remainingLamports ? remainingLamports : moved;
};

/**
 * Computes the part of one account's remaining lamports that moves on entering an epoch, which is at least
 * one lamport. `float64`: doubles in the order of operations of the Stake program up to v5.0, truncated, at
 * most 2^64−1. `integer`: v5.1's saturating 128-bit product, then one division; never more than the remaining
 * lamports.
 */
export const movedOnEntering = (arithmetic: StakeArithmetic, move: MoveInput): bigint => {
  const moved = arithmetic === 'float64' ? movedInFloat64(move) : movedInIntegers(move);
  return moved > 1n ? moved : 1n;
};

/**
 * Returns the effective, activating and deactivating parts of `delegation` in `epoch`, with the arithmetic of
 * `history`.
 * If the arithmetic is unknown, computes both and returns the result with more effective stake. Effective
 * stake cannot be withdrawn, so the withdrawable amount is never overestimated. An epoch that is no longer in
 * the history (512 entries) counts as completed.
 */
export const stakeActivation = (
  delegation: ActivationInput,
  epoch: bigint,
  history: StakeHistory,
): StakeActivation => {
  const by = (arithmetic: StakeArithmetic): StakeActivation =>
    replay({ arithmetic, delegation, epoch, history });
  if (history.arithmetic) return by(history.arithmetic);
  const [float64, integer] = [by('float64'), by('integer')];
  return float64.effectiveLamports > integer.effectiveLamports ? float64 : integer;
};

interface ReplayInput {
  readonly arithmetic: StakeArithmetic;
  readonly delegation: ActivationInput;
  readonly epoch: bigint;
  readonly history: StakeHistory;
}

const replay = (input: ReplayInput): StakeActivation => {
  const { delegation, epoch } = input;
  const { effectiveLamports, activatingLamports } = warmUp(input);
  if (epoch < delegation.deactivationEpoch) {
    return { effectiveLamports, activatingLamports, deactivatingLamports: 0n };
  }
  const remaining =
    epoch === delegation.deactivationEpoch ? effectiveLamports : coolDown(effectiveLamports, input);
  return { effectiveLamports: remaining, activatingLamports: 0n, deactivatingLamports: remaining };
};

const warmUp = ({
  arithmetic,
  delegation,
  epoch,
  history,
}: ReplayInput): { effectiveLamports: bigint; activatingLamports: bigint } => {
  const { stakeLamports, activationEpoch, deactivationEpoch } = delegation;
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
  // Warm-up stops when cooldown begins, so `deactivationEpoch` is checked too.
  for (
    let entered = activationEpoch + 1n;
    entry !== undefined && entry.activatingLamports > 0n;
    entered += 1n
  ) {
    const moved = movedOnEntering(arithmetic, {
      remainingLamports: stakeLamports - effective,
      movingLamports: entry.activatingLamports,
      clusterEffectiveLamports: entry.effectiveLamports,
    });
    // In v5.0, the sum wraps around at 64 bits. This happens in practice: a stake that grew through a merge can
    // be several hundred times the cluster's activating stake in its activation epoch, and then never becomes
    // fully effective. v5.1 adds at most the remaining lamports.
    effective = BigInt.asUintN(64, effective + moved);
    if (effective >= stakeLamports) return of(stakeLamports, 0n);
    if (entered >= epoch || entered >= deactivationEpoch) break;
    entry = history.get(entered);
  }
  return of(effective, stakeLamports - effective);
};

const coolDown = (
  effectiveLamports: bigint,
  { arithmetic, delegation: { deactivationEpoch }, epoch, history }: ReplayInput,
): bigint => {
  let entry: StakeHistoryEntry | undefined = history.get(deactivationEpoch);
  if (entry === undefined) return 0n;
  let remaining = effectiveLamports;
  for (
    let entered = deactivationEpoch + 1n;
    entry !== undefined && entry.deactivatingLamports > 0n;
    entered += 1n
  ) {
    remaining -= movedOnEntering(arithmetic, {
      remainingLamports: remaining,
      movingLamports: entry.deactivatingLamports,
      clusterEffectiveLamports: entry.effectiveLamports,
    });
    if (remaining <= 0n) return 0n;
    if (entered >= epoch) break;
    entry = history.get(entered);
  }
  return remaining;
};

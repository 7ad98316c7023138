// The first epoch in which a deactivated stake has nothing effective left, exact over ended epochs and projected beyond them.
import {
  type ActivationInput,
  movedOnEntering,
  stakeActivation,
  warmupCooldownRate,
} from './stake-activation.ts';
import type { StakeHistory, StakeHistoryEntry } from './stake-history.ts';

// Even a cluster that leaves as a whole is down to single lamports after 450 epochs at 9 %; past this the answer says nothing.
const LONGEST_PROJECTION_EPOCHS = 1_000n;

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const min = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** The cluster one epoch after `entry` if no stake is delegated or deactivated in it. */
export const nextEntry = (entry: StakeHistoryEntry, entered: bigint): StakeHistoryEntry => {
  const allowed = BigInt(Math.trunc(Number(entry.effectiveLamports) * warmupCooldownRate(entered)));
  const warmed = min(allowed, entry.activatingLamports);
  const cooled = min(allowed, entry.deactivatingLamports);
  return {
    effectiveLamports: entry.effectiveLamports + warmed - cooled,
    activatingLamports: entry.activatingLamports - warmed,
    deactivatingLamports: entry.deactivatingLamports - cooled,
  };
};

/**
 * Predicts when a delegation whose deactivation is set has cooled down: the latest history entry is carried
 * forward as if no other stake came or went, so the cluster's later deactivations can only delay it. A stake that is small beside the
 * cluster while few leave gets the next epoch.
 */
export const predictCooledEpoch = (
  delegation: ActivationInput,
  epoch: bigint,
  history: StakeHistory,
): bigint => {
  const from = max(epoch, delegation.deactivationEpoch);
  const latest = history.get(epoch - 1n);
  if (latest === undefined) return from + 1n;
  let remaining = stakeActivation(delegation, from, history).effectiveLamports;
  if (remaining === 0n) return from;
  let entry = nextEntry(latest, epoch);
  // A stake deactivated in this very epoch is in no ended epoch yet; an earlier one is already counted in the latest.
  let joining = delegation.deactivationEpoch >= epoch ? remaining : 0n;
  const last = from + LONGEST_PROJECTION_EPOCHS;
  for (let entered = from + 1n; entered < last; entered += 1n) {
    entry = { ...entry, deactivatingLamports: max(entry.deactivatingLamports + joining, remaining) };
    joining = 0n;
    remaining -= movedOnEntering(history.arithmetic ?? 'integer', {
      epoch: entered,
      remainingLamports: remaining,
      movingLamports: entry.deactivatingLamports,
      clusterEffectiveLamports: entry.effectiveLamports,
    });
    if (remaining <= 0n) return entered;
    entry = nextEntry(entry, entered);
  }
  return last;
};

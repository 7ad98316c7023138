// Predicts the first epoch in which a deactivated stake has no effective part left. The result is exact for
// ended epochs and projected beyond them.

import { larger, smaller } from '../../kernel/order.ts';
import {
  type ActivationInput,
  movedOnEntering,
  stakeActivation,
  WARMUP_COOLDOWN_RATE,
} from './stake-activation.ts';
import type { StakeHistory, StakeHistoryEntry } from './stake-history.ts';

// Even if the whole cluster deactivated, at 9 % per epoch only a few lamports would be left after 450 epochs.
// Longer projections are meaningless.
const MAX_PROJECTION_EPOCHS = 1_000n;

/**
 * Computes the state of the cluster one epoch after `entry`, assuming that no stake is delegated or
 * deactivated in that epoch.
 */
export const nextEntry = (entry: StakeHistoryEntry): StakeHistoryEntry => {
  const allowed = BigInt(Math.trunc(Number(entry.effectiveLamports) * WARMUP_COOLDOWN_RATE));
  const warmed = smaller(allowed, entry.activatingLamports);
  const cooled = smaller(allowed, entry.deactivatingLamports);
  return {
    effectiveLamports: entry.effectiveLamports + warmed - cooled,
    activatingLamports: entry.activatingLamports - warmed,
    deactivatingLamports: entry.deactivatingLamports - cooled,
  };
};

/**
 * Predicts when a deactivated delegation becomes inactive. Assumes that no other stake is activated or
 * deactivated after the latest history entry, so later deactivations can only delay it. A stake that is small
 * compared to the cluster becomes inactive in the next epoch unless many others deactivate.
 */
export const predictCooledEpoch = (
  delegation: ActivationInput,
  epoch: bigint,
  history: StakeHistory,
): bigint => {
  const from = larger(epoch, delegation.deactivationEpoch);
  const latest = history.get(epoch - 1n);
  if (latest === undefined) return from + 1n;
  let remaining = stakeActivation(delegation, from, history).effectiveLamports;
  if (remaining === 0n) return from;
  let entry = nextEntry(latest);
  // A stake deactivated in the current epoch is not part of any ended epoch yet. A stake deactivated earlier
  // is already included in the latest entry.
  let joining = delegation.deactivationEpoch >= epoch ? remaining : 0n;
  const last = from + MAX_PROJECTION_EPOCHS;
  for (let entered = from + 1n; entered < last; entered += 1n) {
    entry = { ...entry, deactivatingLamports: larger(entry.deactivatingLamports + joining, remaining) };
    joining = 0n;
    remaining -= movedOnEntering(history.arithmetic ?? 'integer', {
      remainingLamports: remaining,
      movingLamports: entry.deactivatingLamports,
      clusterEffectiveLamports: entry.effectiveLamports,
    });
    if (remaining <= 0n) return entered;
    entry = nextEntry(entry);
  }
  return last;
};

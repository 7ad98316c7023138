// Predicts how a new delegation becomes effective under the cluster's 9 % limit, based on the currently known
// stake. Other new stake can only delay it.
import { movedOnEntering } from '../stake/stake-activation.ts';
import type { StakeHistory } from '../stake/stake-history.ts';
import { nextEntry } from '../stake/stake-state-prediction.ts';

/** Longer warm-ups are not projected: at 9 % per epoch, such a stake would be larger than the cluster. */
const MAX_WARM_UP_EPOCHS = 1_000;

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/**
 * Predicts the effective lamports of a delegation made in `epoch`, in the epochs `epoch + 1`, `epoch + 2`, …;
 * the last item is the whole stake. Assumes that no other stake is activated or deactivated after the latest
 * ended epoch, so that other new stake can only delay it. A stake that is small compared to the cluster gives
 * one item.
 */
export const predictWarmUp = (
  stakeLamports: bigint,
  epoch: bigint,
  history: StakeHistory,
): readonly bigint[] => {
  const latest = history.get(epoch - 1n);
  if (latest === undefined || stakeLamports <= 0n) return [stakeLamports];
  const path: bigint[] = [];
  let effective = 0n;
  let entry = nextEntry(latest, epoch);
  let joining = stakeLamports;
  while (path.length < MAX_WARM_UP_EPOCHS) {
    const remaining = stakeLamports - effective;
    entry = { ...entry, activatingLamports: max(entry.activatingLamports + joining, remaining) };
    joining = 0n;
    const entered = epoch + BigInt(path.length) + 1n;
    effective += movedOnEntering(history.arithmetic ?? 'integer', {
      epoch: entered,
      remainingLamports: remaining,
      movingLamports: entry.activatingLamports,
      clusterEffectiveLamports: entry.effectiveLamports,
    });
    if (effective >= stakeLamports) break;
    path.push(effective);
    entry = nextEntry(entry, entered);
  }
  return [...path, stakeLamports];
};

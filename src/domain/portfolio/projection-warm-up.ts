// How a new delegation becomes effective under the cluster's 9 % cap: exact for what is known now, and never earlier than likely.
import { movedOnEntering } from '../stake/stake-activation.ts';
import type { StakeHistory } from '../stake/stake-history.ts';
import { nextEntry } from '../stake/stake-state-prediction.ts';

/** A warm-up that has not ended by then is not projected further: at 9 % an epoch that is a stake larger than the cluster. */
const LONGEST_WARM_UP_EPOCHS = 1_000;

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/**
 * The effective lamports of a delegation made in `epoch`, in the epochs `epoch + 1`, `epoch + 2`, …; the last item is the whole stake.
 * The latest ended epoch is carried forward as if nobody else came or went, so that other newcomers can only delay it. A stake that is
 * small beside the cluster gives one item.
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
  while (path.length < LONGEST_WARM_UP_EPOCHS) {
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

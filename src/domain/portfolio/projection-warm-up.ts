// Predicts how a new delegation becomes effective under the cluster's 9 % limit, based on the stake known
// now. Other new stake can only delay it.

import { larger } from '../../kernel/order.ts';
import { movedOnEntering } from '../stake/stake-activation.ts';
import type { StakeHistory } from '../stake/stake-history.ts';
import { nextEntry } from '../stake/stake-state-prediction.ts';

/**
 * Maximum length of a projected warm-up, in epochs. At 9 % per epoch, only a stake larger than the
 * whole cluster would take longer.
 */
const MAX_WARM_UP_EPOCHS = 1_000;

/**
 * Predicts the effective lamports of a delegation made in `epoch`, in the epochs `epoch + 1`, `epoch + 2`,
 * and so on. The last item is the whole stake. Assumes that no other stake is activated or deactivated after
 * the latest ended epoch, so other new stake can only delay it. For a stake that is small compared to the
 * cluster, the result has one item.
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
  let entry = nextEntry(latest);
  let joining = stakeLamports;
  while (path.length < MAX_WARM_UP_EPOCHS) {
    const remaining = stakeLamports - effective;
    entry = { ...entry, activatingLamports: larger(entry.activatingLamports + joining, remaining) };
    joining = 0n;
    effective += movedOnEntering(history.arithmetic ?? 'integer', {
      remainingLamports: remaining,
      movingLamports: entry.activatingLamports,
      clusterEffectiveLamports: entry.effectiveLamports,
    });
    if (effective >= stakeLamports) break;
    path.push(effective);
    entry = nextEntry(entry);
  }
  return [...path, stakeLamports];
};

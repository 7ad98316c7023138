// Computes warm-up and cooldown from StakeHistory with the same f64 operations as the Stake program, exact to
// the lamport.

import { type Delegation, NO_EPOCH } from './delegation-bytes.ts';
import type { StakeHistoryEntry } from './encode-sysvars.ts';

/** Share of the cluster's effective stake that may activate, and likewise deactivate, in one epoch. */
const WARMUP_COOLDOWN_RATE = 0.09;
const U64_MAX = 2n ** 64n - 1n;

/** A delegation's lamports in one epoch, by state. */
type ActivationStatus = {
  readonly effective: bigint;
  readonly activating: bigint;
  readonly deactivating: bigint;
};

type Lookup = (epoch: bigint) => StakeHistoryEntry | undefined;

// Computes the stake that changes state in one epoch: the account's share of the cluster's limit, but at least
// one lamport.
function changeInEpoch(accountPart: bigint, clusterPart: bigint, clusterEffective: bigint): bigint {
  const weight = Number(accountPart) / Number(clusterPart);
  const allowed = Number(clusterEffective) * WARMUP_COOLDOWN_RATE;
  const change = BigInt(Math.trunc(weight * allowed));
  if (change > U64_MAX) return U64_MAX;
  return change > 1n ? change : 1n;
}

function effectiveAndActivating(delegation: Delegation, target: bigint, history: Lookup): [bigint, bigint] {
  const { stakeLamports, activationEpoch, deactivationEpoch } = delegation;
  if (activationEpoch === NO_EPOCH) return [stakeLamports, 0n];
  if (activationEpoch === deactivationEpoch) return [0n, 0n];
  if (target === activationEpoch) return [0n, stakeLamports];
  if (target < activationEpoch) return [0n, 0n];
  let previous = history(activationEpoch);
  if (previous === undefined) return [stakeLamports, 0n];
  let effective = 0n;
  for (let epoch = activationEpoch + 1n; previous !== undefined; epoch += 1n) {
    if (previous.activating === 0n) break;
    // The program adds in 64 bits and wraps around. After a merge, an account can have many times the stake
    // that was activating in its epoch.
    effective = BigInt.asUintN(
      64,
      effective + changeInEpoch(stakeLamports - effective, previous.activating, previous.effective),
    );
    if (effective >= stakeLamports) return [stakeLamports, 0n];
    if (epoch >= target || epoch >= deactivationEpoch) break;
    previous = history(epoch);
  }
  return [effective, stakeLamports - effective];
}

/**
 * Returns the effective, activating and deactivating lamports of `delegation` at `epoch`. `history` must cover
 * the delegation's epochs without gaps, because a missing epoch counts as fully activated or deactivated.
 */
export function activationAt(delegation: Delegation, epoch: bigint, history: Lookup): ActivationStatus {
  const [effective, activating] = effectiveAndActivating(delegation, epoch, history);
  const { deactivationEpoch } = delegation;
  if (epoch < deactivationEpoch) return { effective, activating, deactivating: 0n };
  if (epoch === deactivationEpoch) return { effective, activating: 0n, deactivating: effective };
  let previous = history(deactivationEpoch);
  if (previous === undefined) return { effective: 0n, activating: 0n, deactivating: 0n };
  let remaining = effective;
  for (let at = deactivationEpoch + 1n; previous !== undefined; at += 1n) {
    if (previous.deactivating === 0n) break;
    remaining -= changeInEpoch(remaining, previous.deactivating, previous.effective);
    if (remaining <= 0n) return { effective: 0n, activating: 0n, deactivating: 0n };
    if (at >= epoch) break;
    previous = history(at);
  }
  return { effective: remaining, activating: 0n, deactivating: remaining };
}

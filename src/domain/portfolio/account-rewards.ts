// Computes a stake account's rewards by epoch: inflation as paid, tips as the otherwise unexplained balance change.

import { type ActivationInput, stakeActivation } from '../stake/stake-activation.ts';
import type { StakeHistory } from '../stake/stake-history.ts';
import type { EpochReturn } from '../validator/apy.ts';

/** An inflation reward as `getInflationReward` tells it. It is paid in the first slots after `epoch`. */
export interface InflationPayment {
  readonly epoch: bigint;
  readonly lamports: bigint;
  /** The account's balance right after this payment. */
  readonly postBalanceLamports: bigint;
  /** The vote account's commission at the time, percent; null where the node does not say. */
  readonly commissionPct: number | null;
}

/** By ended epoch: a payment, null where none was made, and no entry where it is not known. */
export type PaymentsByEpoch = ReadonlyMap<bigint, InflationPayment | null>;

/** A balance of the account, and the epoch in which it held. */
export interface BalanceAt {
  readonly epoch: bigint;
  readonly lamports: bigint;
}

/** What is known of one account. */
export interface RewardFacts {
  readonly payments: PaymentsByEpoch;
  /** The balance that the account was created with; null when that is not known. */
  readonly opening: BalanceAt | null;
  /** The balance now, in the current epoch; of a closed account 0, in the epoch in which it was closed. */
  readonly closing: BalanceAt;
  /** The account is no more: nothing can come in after `closing`. Default false. */
  readonly isClosed?: boolean;
  /** What transactions other than tips moved in (positive) or out (negative) since the opening, by epoch; null when not known. */
  readonly movements: readonly BalanceAt[] | null;
}

/** One account in one ended epoch, lamports. What is not known is null, never 0. */
export interface EpochReward {
  readonly epoch: bigint;
  readonly inflationLamports: bigint | null;
  /** Earned in this epoch as far as one can tell: they arrive after its inflation reward and before the next one. */
  readonly tipsLamports: bigint | null;
  /** True when no later payment, tip or transaction can change `tipsLamports`. */
  readonly tipsSettled: boolean;
  readonly postBalanceLamports: bigint | null;
  readonly commissionPct: number | null;
}

/** The balance changed by nothing but tips and movements from right after `from` until right before the payment for `until`. */
interface Stretch {
  /** Tips of the stretch count for this epoch. */
  readonly epoch: bigint;
  /** Movements of these epochs, both included, fall into it. */
  readonly firstEpoch: bigint;
  readonly lastEpoch: bigint;
  readonly changeLamports: bigint;
  /** It ends with a payment or with the account, not with now. */
  readonly isOver: boolean;
}

const paymentsOf = ({ payments, closing }: RewardFacts): readonly InflationPayment[] =>
  [...payments.values()]
    .filter((payment) => payment !== null && payment.epoch < closing.epoch)
    .sort((a, b) => (a!.epoch < b!.epoch ? -1 : 1)) as InflationPayment[];

const stretchesOf = (facts: RewardFacts): readonly Stretch[] => {
  const stretches: Stretch[] = [];
  const { opening, closing } = facts;
  let from = opening && { epoch: opening.epoch, firstEpoch: opening.epoch, lamports: opening.lamports };
  const reach = (lastEpoch: bigint, lamports: bigint, isOver: boolean) => {
    if (from) {
      const { epoch, firstEpoch } = from;
      stretches.push({ epoch, firstEpoch, lastEpoch, changeLamports: lamports - from.lamports, isOver });
    }
  };
  for (const { epoch, lamports, postBalanceLamports } of paymentsOf(facts)) {
    reach(epoch, postBalanceLamports - lamports, true);
    from = { epoch, firstEpoch: epoch + 1n, lamports: postBalanceLamports };
  }
  reach(closing.epoch, closing.lamports, facts.isClosed === true);
  return stretches;
};

interface Tips {
  readonly lamports: bigint;
  readonly isSettled: boolean;
}

/** Tips by epoch; an unknown payment within a stretch hides in its change, and an outflow nobody knows of makes it worthless. */
const tipsByEpoch = (facts: RewardFacts): ReadonlyMap<bigint, Tips> => {
  const tips = new Map<bigint, Tips>();
  const { payments, movements } = facts;
  if (movements === null) return tips;
  for (const { epoch, firstEpoch, lastEpoch, changeLamports, isOver } of stretchesOf(facts)) {
    const moved = movements
      .filter((movement) => movement.epoch >= firstEpoch && movement.epoch <= lastEpoch)
      .reduce((sum, { lamports }) => sum + lamports, 0n);
    let known = changeLamports >= moved;
    for (let unpaid = firstEpoch; unpaid < lastEpoch; unpaid += 1n) known &&= payments.has(unpaid);
    if (!known) continue;
    for (let quiet = epoch; quiet < lastEpoch; quiet += 1n)
      tips.set(quiet, { lamports: 0n, isSettled: isOver });
    tips.set(epoch, { lamports: changeLamports - moved, isSettled: isOver });
  }
  return tips;
};

/**
 * The rewards of every ended epoch from the opening (else the first known payment) on, oldest first. Tips of the last ended epoch are
 * what has arrived so far.
 */
export const accountRewards = (facts: RewardFacts): readonly EpochReward[] => {
  const { payments, opening, closing } = facts;
  const first = opening?.epoch ?? [...payments.keys()].reduce((a, b) => (a < b ? a : b), closing.epoch);
  const tips = tipsByEpoch(facts);
  const rewards: EpochReward[] = [];
  for (let epoch = first; epoch < closing.epoch; epoch += 1n) {
    const payment = payments.get(epoch);
    rewards.push({
      epoch,
      inflationLamports: payment === undefined ? null : (payment?.lamports ?? 0n),
      tipsLamports: tips.get(epoch)?.lamports ?? null,
      tipsSettled: tips.get(epoch)?.isSettled ?? false,
      postBalanceLamports: payment?.postBalanceLamports ?? null,
      commissionPct: payment?.commissionPct ?? null,
    });
  }
  return rewards;
};

/**
 * What the inflation rewards of one account were earned with: the delegation as it is now, less what it has grown by since. An epoch
 * with nothing effective is left out, one that was effective and got nothing is a return of 0. Goes back to the first epoch that is
 * not known. A split or merge in between is not seen: compare several accounts (`measureInflation` does).
 */
export const inflationReturns = (
  delegation: ActivationInput,
  payments: PaymentsByEpoch,
  currentEpoch: bigint,
  history: StakeHistory,
): readonly EpochReturn[] => {
  const returns: EpochReturn[] = [];
  let stakeLamports = delegation.stakeLamports;
  for (let epoch = currentEpoch - 1n; payments.has(epoch); epoch -= 1n) {
    const lamports = payments.get(epoch)?.lamports ?? 0n;
    stakeLamports -= lamports;
    const { effectiveLamports } = stakeActivation({ ...delegation, stakeLamports }, epoch, history);
    if (effectiveLamports > 0n) returns.unshift({ epoch, lamports, effectiveLamports });
  }
  return returns;
};

// Computes a stake account's rewards by epoch: inflation as paid, and tips as the other unexplained growth of
// the balance. Tips that arrive in one epoch were earned in the previous one.

import { type ActivationInput, stakeActivation } from '../stake/stake-activation.ts';
import type { StakeHistory } from '../stake/stake-history.ts';
import type { EpochReturn } from '../validator/realized-apy.ts';

/** An inflation reward from `getInflationReward`, paid in the first slots after `epoch`. */
export interface InflationPayment {
  readonly epoch: bigint;
  readonly lamports: bigint;
  /** Balance of the account right after this payment. */
  readonly postBalanceLamports: bigint;
  /** Commission of the vote account at that time, in percent; null if the node does not report it. */
  readonly commissionPct: number | null;
}

/** Maps an ended epoch to its payment, or to null if there was none. A missing entry means unknown. */
export type PaymentsByEpoch = ReadonlyMap<bigint, InflationPayment | null>;

/** A balance of the account and its epoch. */
export interface BalanceAt {
  readonly epoch: bigint;
  readonly lamports: bigint;
}

/** A change of an account's delegation. */
export interface DelegationChange {
  readonly epoch: bigint;
  /** `active` if active stake was moved into the account. */
  readonly to: 'activating' | 'active' | 'deactivating';
  /** The validator, if the account was delegated. */
  readonly voteAccount?: string | null;
}

/** Known payments, balances and movements of one account. */
export interface RewardFacts {
  readonly payments: PaymentsByEpoch;
  /** Balance at the creation of the account; null if unknown. */
  readonly opening: BalanceAt | null;
  /** Balance in the current epoch. For a closed account: 0, and the epoch in which it was closed. */
  readonly closing: BalanceAt;
  /** True if the account is closed, so nothing can arrive after `closing`. Default: false. */
  readonly isClosed?: boolean;
  /**
   * Amounts that transactions other than tips have moved in (positive) or out (negative) since the opening,
   * by epoch; null if unknown.
   */
  readonly movements: readonly BalanceAt[] | null;
  /** Tips with a known transaction, by the epoch in which they arrived. Default: none. */
  readonly datedTips?: readonly BalanceAt[];
  /** Changes of the delegation by transaction, oldest first. Default: none. */
  readonly delegationChanges?: readonly DelegationChange[];
  /**
   * Epochs for which an account without a payment earned no tips either: other accounts with the same validator
   * were paid, so this one had no stake, or the validator earned no credits and made no blocks. Default: none.
   */
  readonly tiplessEpochs?: ReadonlySet<bigint>;
}

/** Reasons why an amount of a reward is unknown. */
export const UNKNOWN_REASONS = [
  'PAYMENT_UNREAD',
  'TRANSACTIONS_UNREAD',
  'SEVERAL_EPOCHS',
  'UNEXPLAINED_OUTFLOW',
] as const;
type UnknownReason = (typeof UNKNOWN_REASONS)[number];

/** Rewards of one account in one ended epoch, in lamports. Unknown values are null, never 0. */
export interface EpochReward {
  readonly epoch: bigint;
  readonly inflationLamports: bigint | null;
  /** Tips that arrived in the epoch after this one. */
  readonly tipsLamports: bigint | null;
  /** True if no later payment, tip or transaction can change `tipsLamports`. */
  readonly tipsSettled: boolean;
  /** Balance of the account right after the inflation reward, before the tips. */
  readonly postBalanceLamports: bigint | null;
  readonly commissionPct: number | null;
  /** Null if inflation and tips are known. */
  readonly unknownReason: UnknownReason | null;
}

/**
 * Returns the balances before and after the rewards of a row, so that before + inflation + tips = after.
 * Transactions of the owner change the balance between two rows. Null if nothing was paid, or if a part is
 * unknown.
 */
export const balancesAround = ({
  inflationLamports,
  tipsLamports,
  postBalanceLamports,
}: Pick<EpochReward, 'inflationLamports' | 'tipsLamports' | 'postBalanceLamports'>): {
  readonly beforeLamports: bigint | null;
  readonly afterLamports: bigint | null;
} => ({
  beforeLamports:
    postBalanceLamports === null || inflationLamports === null
      ? null
      : postBalanceLamports - inflationLamports,
  afterLamports:
    postBalanceLamports === null || tipsLamports === null ? null : postBalanceLamports + tipsLamports,
});

/**
 * A period in which only tips and movements change the balance: from right after `from` until right before
 * the payment for `until`.
 */
interface Stretch {
  /** The first epoch whose tips arrive in the period. The last is the one before `lastEpoch`. */
  readonly epoch: bigint;
  /** The first and last epoch whose movements and arriving tips are in the period. */
  readonly firstEpoch: bigint;
  readonly lastEpoch: bigint;
  readonly changeLamports: bigint;
  /**
   * True if the period ended with a payment or with the closing of the account, false if it is still running.
   */
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

/**
 * Returns the validator for which an account earned in `epoch`; null if unknown. A delegation earns from the epoch
 * after it on. `current` is the validator of the account's last delegation; null if it is closed.
 */
export const voterIn = (
  epoch: bigint,
  changes: readonly DelegationChange[],
  current: string | null,
): string | null => {
  const delegations = changes.filter(({ to }) => to === 'activating');
  if (delegations.length === 0) return current;
  return delegations.findLast((one) => one.epoch < epoch)?.voteAccount ?? null;
};

interface Tips {
  readonly lamports: bigint;
  readonly isSettled: boolean;
}

const sumOf = (amounts: readonly BalanceAt[]): bigint =>
  amounts.reduce((sum, { lamports }) => sum + lamports, 0n);

/** Returns false if no tips were paid to the account for the epoch. */
const mayEarnTips = (
  epoch: bigint,
  { payments, delegationChanges = [], tiplessEpochs }: RewardFacts,
): boolean => {
  if (payments.get(epoch) != null) return true;
  if (tiplessEpochs?.has(epoch)) return false;
  if (delegationChanges.some((change) => change.epoch === epoch && change.to === 'active')) return true;
  const before = delegationChanges.findLast((change) => change.epoch < epoch);
  return before?.to !== 'deactivating';
};

/**
 * Returns the tips of each epoch of a period, or the reason why they are unknown: an unknown payment, which would
 * be mistaken for tips, an unknown outflow, or tips without a transaction that may belong to several epochs.
 */
const tipsOf = (
  stretch: Stretch,
  facts: RewardFacts,
): readonly (readonly [bigint, Tips | UnknownReason])[] => {
  const { epoch, firstEpoch, lastEpoch, changeLamports, isOver } = stretch;
  const { payments, movements, datedTips = [] } = facts;
  const isWithin = (amount: BalanceAt): boolean => amount.epoch >= firstEpoch && amount.epoch <= lastEpoch;
  const dated = datedTips.filter(isWithin);
  const epochs = [epoch];
  for (let next = epoch + 1n; next < lastEpoch; next += 1n) epochs.push(next);
  const allUnknown = (reason: UnknownReason) => epochs.map((one) => [one, reason] as const);
  for (let unpaid = firstEpoch; unpaid < lastEpoch; unpaid += 1n)
    if (!payments.has(unpaid)) return allUnknown('PAYMENT_UNREAD');
  if (movements === null) return allUnknown('TRANSACTIONS_UNREAD');
  const undated = changeLamports - sumOf(movements.filter(isWithin)) - sumOf(dated);
  const possible = epochs.length === 1 ? epochs : epochs.filter((one) => mayEarnTips(one, facts));
  if (undated < 0n) return allUnknown('UNEXPLAINED_OUTFLOW');
  if (undated > 0n && possible.length !== 1) return allUnknown('SEVERAL_EPOCHS');
  return epochs.map((one) => {
    const arrived = dated.filter((tip) => (tip.epoch > epoch ? tip.epoch - 1n : epoch) === one);
    const lamports = sumOf(arrived) + (one === possible[0] ? undated : 0n);
    return [one, { lamports, isSettled: isOver }];
  });
};

/** Computes tips by epoch, or the reason why they are unknown. */
const tipsByEpoch = (facts: RewardFacts): ReadonlyMap<bigint, Tips | UnknownReason> => {
  const tips = new Map<bigint, Tips | UnknownReason>();
  for (const stretch of stretchesOf(facts))
    for (const [epoch, more] of tipsOf(stretch, facts)) {
      // A split of an active account is paid for its first epoch, in which two periods meet.
      const earlier = tips.get(epoch);
      if (typeof earlier === 'string') continue;
      tips.set(
        epoch,
        earlier === undefined || typeof more === 'string'
          ? more
          : {
              lamports: earlier.lamports + more.lamports,
              isSettled: earlier.isSettled && more.isSettled,
            },
      );
    }
  return tips;
};

/**
 * Computes the rewards of every ended epoch, oldest first, beginning with the opening or, if that is unknown,
 * with the first known payment. The tips of the last ended epoch only include those that have already
 * arrived.
 */
export const accountRewards = (facts: RewardFacts): readonly EpochReward[] => {
  const { payments, opening, closing } = facts;
  const first = opening?.epoch ?? [...payments.keys()].reduce((a, b) => (a < b ? a : b), closing.epoch);
  const tips = tipsByEpoch(facts);
  const rewards: EpochReward[] = [];
  for (let epoch = first; epoch < closing.epoch; epoch += 1n) {
    const payment = payments.get(epoch);
    const found = tips.get(epoch) ?? 'TRANSACTIONS_UNREAD';
    const [known, reason] = typeof found === 'string' ? [null, found] : [found, null];
    rewards.push({
      epoch,
      inflationLamports: payment === undefined ? null : (payment?.lamports ?? 0n),
      tipsLamports: known?.lamports ?? null,
      tipsSettled: known?.isSettled ?? false,
      postBalanceLamports: payment?.postBalanceLamports ?? null,
      commissionPct: payment?.commissionPct ?? null,
      unknownReason: payment === undefined ? 'PAYMENT_UNREAD' : reason,
    });
  }
  return rewards;
};

/** The current state of a stake account. */
interface DelegatedAccount {
  readonly delegation: ActivationInput;
  /** Balance, including the rent-exempt minimum and idle SOL. */
  readonly lamports: bigint;
}

/** Returns the vote credits that the validator earned in an epoch; null if unknown. */
type CreditsOf = (epoch: bigint) => bigint | null;

/**
 * Computes the inflation rewards of one account and the stake that earned each of them. Goes back in time
 * from the current delegation and subtracts each reward, and any stake that was split off, moved or merged in
 * since, which is the change in the balance between two payments. Tips, deposits and withdrawals also change
 * the balance, but not the delegation. Because a payment is proportional to the delegation, a change counts
 * as stake or as idle SOL depending on which makes the payments before and after it equal per lamport and
 * credit. Changes of up to 1 % of the stake that can be idle SOL count as idle SOL. After the last payment,
 * larger outflows count as splits.
 *
 * Omits epochs without effective stake, and goes back to the first epoch with an unknown payment. An
 * effective epoch without a payment is a return of 0, even if the stake was in another account then.
 */
export const inflationReturns = (
  { delegation, lamports: currentLamports }: DelegatedAccount,
  payments: PaymentsByEpoch,
  currentEpoch: bigint,
  history: StakeHistory,
  creditsOf: CreditsOf = () => 1n,
): readonly EpochReturn[] => {
  const returns: EpochReturn[] = [];
  let { stakeLamports } = delegation;
  let idleLamports = currentLamports - stakeLamports;
  let laterRate: number | null = null;
  for (let epoch = currentEpoch - 1n; payments.has(epoch); epoch -= 1n) {
    const payment = payments.get(epoch) ?? null;
    const effectiveOf = (stake: bigint): bigint =>
      stakeActivation({ ...delegation, stakeLamports: stake }, epoch, history).effectiveLamports;
    if (payment !== null) {
      const rateOf = (stakeAfter: bigint): number | null =>
        grossRate(payment, effectiveOf(stakeAfter - payment.lamports), creditsOf(epoch));
      const moved = stakeLamports + idleLamports - payment.postBalanceLamports;
      if (moved > idleLamports || isStake(moved, stakeLamports, rateOf, laterRate)) stakeLamports -= moved;
      else idleLamports -= moved;
      laterRate = rateOf(stakeLamports) ?? laterRate;
      stakeLamports -= payment.lamports;
    }
    const effectiveLamports = effectiveOf(stakeLamports);
    if (effectiveLamports > 0n)
      returns.unshift({ epoch, lamports: payment?.lamports ?? 0n, effectiveLamports });
  }
  return returns;
};

/**
 * Computes the rate before commission that each credit paid; null if the payment reveals nothing about the
 * stake.
 */
const grossRate = (
  { lamports, commissionPct }: InflationPayment,
  effectiveLamports: bigint,
  credits: bigint | null,
): number | null => {
  const share = 1 - (commissionPct ?? 0) / 100;
  return credits === null || credits <= 0n || lamports <= 0n || effectiveLamports <= 0n || share <= 0
    ? null
    : Number(lamports) / Number(effectiveLamports) / share / Number(credits);
};

/**
 * Returns true if the balance changed by `moved` because the delegation did, and false if idle SOL came or
 * went.
 */
const isStake = (
  moved: bigint,
  stakeLamports: bigint,
  rateOf: (stakeAfter: bigint) => number | null,
  laterRate: number | null,
): boolean => {
  if (moved <= stakeLamports / 100n && moved >= -stakeLamports / 100n) return false;
  const [asStake, asIdle] = [rateOf(stakeLamports - moved), rateOf(stakeLamports)];
  if (laterRate === null || asStake === null || asIdle === null) return moved < 0n;
  const distance = (rate: number): number => Math.abs(Math.log(rate / laterRate));
  return distance(asStake) < distance(asIdle);
};

// Derives stake events from a stake account's periods: their type, identity and time.
import type { Address } from '@solana/kit';
import { EPOCH_ABSENT } from './stake-account.ts';
import { stakeActivation } from './stake-activation.ts';
import type { StakeHistory } from './stake-history.ts';
import type { ChainPoint, DelegationPeriod } from './stake-periods.ts';

/** A point up to which everything is known: the last slot read, its epoch, and its chain time. */
export interface KnownPoint extends ChainPoint {
  /** Unix seconds. */
  readonly seconds: bigint;
}

/**
 * The causes of an event, all of which are required. An event is new relative to a point if one of its causes
 * occurred only after that point.
 */
export interface FactStamp {
  /** The boundary at which this epoch began. */
  readonly epoch?: bigint;
  /** Slots of the transactions that cause the event. */
  readonly slots: readonly bigint[];
  /** The time, in Unix seconds, that the chain's clock passed. */
  readonly seconds?: bigint;
}

/** An event of one account, for the wallet that held its withdraw authority. */
export interface StakeFact {
  readonly type: 'stake_activated' | 'stake_deactivated' | 'withdraw_ready';
  readonly account: Address;
  readonly wallet: Address;
  /** Epoch in which the event occurred. */
  readonly epoch: bigint;
  /** Identifies the event together with type and wallet. Part of the event id. */
  readonly identity: string;
  readonly stamp: FactStamp;
  readonly period: DelegationPeriod;
  /** Null for an activation. */
  readonly deactivationEpoch: bigint | null;
}

/** The state of the chain when events are derived, after the rewards paid in `epoch` have been distributed. */
interface FactsNow {
  readonly epoch: bigint;
  /** Time of the Clock sysvar, in Unix seconds. */
  readonly seconds: bigint;
  readonly history: StakeHistory;
}

/** Returns true if the event had not occurred at `point`. */
export const isAfter = ({ epoch, slots, seconds }: FactStamp, point: KnownPoint): boolean =>
  (epoch !== undefined && epoch > point.epoch) ||
  slots.some((slot) => slot > point.slot) ||
  (seconds !== undefined && seconds > point.seconds);

/**
 * Returns the part of the stake that may have been activating. Today's amount may include active stake that was
 * moved in later. The result is limited by the cluster's activating stake, because Stake v5.0 overflows beyond
 * it.
 */
const activatingStake = (
  { activationEpoch, stakeLamports }: Pick<DelegationPeriod, 'activationEpoch' | 'stakeLamports'>,
  end: bigint,
  history: StakeHistory,
): bigint => {
  let possible = stakeLamports;
  for (let epoch = activationEpoch; epoch < end; epoch += 1n) {
    const whole = history.get(epoch)?.activatingLamports;
    if (whole === undefined) continue;
    const period = { stakeLamports: possible, activationEpoch, deactivationEpoch: EPOCH_ABSENT };
    const { activatingLamports } = stakeActivation(period, epoch, history);
    if (activatingLamports > whole) possible = (possible * whole) / activatingLamports || 1n;
  }
  return possible;
};

/**
 * Returns the first epoch, up to `last`, in which the stake is fully effective; null if there is none. A
 * stake that is active from genesis has no such epoch.
 */
const fullyEffectiveEpoch = (
  period: Pick<DelegationPeriod, 'activationEpoch' | 'deactivationEpoch' | 'stakeLamports'>,
  last: bigint,
  history: StakeHistory,
): bigint | null => {
  const { activationEpoch, deactivationEpoch } = period;
  if (activationEpoch === EPOCH_ABSENT || period.stakeLamports === 0n) return null;
  const end = deactivationEpoch < last ? deactivationEpoch : last;
  const stakeLamports = activatingStake(period, end, history);
  for (let epoch = activationEpoch + 1n; epoch <= end; epoch += 1n)
    if (stakeActivation({ ...period, stakeLamports }, epoch, history).effectiveLamports === stakeLamports)
      return epoch;
  return null;
};

/**
 * Returns the first epoch, up to `last`, without effective stake after a deactivation; null if there is none.
 */
const releasedEpoch = (
  period: Pick<DelegationPeriod, 'activationEpoch' | 'deactivationEpoch' | 'stakeLamports'>,
  last: bigint,
  history: StakeHistory,
): bigint | null => {
  const { activationEpoch, deactivationEpoch } = period;
  if (deactivationEpoch === EPOCH_ABSENT) return null;
  if (activationEpoch === deactivationEpoch) return deactivationEpoch;
  for (let epoch = deactivationEpoch + 1n; epoch <= last; epoch += 1n)
    if (stakeActivation(period, epoch, history).effectiveLamports === 0n) return epoch;
  return null;
};

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b);

const activated = (account: Address, period: DelegationPeriod, now: FactsNow): readonly StakeFact[] => {
  const last = period.until?.epoch ?? now.epoch;
  const epoch = fullyEffectiveEpoch(period, last, now.history);
  if (epoch === null || period.delegated === false) return [];
  const slots = period.since === null ? [] : [period.since.slot];
  const { withdrawer: wallet, activationEpoch } = period;
  return [
    {
      type: 'stake_activated',
      account,
      wallet,
      epoch: period.since === null ? epoch : later(epoch, period.since.epoch),
      identity: `${account} ${activationEpoch}`,
      stamp: { epoch, slots },
      period,
      deactivationEpoch: null,
    },
  ];
};

const deactivated = (account: Address, period: DelegationPeriod): readonly StakeFact[] =>
  period.deactivations.map(({ epoch, slot }) => ({
    type: 'stake_deactivated',
    account,
    wallet: period.withdrawer,
    epoch,
    identity: `${account} ${period.activationEpoch} ${epoch}`,
    stamp: slot === null ? { epoch, slots: [] } : { slots: [slot] },
    period,
    deactivationEpoch: epoch,
  }));

interface Release {
  readonly deactivationEpoch: bigint;
  readonly epoch: bigint;
  readonly slot: bigint | null;
  /** End of the period. A lockup that lasts longer prevents the event. */
  readonly until: { readonly epoch: bigint; readonly seconds: bigint };
}

/**
 * Determines when deactivations release the stake: immediately if made in the epoch of the activation, even
 * if undone later in that epoch; otherwise one or more epochs later.
 */
const releases = (period: DelegationPeriod, now: FactsNow): readonly Release[] => {
  const { activationEpoch, deactivationEpoch, deactivations } = period;
  const last = {
    epoch: period.until?.epoch ?? now.epoch,
    seconds: period.until?.seconds ?? now.seconds,
  };
  const atOnce = deactivations
    // A deactivation that precedes the period and has since been undone was evaluated earlier.
    .filter(({ epoch, slot }) => epoch === activationEpoch && (slot !== null || epoch === deactivationEpoch))
    .map(({ epoch, slot, seconds }) => {
      const until = epoch === deactivationEpoch ? last : { epoch, seconds: seconds ?? last.seconds };
      return { deactivationEpoch: epoch, epoch, slot, until };
    });
  const epoch = deactivationEpoch === activationEpoch ? null : releasedEpoch(period, last.epoch, now.history);
  return epoch === null ? atOnce : [...atOnce, { deactivationEpoch, epoch, slot: null, until: last }];
};

const ready = (account: Address, period: DelegationPeriod, now: FactsNow): readonly StakeFact[] => {
  const { lockup, since, lockupSlot, withdrawer: wallet } = period;
  return releases(period, now)
    .filter(({ until }) => lockup.epoch <= until.epoch && lockup.unixTimestamp <= until.seconds)
    .map(({ deactivationEpoch, epoch: released, slot }) => {
      const slots = [slot, since?.slot ?? null, lockupSlot].filter((one) => one !== null);
      // An immediate release is caused by a transaction, not by a boundary. If its slot is unknown, its epoch
      // is used.
      const boundary = slot === null ? later(released, lockup.epoch) : lockup.epoch;
      return {
        type: 'withdraw_ready',
        account,
        wallet,
        epoch: later(later(released, lockup.epoch), since?.epoch ?? 0n),
        identity: `${account} ${deactivationEpoch}`,
        stamp: {
          slots,
          ...(boundary > 0n ? { epoch: boundary } : {}),
          ...(lockup.unixTimestamp > 0n ? { seconds: lockup.unixTimestamp } : {}),
        },
        period,
        deactivationEpoch,
      };
    });
};

/** Lists all events of a period, in order. Pure. */
export const factsOfPeriod = (
  account: Address,
  period: DelegationPeriod,
  now: FactsNow,
): readonly StakeFact[] => [
  ...activated(account, period, now),
  ...deactivated(account, period),
  ...ready(account, period, now),
];

/** Returns the identity of `epoch_complete`. */
export const epochIdentity = (epoch: bigint): string => `${epoch}`;

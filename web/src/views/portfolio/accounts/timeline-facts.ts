// Computes the phases of a stake account by epoch, and the positions of the current time and the epoch's end.
import type { EpochTiming } from '../../../../../client/generated/shared-types.ts';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';

/** Phase of an account in an epoch. `locked`: inactive, but under a lockup. */
export type Phase = 'undelegated' | 'activating' | 'active' | 'cooling' | 'locked' | 'withdrawable';

/** Consecutive epochs in one phase. */
export interface Period {
  readonly phase: Phase;
  /** First epoch; null if unknown. */
  readonly fromEpoch: number | null;
  /** First epoch after the period; null if open. */
  readonly untilEpoch: number | null;
  readonly when: 'past' | 'now' | 'next';
}

export type TimelineAccount = Pick<
  StakeAccount,
  'state' | 'activationEpoch' | 'deactivationEpoch' | 'withdrawableAtEpoch' | 'withdrawReady' | 'lockup'
>;

type Span = Omit<Period, 'when'>;

const afterCooling = (
  account: TimelineAccount,
  cooledEpoch: number,
  currentEpoch: number,
  rewardsActive: boolean,
): Span[] => {
  const { state, withdrawReady, lockup, withdrawableAtEpoch: at } = account;
  // No account is ready while rewards are paid. That alone does not mean that the account is locked.
  const isHeld = !rewardsActive || at === null || at > currentEpoch;
  if (state !== 'inactive' || withdrawReady || lockup === null || !isHeld)
    return [{ phase: 'withdrawable', fromEpoch: cooledEpoch, untilEpoch: null }];
  if (at === null || at <= currentEpoch)
    return [{ phase: 'locked', fromEpoch: cooledEpoch, untilEpoch: null }];
  return [
    { phase: 'locked', fromEpoch: cooledEpoch, untilEpoch: at },
    { phase: 'withdrawable', fromEpoch: at, untilEpoch: null },
  ];
};

const spansOf = (account: TimelineAccount, currentEpoch: number, rewardsActive: boolean): Span[] => {
  const { state, activationEpoch, deactivationEpoch, withdrawableAtEpoch } = account;
  if (state === 'initialized') return [{ phase: 'undelegated', fromEpoch: null, untilEpoch: null }];
  // Stake that is deactivated in the epoch of its delegation never becomes effective.
  if (deactivationEpoch !== null && deactivationEpoch === activationEpoch)
    return afterCooling(account, deactivationEpoch, currentEpoch, rewardsActive);
  const activeFrom =
    activationEpoch === null
      ? null
      : state === 'activating'
        ? Math.max(activationEpoch, currentEpoch) + 1
        : activationEpoch + 1;
  const spans: Span[] =
    activationEpoch === null
      ? []
      : [{ phase: 'activating', fromEpoch: activationEpoch, untilEpoch: activeFrom }];
  spans.push({ phase: 'active', fromEpoch: activeFrom, untilEpoch: deactivationEpoch });
  if (deactivationEpoch === null) return spans;
  const cooledEpoch =
    state === 'deactivating'
      ? Math.max(withdrawableAtEpoch ?? 0, currentEpoch + 1)
      : Math.min(deactivationEpoch + 1, currentEpoch);
  spans.push({ phase: 'cooling', fromEpoch: deactivationEpoch, untilEpoch: cooledEpoch });
  return [...spans, ...afterCooling(account, cooledEpoch, currentEpoch, rewardsActive)];
};

const isEmpty = ({ fromEpoch, untilEpoch }: Span): boolean =>
  fromEpoch !== null && untilEpoch !== null && untilEpoch <= fromEpoch;

const whenOf = ({ fromEpoch, untilEpoch }: Span, currentEpoch: number): Period['when'] =>
  untilEpoch !== null && untilEpoch <= currentEpoch
    ? 'past'
    : fromEpoch !== null && fromEpoch > currentEpoch
      ? 'next'
      : 'now';

/** Lists the account's phases in order; exactly one is current. Future phases assume no further changes. */
export const periodsOf = (
  account: TimelineAccount,
  { currentEpoch, epochRewardsActive }: Pick<EpochTiming, 'currentEpoch' | 'epochRewardsActive'>,
): readonly Period[] =>
  spansOf(account, currentEpoch, epochRewardsActive)
    .filter((span) => !isEmpty(span))
    .map((span) => ({ ...span, when: whenOf(span, currentEpoch) }));

/** Returns the phase of an epoch; null before the delegation. */
export const phaseAt = (periods: readonly Period[], epoch: number): Phase | null =>
  periods.find(
    ({ fromEpoch, untilEpoch }) =>
      (fromEpoch === null || fromEpoch <= epoch) && (untilEpoch === null || epoch < untilEpoch),
  )?.phase ?? null;

const SHOWN_EPOCHS = 5;

/** Lists the epochs to display: two before and two after the current one. */
export const epochsAround = (currentEpoch: number): readonly number[] => {
  const first = Math.max(0, currentEpoch - 2);
  return Array.from({ length: SHOWN_EPOCHS }, (_, index) => first + index);
};

/**
 * Times as shares of the current epoch's length: 0 is its first slot, 1 its estimated end. The bounds may lie
 * beyond.
 */
interface EpochMarks {
  readonly now: number;
  readonly earliestEnd: number;
  readonly latestEnd: number;
}

/** Computes the marks at `nowMs`. `readAtMs` is the time at which the timing was read. */
export const epochMarksOf = (
  timing: Pick<EpochTiming, 'progressPct' | 'estimatedEpochEnd' | 'earliestEpochEnd' | 'latestEpochEnd'>,
  readAtMs: number,
  nowMs: number,
): EpochMarks => {
  const read = timing.progressPct / 100;
  const endMs = Date.parse(timing.estimatedEpochEnd);
  const leftMs = endMs - readAtMs;
  const at = (ms: number): number => (leftMs <= 0 ? 1 : read + ((1 - read) * (ms - readAtMs)) / leftMs);
  const now = Math.min(1, Math.max(read, at(nowMs)));
  return {
    now,
    earliestEnd: Math.min(1, Math.max(now, at(Date.parse(timing.earliestEpochEnd)))),
    latestEnd: Math.max(1, at(Date.parse(timing.latestEpochEnd))),
  };
};

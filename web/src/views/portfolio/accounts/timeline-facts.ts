// Which epochs a stake account spends in which phase, past, present and to come, and where in the running epoch now and its end stand.
import type { EpochTiming } from '../../../../../client/generated/shared-types.ts';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';

/** What an account is doing in an epoch. `locked`: cooled down, and a lockup holds it. */
export type Phase = 'undelegated' | 'activating' | 'active' | 'cooling' | 'locked' | 'withdrawable';

/** Epochs in a row that are spent in one phase. */
export interface Period {
  readonly phase: Phase;
  /** First epoch; null: from before what is known. */
  readonly fromEpoch: number | null;
  /** First epoch that is not part of it any more; null: open. */
  readonly untilEpoch: number | null;
  readonly when: 'past' | 'now' | 'next';
}

/** The parts of an account that decide. */
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
  // While rewards are paid out nothing is ready; that alone is no lock.
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
  // Deactivated in the epoch of its delegation: nothing ever became effective.
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

/** The account's phases in their order; exactly one of them is now. What is to come holds as long as nobody acts. */
export const periodsOf = (
  account: TimelineAccount,
  { currentEpoch, epochRewardsActive }: Pick<EpochTiming, 'currentEpoch' | 'epochRewardsActive'>,
): readonly Period[] =>
  spansOf(account, currentEpoch, epochRewardsActive)
    .filter((span) => !isEmpty(span))
    .map((span) => ({ ...span, when: whenOf(span, currentEpoch) }));

/** The phase of an epoch; null before the account was delegated. */
export const phaseAt = (periods: readonly Period[], epoch: number): Phase | null =>
  periods.find(
    ({ fromEpoch, untilEpoch }) =>
      (fromEpoch === null || fromEpoch <= epoch) && (untilEpoch === null || epoch < untilEpoch),
  )?.phase ?? null;

const SHOWN_EPOCHS = 5;

/** The epochs that are drawn: two before and two after the running one. */
export const epochsAround = (currentEpoch: number): readonly number[] => {
  const first = Math.max(0, currentEpoch - 2);
  return Array.from({ length: SHOWN_EPOCHS }, (_, index) => first + index);
};

/** Moments as shares of the running epoch's length: 0 its first slot, 1 its estimated end; the bounds may lie beyond. */
interface EpochMarks {
  readonly now: number;
  readonly earliestEnd: number;
  readonly latestEnd: number;
}

/** Where the marks stand at `nowMs`; `readAtMs` is when the timing was read. */
export const marksOf = (
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

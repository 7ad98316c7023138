// The validator status shown before signing, kept in memory: delinquency, a raised commission, and the yield.

import { criticalNotice, type Notice, notice, rankedNotices } from '../domain/notice.ts';
import { type EarningState, earningNotices, VALIDATOR_CLOSED } from '../domain/validator/stake-earnings.ts';
import { ageMs, type Clock } from '../kernel/clock.ts';
import type { ApyFacts } from './apy-facts.ts';

/** The last known state of the validator. */
export interface ValidatorStatus {
  /** False if the cluster no longer lists the vote account, which may have been closed. */
  readonly listed: boolean;
  /** The validator's identity when this service first saw it, and the current identity, if they differ. */
  readonly moved: { readonly from: string; readonly to: string } | null;
  readonly delinquent: boolean;
  /** The last vote, and its distance from the current slot; null if the cluster does not list the validator. */
  readonly lastVote: { readonly slot: bigint; readonly slotsAgo: bigint } | null;
  /** False if the validator used to earn credits but does not participate in the current epoch. */
  readonly inEpoch: boolean;
  /** Notices about reported changes that still apply. */
  readonly reported: readonly Notice[];
  /** Percent; null if the chain does not report it. */
  readonly commission: number | null;
  /** The lowest recorded commission of the last completed epochs, in percent; null without a record. */
  readonly recordedCommission: number | null;
  /** Null while the yield is unknown. */
  readonly apy: ApyFacts | null;
}

/** Reward estimate in the response of a stake builder. */
interface RewardsEstimate {
  readonly estimatedAnnualSol: number;
  readonly estimatedPerEpochSol: number;
  /** Percent. */
  readonly basedOnApy: number;
}

/** The status shared by builders, one-shot stakes and summaries. None of the calls wait. */
export interface ValidatorStatusBoard {
  /** Returns the status; null if there was no poll in the last 60 seconds. */
  readonly current: () => ValidatorStatus | null;
  /** Returns the last poll, however old; null before the first one. */
  readonly last: () => { readonly status: ValidatorStatus; readonly atMs: number } | null;
  /**
   * Returns the notices, most severe first. An expired status keeps its critical notice until a newer read: after an
   * outage, nothing says that the validator has recovered.
   */
  readonly notices: () => readonly Notice[];
  /** Returns the sentences of the notices. */
  readonly warnings: () => readonly string[];
  /**
   * Returns the last known notices as one text, which changes with what responses say about the validator. An
   * expired status keeps it, because an unknown state contradicts no cached figure.
   */
  readonly lastNotices: () => string;
  /**
   * Estimates the rewards of an effective stake at the current yield; null if the yield is unknown or there
   * is a critical notice.
   */
  readonly rewardsEstimate: (delegatedLamports: bigint) => RewardsEstimate | null;
  /** Stores the status from a new poll. */
  readonly post: (status: ValidatorStatus) => void;
  /** Replaces the state in the last poll, so that no response warns later than another one. */
  readonly noteState: (state: EarningState | 'closed') => void;
  /** Replaces the yield of the last poll, so that all responses show the newest yield. */
  readonly noteApy: (apy: ApyFacts) => void;
}

/** Maximum age of a displayed status. */
export const STATUS_LIFETIME_MS = 60_000;

const roundSol = (value: number): number => Math.round(value * 1e9) / 1e9;

const describe = (status: ValidatorStatus): readonly Notice[] => {
  const { listed, moved, delinquent, inEpoch, reported, commission, recordedCommission } = status;
  if (!listed) return [VALIDATOR_CLOSED];
  const isRise = commission !== null && recordedCommission !== null && commission > recordedCommission;
  const isReported = reported.some(({ params }) => params.what === 'inflationCommissionBps');
  return rankedNotices([
    ...earningNotices({ delinquent, inEpoch, commissionPct: commission }),
    ...(moved === null
      ? []
      : [
          notice(
            'VALIDATOR_MOVED',
            'The validator’s vote account moved to another identity while this service was running, from {from} to {to}.',
            { ...moved },
          ),
        ]),
    ...reported,
    ...(isRise && !isReported
      ? [
          notice(
            'COMMISSION_RAISED',
            'The validator’s commission rose from {fromBps} to {toBps} within the last epochs.',
            {
              what: 'inflationCommissionBps',
              fromBps: { shown: `${recordedCommission}%`, value: recordedCommission * 100 },
              toBps: { shown: `${commission}%`, value: commission * 100 },
            },
          ),
        ]
      : []),
  ]);
};

export const createValidatorStatusBoard = (clock: Pick<Clock, 'now'>): ValidatorStatusBoard => {
  let last: { readonly status: ValidatorStatus; readonly atMs: number } | null = null;
  let lastNotices = '';
  const keep = (next: NonNullable<typeof last>): void => {
    last = next;
    const { status } = next;
    // The yield may be newer than the poll, and stop for a reason that the poll has not seen yet.
    const critical = criticalNotice(status.apy?.notices ?? []) ?? [];
    lastNotices = rankedNotices([...describe(status)].concat(critical))
      .map(({ text }) => text)
      .join('\n');
  };
  const current = () =>
    last !== null && ageMs(last.atMs, clock.now()) < STATUS_LIFETIME_MS ? last.status : null;
  const notices = (): readonly Notice[] => {
    if (last === null) return [];
    const all = describe(last.status);
    return current() === null ? all.filter(({ severity }) => severity === 'critical') : all;
  };
  return {
    current,
    last: () => last,
    notices,
    warnings: () => notices().map(({ text }) => text),
    rewardsEstimate: (delegatedLamports) => {
      if (criticalNotice(notices()) !== undefined) return null;
      const { apy, inflationPerEpoch, tipsPerEpoch } = current()?.apy ?? {};
      if (apy?.totalApy == null || inflationPerEpoch == null || tipsPerEpoch == null) return null;
      const delegatedSol = Number(delegatedLamports) / 1e9;
      return {
        estimatedAnnualSol: roundSol(delegatedSol * (apy.totalApy / 100)),
        estimatedPerEpochSol: roundSol(delegatedSol * (inflationPerEpoch + tipsPerEpoch)),
        basedOnApy: apy.totalApy,
      };
    },
    lastNotices: () => lastNotices,
    post: (status) => keep({ status, atMs: clock.now() }),
    noteState: (state) => {
      if (last === null) return;
      const { status } = last;
      const next =
        state === 'closed'
          ? { listed: false }
          : {
              listed: true,
              delinquent: state.delinquent,
              inEpoch: state.inEpoch,
              commission: state.commissionPct,
            };
      keep({ ...last, status: { ...status, ...next } });
    },
    noteApy: (apy) => {
      if (last !== null) keep({ ...last, status: { ...last.status, apy } });
    },
  };
};

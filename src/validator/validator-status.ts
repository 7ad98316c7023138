// The validator status shown before signing, from memory: delinquency, raised commission, and yield.

import { criticalNotice, type Notice, notice, rankedNotices } from '../domain/notice.ts';
import { earningNotices, VALIDATOR_CLOSED } from '../domain/validator/stake-earnings.ts';
import { ageMs, type Clock } from '../kernel/clock.ts';
import type { ApyFacts } from './apy-facts.ts';

/** The last known state of the validator. */
export interface ValidatorStatus {
  /** False if the cluster no longer lists the vote account, which may have been closed. */
  readonly listed: boolean;
  /** The validator's identity when this service first saw it, and the current one, if they differ. */
  readonly moved: { readonly from: string; readonly to: string } | null;
  readonly delinquent: boolean;
  /** The last vote, and its distance from the current slot; null if the cluster does not list the validator. */
  readonly lastVote: { readonly slot: bigint; readonly slotsAgo: bigint } | null;
  /** False if the validator earned credits before but does not participate in the current epoch. */
  readonly inEpoch: boolean;
  /** Notices about reported changes that still apply. */
  readonly reported: readonly Notice[];
  /** Percent; null if the chain does not report it. */
  readonly commission: number | null;
  /** The lowest recorded commission of the last completed epochs in percent; null without a record. */
  readonly recordedCommission: number | null;
  /** Null while the yield is unknown. */
  readonly apy: ApyFacts | null;
}

/** A field of a stake builder's response. */
interface RewardsEstimate {
  readonly estimatedAnnualSol: number;
  readonly estimatedPerEpochSol: number;
  /** Percent. */
  readonly basedOnApy: number;
}

/** The status shared by builders, one-shot stakes and summaries. No call waits. */
export interface ValidatorStatusBoard {
  /** Null if there was no poll in the last 60 seconds. */
  readonly current: () => ValidatorStatus | null;
  /** The last poll, however old; null before the first one. */
  readonly last: () => { readonly status: ValidatorStatus; readonly atMs: number } | null;
  /** Notices, most severe first; none if the status is unknown. */
  readonly notices: () => readonly Notice[];
  /** Sentences of the notices. */
  readonly warnings: () => readonly string[];
  /**
   * Rewards of an effective stake at the current yield; null if that is unknown or there is a critical
   * notice.
   */
  readonly rewardsEstimate: (delegatedLamports: bigint) => RewardsEstimate | null;
  /** Posts the status of a new poll. */
  readonly post: (status: ValidatorStatus) => void;
  /** Replaces the yield of the last poll, so that all responses show the newest one. */
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

/** Creates a board without a status. */
export const createValidatorStatusBoard = (clock: Pick<Clock, 'now'>): ValidatorStatusBoard => {
  let last: { readonly status: ValidatorStatus; readonly atMs: number } | null = null;
  const current = () =>
    last !== null && ageMs(last.atMs, clock.now()) < STATUS_LIFETIME_MS ? last.status : null;
  const notices = (): readonly Notice[] => {
    const status = current();
    return status === null ? [] : describe(status);
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
    post: (status) => {
      last = { status, atMs: clock.now() };
    },
    noteApy: (apy) => {
      if (last !== null) last = { ...last, status: { ...last.status, apy } };
    },
  };
};

// Decides whether stake earns with the validator now, and which share of its rewards the commission in force leaves.
import { type Notice, notice } from '../notice.ts';

/** The state of the validator that decides what stake earns. */
export interface EarningState {
  readonly delinquent: boolean;
  /** False: it earned credits before and takes no part in the running epoch. */
  readonly inEpoch: boolean;
  /** Of inflation rewards, percent; null where the chain does not say. */
  readonly commissionPct: number | null;
}

/** A vote account that the cluster no longer lists. */
export const VALIDATOR_CLOSED = notice(
  'VALIDATOR_CLOSED',
  'The cluster does not list the vote account of the validator any more: it may have been closed, and stake delegated to it earns nothing.',
);

const VALIDATOR_STATE_UNKNOWN = notice(
  'VALIDATOR_STATE_UNKNOWN',
  'The commission or the state of the validator cannot be read at the moment, so rewards cannot be projected.',
);

/** Why stake earns nothing or no inflation rewards now; empty where it earns. */
export const earningNotices = ({ delinquent, inEpoch, commissionPct }: EarningState): readonly Notice[] => [
  ...(delinquent
    ? [
        notice(
          'VALIDATOR_DELINQUENT',
          'The validator is delinquent: it lags in voting, and stake delegated to it earns nothing while that lasts.',
        ),
      ]
    : []),
  ...(inEpoch
    ? []
    : [
        notice(
          'VALIDATOR_NOT_ADMITTED',
          'The validator takes no part in this epoch: stake delegated to it earns nothing until it is admitted again.',
        ),
      ]),
  ...(commissionPct === 100
    ? [
        notice(
          'COMMISSION_FULL',
          'The commission of the validator is 100 %: stake delegated to it earns no inflation rewards while that lasts.',
          { commissionPct },
        ),
      ]
    : []),
];

/** What stake earns with the validator now. */
export interface StakeEarnings {
  /** False: neither inflation rewards nor tips. */
  readonly isPaid: boolean;
  /** The part of inflation rewards that the commission leaves, 0 to 1; null where it is unknown. */
  readonly inflationShare: number | null;
  readonly notices: readonly Notice[];
}

/** `closed`: the cluster does not list the vote account. Null: the state cannot be read. */
export const stakeEarnings = (state: EarningState | 'closed' | null): StakeEarnings => {
  if (state === 'closed') return { isPaid: false, inflationShare: null, notices: [VALIDATOR_CLOSED] };
  const commissionPct = state?.commissionPct ?? null;
  if (state === null || commissionPct === null)
    return { isPaid: true, inflationShare: null, notices: [VALIDATOR_STATE_UNKNOWN] };
  return {
    isPaid: !state.delinquent && state.inEpoch,
    inflationShare: 1 - commissionPct / 100,
    notices: earningNotices(state),
  };
};

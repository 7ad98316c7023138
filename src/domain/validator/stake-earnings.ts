// Determines whether stake at the validator currently earns, and its share of the rewards after commission.
import { type Notice, notice } from '../notice.ts';

/** State of the validator that determines what stake earns. */
export interface EarningState {
  readonly delinquent: boolean;
  /** False if the validator used to earn credits but does not participate in the current epoch. */
  readonly inEpoch: boolean;
  /** Commission on inflation rewards in percent; null if the chain does not report it. */
  readonly commissionPct: number | null;
}

/** Notice about a vote account that the cluster no longer lists. */
export const VALIDATOR_CLOSED = notice(
  'VALIDATOR_CLOSED',
  'The cluster no longer lists the validator’s vote account. It may have been closed, and stake delegated to it earns nothing.',
);

const VALIDATOR_STATE_UNKNOWN = notice(
  'VALIDATOR_STATE_UNKNOWN',
  'The validator’s commission or state cannot be read right now, so rewards cannot be projected.',
);

/** Lists the reasons why stake currently earns nothing or no inflation rewards; empty if it earns. */
export const earningNotices = ({ delinquent, inEpoch, commissionPct }: EarningState): readonly Notice[] => [
  ...(delinquent
    ? [
        notice(
          'VALIDATOR_DELINQUENT',
          'The validator is delinquent: its votes lag behind, and stake delegated to it earns nothing until it recovers.',
        ),
      ]
    : []),
  ...(inEpoch
    ? []
    : [
        notice(
          'VALIDATOR_NOT_ADMITTED',
          'The validator does not participate in this epoch: stake delegated to it earns nothing until it is admitted again.',
        ),
      ]),
  ...(commissionPct === 100
    ? [
        notice(
          'COMMISSION_FULL',
          'The validator’s commission is {commissionPct}%, so stake delegated to it earns no inflation rewards.',
          { commissionPct },
        ),
      ]
    : []),
];

export interface StakeEarnings {
  /** False if stake earns neither inflation rewards nor tips. */
  readonly isPaid: boolean;
  /** Share of inflation rewards after commission, 0 to 1; null if unknown. */
  readonly inflationShare: number | null;
  readonly notices: readonly Notice[];
}

/**
 * Assesses the earnings. `state` is `closed` if the cluster does not list the vote account, and null if the
 * state cannot be read.
 */
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

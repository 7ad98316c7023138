// Derives operator alerts from changes since the last evaluation. Pure: evaluating the same observation twice
// produces no further alert.
import {
  type AlertRow,
  alertTable,
  type OperatorAlert,
  operatorAlert,
  type ValidatorChange,
} from '../../domain/alerts/alert-table.ts';
import { RISK_AT_EPOCHS, STALE_INDEX_SECONDS } from '../../domain/alerts/alert-thresholds.ts';
import type { ValidatorAlert } from '../../domain/alerts/detect-validator-changes.ts';
import { admissionOutlook } from '../../domain/validator/admission.ts';

/** The vote account at the time of the read. */
export interface VoteAccountFacts {
  readonly epoch: bigint;
  readonly balanceLamports: bigint;
  readonly rentLamports: bigint;
  /** Null if the layout of the account has no BLS key. */
  readonly hasBlsKey: boolean | null;
}

export interface OperatorObservation {
  readonly vote: VoteAccountFacts | null;
  /**
   * True while the chain cannot be read, which the alarm `rpc_unreachable` reports, and as long after the alarm
   * as the index needs for a scan.
   */
  readonly isOutage: boolean;
  /** The validator alerts for stakers, newest first, and their total number. */
  readonly validator: { readonly reported: number; readonly alerts: readonly ValidatorAlert[] };
  /** The configured price of an admission ticket; null if unknown. */
  readonly ticketLamports: bigint | null;
  readonly indexAgeSeconds: number | null;
  readonly nodeWarning: string | null;
}

/** The state between evaluations, JSON-safe. Stored together with the alerts derived from it. */
export interface AlertState {
  /** Number of alerts so far. It gives each alert a unique id. */
  readonly reported: number;
  /** Number of the next validator alert to report; null before the first evaluation. */
  readonly validatorReported: number | null;
  /** Balance of the vote account at the last evaluation. */
  readonly balance: { readonly epoch: string; readonly lamports: string } | null;
  /** The last decrease of the balance at an epoch boundary. */
  readonly observedTicket: string | null;
  /** Epochs remaining when the risk was reported; null if not reported. */
  readonly riskReportedAtEpochsLeft: number | null;
  readonly epochsLeft: number | null;
  readonly isIndexStale: boolean;
  readonly nodeWarning: string | null;
  /** Time up to which changes of delegators have been reported. */
  readonly changesBeforeMs: number;
  /** The last epoch whose digest has been sent or skipped; null before the first evaluation. */
  readonly digestEpoch: string | null;
  readonly digestAtMs: number;
}

/** The state before the first evaluation. */
export const emptyAlertState = (nowMs: number): AlertState => ({
  reported: 0,
  validatorReported: null,
  balance: null,
  observedTicket: null,
  riskReportedAtEpochsLeft: null,
  epochsLeft: null,
  isIndexStale: false,
  nodeWarning: null,
  changesBeforeMs: nowMs,
  digestEpoch: null,
  digestAtMs: nowMs,
});

type Step = { readonly state: AlertState; readonly alerts: readonly OperatorAlert[] };
type Rule = (state: AlertState, seen: OperatorObservation) => Step;

/**
 * Forwards to the operator the alerts that stakers have received since the last evaluation. Skips alerts from
 * before the first evaluation.
 */
const validator: Rule = (state, seen) => {
  const { reported, alerts } = seen.validator;
  const from = state.validatorReported ?? reported;
  return {
    state: { ...state, validatorReported: reported },
    alerts: alerts
      .filter(({ number }) => number >= from)
      .toReversed()
      .flatMap((alert) => {
        const row: AlertRow<ValidatorChange> = alertTable[alert.change];
        return row.operator === undefined ? [] : operatorAlert(row.operator, alert);
      }),
  };
};

const larger = (a: bigint | null, b: bigint | null): bigint | null =>
  a === null ? b : b === null || a > b ? a : b;

/**
 * Returns the price of a ticket: the configured price or the debit observed at an epoch boundary, whichever is
 * larger. Income at the same boundary can hide part of the debit.
 */
const ticketOf = (state: AlertState, { ticketLamports }: OperatorObservation): bigint | null =>
  larger(ticketLamports, state.observedTicket === null ? null : BigInt(state.observedTicket));

const observe = (state: AlertState, vote: VoteAccountFacts): AlertState => {
  const { balance } = state;
  const fell =
    balance !== null && BigInt(balance.epoch) + 1n === vote.epoch
      ? BigInt(balance.lamports) - vote.balanceLamports
      : 0n;
  return {
    ...state,
    balance: { epoch: String(vote.epoch), lamports: String(vote.balanceLamports) },
    observedTicket: fell > 0n ? String(fell) : state.observedTicket,
  };
};

const admission: Rule = (before, seen) => {
  const { vote } = seen;
  if (vote === null) return { state: before, alerts: [] };
  const state = observe(before, vote);
  const ticketLamports = ticketOf(state, seen);
  if (ticketLamports === null || ticketLamports <= 0n) return { state, alerts: [] };
  const { balanceLamports, rentLamports, epoch } = vote;
  const hasBlsKey = vote.hasBlsKey !== false;
  const outlook = admissionOutlook({ balanceLamports, rentLamports, ticketLamports, hasBlsKey, epoch });
  const epochsLeft = Number(outlook.epochsLeft);
  const isAtRisk = epochsLeft <= RISK_AT_EPOCHS;
  const facts = { outlook, balanceLamports, ticketLamports, hasBlsKey: vote.hasBlsKey };
  const next = {
    ...state,
    epochsLeft,
    riskReportedAtEpochsLeft: isAtRisk
      ? Math.min(epochsLeft, state.riskReportedAtEpochsLeft ?? epochsLeft)
      : null,
  };
  if (isAtRisk && (state.riskReportedAtEpochsLeft === null || epochsLeft < state.riskReportedAtEpochsLeft))
    return { state: next, alerts: [operatorAlert(alertTable['admission-at-risk'].operator, facts)] };
  const isSafeAgain = !isAtRisk && state.riskReportedAtEpochsLeft !== null;
  return {
    state: next,
    alerts: isSafeAgain ? [operatorAlert(alertTable['admission-safe'].operator, facts)] : [],
  };
};

const index: Rule = (state, { indexAgeSeconds: ageSeconds, isOutage }) => {
  // Before the first scan, the index has no age and does not count as stale.
  if (ageSeconds === null) return { state, alerts: [] };
  const isIndexStale = ageSeconds > STALE_INDEX_SECONDS;
  // An outage of all nodes has its own alarm, and the chain cannot replace the index during it.
  if (isIndexStale === state.isIndexStale || (isIndexStale && isOutage)) return { state, alerts: [] };
  const { operator } = alertTable[isIndexStale ? 'index-stale' : 'index-current'];
  return { state: { ...state, isIndexStale }, alerts: [operatorAlert(operator, { ageSeconds })] };
};

const node: Rule = (state, { nodeWarning }) => ({
  state: { ...state, nodeWarning },
  alerts:
    nodeWarning === null || nodeWarning === state.nodeWarning
      ? []
      : [operatorAlert(alertTable['node-js-vulnerable'].operator, { warning: nodeWarning })],
});

const RULES: readonly Rule[] = [validator, admission, index, node];

/** Returns the next state, and the alerts to record together with it. */
export const evaluateAlerts = (state: AlertState, seen: OperatorObservation): Step =>
  RULES.reduce<Step>(
    (step, rule) => {
      const { state: next, alerts } = rule(step.state, seen);
      return { state: next, alerts: [...step.alerts, ...alerts] };
    },
    { state, alerts: [] },
  );

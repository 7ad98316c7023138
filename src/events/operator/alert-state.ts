// What the operator was told last, and which alerts follow from what is seen now. Pure: the same look twice tells nothing.
import {
  type AlertRow,
  alertTable,
  type OperatorAlert,
  type ValidatorChange,
} from '../../domain/alerts/alert-table.ts';
import type { ValidatorAlert } from '../../domain/alerts/validator-watch.ts';
import { admissionOutlook } from '../../domain/validator/admission.ts';

/** The vote account as it is seen; null where it could not be read. */
export interface SeenVote {
  readonly epoch: bigint;
  readonly balanceLamports: bigint;
  readonly rentLamports: bigint;
  /** Null where the layout has none. */
  readonly hasBlsKey: boolean | null;
}

/** One look. */
export interface Seen {
  readonly vote: SeenVote | null;
  /** Alerts of the validator as stakers have them, newest first, and how many there ever were. */
  readonly validator: { readonly told: number; readonly alerts: readonly ValidatorAlert[] };
  /** What the setting says a ticket costs; null: none is asked for, as far as is known. */
  readonly ticketLamports: bigint | null;
  readonly indexAgeSeconds: number | null;
  readonly indexReady: boolean;
  readonly oldestDueSeconds: number | null;
  readonly nodeWarning: string | null;
}

/** JSON-safe; stored with the alerts that it led to. */
export interface AlertState {
  /** Counts the alerts, so that each has an identity. */
  readonly told: number;
  /** Alerts of the validator below this number were told; null before the first look. */
  readonly validatorTold: number | null;
  /** Balance of the vote account at the last look. */
  readonly balance: { readonly epoch: string; readonly lamports: string } | null;
  /** By which the balance fell at the last boundary at which it did. */
  readonly observedTicket: string | null;
  /** Epochs left when the risk was told; null: none is told. */
  readonly riskTold: number | null;
  readonly epochsLeft: number | null;
  readonly isIndexStale: boolean;
  readonly isOutboxBehind: boolean;
  readonly nodeWarning: string | null;
  /** Changes of the book up to this moment were told. */
  readonly changesBeforeMs: number;
}

/** Nothing told yet. */
export const emptyAlertState = (nowMs: number): AlertState => ({
  ...{ told: 0, validatorTold: null, balance: null },
  ...{ observedTicket: null, riskTold: null, epochsLeft: null, isIndexStale: false, isOutboxBehind: false },
  ...{ nodeWarning: null, changesBeforeMs: nowMs },
});

/** Epochs of ticket left at which the operator is told, and again at each fewer. */
const RISK_AT_EPOCHS = 3;
const STALE_INDEX_SECONDS = 600;
const BEHIND_SECONDS = 300;

type Step = { readonly state: AlertState; readonly alerts: readonly OperatorAlert[] };
type Judge = (state: AlertState, seen: Seen) => Step;

/** One derivation for stakers and operator: what was told to them since the last look. What is older than the first look is no news. */
const validator: Judge = (state, seen) => {
  const { told, alerts } = seen.validator;
  const from = state.validatorTold ?? told;
  return {
    state: { ...state, validatorTold: told },
    alerts: alerts
      .filter(({ number }) => number >= from)
      .toReversed()
      .flatMap((alert) => {
        const row: AlertRow<ValidatorChange> = alertTable[alert.change];
        return row.operator?.(alert) ?? [];
      }),
  };
};

const larger = (a: bigint | null, b: bigint | null): bigint | null =>
  a === null ? b : b === null || a > b ? a : b;

/** What a ticket costs: what was seen to be taken at a boundary or, where income of the same boundary hides a part, what is set. */
const ticketOf = (state: AlertState, { ticketLamports }: Seen): bigint | null =>
  larger(ticketLamports, state.observedTicket === null ? null : BigInt(state.observedTicket));

const observe = (state: AlertState, vote: SeenVote): AlertState => {
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

const admission: Judge = (before, seen) => {
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
    riskTold: isAtRisk ? Math.min(epochsLeft, state.riskTold ?? epochsLeft) : null,
  };
  if (isAtRisk && (state.riskTold === null || epochsLeft < state.riskTold))
    return { state: next, alerts: [alertTable['admission-at-risk'].operator(facts)] };
  const isSafeAgain = !isAtRisk && state.riskTold !== null;
  return { state: next, alerts: isSafeAgain ? [alertTable['admission-safe'].operator(facts)] : [] };
};

const index: Judge = (state, { indexAgeSeconds: ageSeconds, indexReady }) => {
  // Before the first scan the index is young, not stale.
  if (ageSeconds === null) return { state, alerts: [] };
  const isIndexStale = !indexReady || ageSeconds > STALE_INDEX_SECONDS;
  if (isIndexStale === state.isIndexStale) return { state, alerts: [] };
  const { operator } = alertTable[isIndexStale ? 'index-stale' : 'index-current'];
  return { state: { ...state, isIndexStale }, alerts: [operator({ ageSeconds })] };
};

const backlog: Judge = (state, { oldestDueSeconds }) => {
  if (oldestDueSeconds === null) return { state, alerts: [] };
  const isOutboxBehind = oldestDueSeconds > BEHIND_SECONDS;
  if (isOutboxBehind === state.isOutboxBehind) return { state, alerts: [] };
  const { operator } = alertTable[isOutboxBehind ? 'outbox-behind' : 'outbox-current'];
  return { state: { ...state, isOutboxBehind }, alerts: [operator({ oldestDueSeconds })] };
};

const node: Judge = (state, { nodeWarning }) => ({
  state: { ...state, nodeWarning },
  alerts:
    nodeWarning === null || nodeWarning === state.nodeWarning
      ? []
      : [alertTable['node-known-holes'].operator({ warning: nodeWarning })],
});

const JUDGES: readonly Judge[] = [validator, admission, index, backlog, node];

/** The state after a look, and what is to be told of it. */
export const judgeLook = (state: AlertState, seen: Seen): Step =>
  JUDGES.reduce<Step>(
    (step, judge) => {
      const { state: next, alerts } = judge(step.state, seen);
      return { state: next, alerts: [...step.alerts, ...alerts] };
    },
    { state, alerts: [] },
  );

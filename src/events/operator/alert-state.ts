// What the operator was told last, and which alerts follow from what is seen now. Pure: the same look twice tells nothing.
import type { ValidatorAlert } from '../../domain/alerts/validator-watch.ts';
import { formatSol } from '../../domain/lamports.ts';
import { type AdmissionOutlook, admissionOutlook } from '../../domain/validator/admission.ts';

/** What an alert is about. */
type AlertKind =
  | 'validator_delinquent'
  | 'validator_recovered'
  | 'commission_changed'
  | 'collector_changed'
  | 'validator_absent'
  | 'destake_possible'
  | 'admission_at_risk'
  | 'admission_safe'
  | 'index_stale'
  | 'index_current'
  | 'outbox_behind'
  | 'outbox_current'
  | 'node_known_holes'
  | 'delegator_joined'
  | 'delegator_leaving'
  | 'delegator_gone';

/** An alert in words, with its facts. */
export interface OperatorAlert {
  readonly alert: AlertKind;
  readonly level: 'info' | 'warning' | 'critical';
  readonly title: string;
  readonly message: string;
  readonly facts: Readonly<Record<string, string | number | null>>;
}

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

/** What stakers are told of the validator, in words for its operator. Null: limits of the cluster are not his. */
const ofValidator = (told: ValidatorAlert): OperatorAlert | null => {
  const { change, what, from, to, epoch, slot, seenByNodes } = told;
  const facts = { epoch, slot, seenByNodes };
  switch (change) {
    case 'delinquent':
      return {
        ...{ alert: 'validator_delinquent', level: 'critical', title: 'Validator delinquent', facts },
        message: `The validator is delinquent: at slot ${slot} its last vote was more than 128 slots old. Its delegators earn nothing meanwhile.`,
      };
    case 'recovered':
      return {
        ...{ alert: 'validator_recovered', level: 'info', title: 'Validator votes again', facts },
        message: 'The validator is no longer delinquent.',
      };
    case 'commission': {
      const kind = what === 'inflationCommissionBps' ? 'inflation' : 'block revenue';
      return {
        ...{ alert: 'commission_changed', level: 'critical', title: `Commission changed: ${kind}` },
        message: `The ${kind} commission changed from ${Number(from) / 100} % to ${Number(to) / 100} %. Was it you?`,
        facts: { ...facts, kind, fromBps: Number(from), toBps: Number(to) },
      };
    }
    case 'collector':
      return {
        ...{ alert: 'collector_changed', level: 'critical', title: 'Collector changed' },
        message: `The ${what === 'inflationCollector' ? 'inflation' : 'block revenue'} commission is now paid to ${to}, before to ${from}. Was it you?`,
        facts: { ...facts, from, to },
      };
    case 'absent':
      return {
        ...{ alert: 'validator_absent', level: 'critical', title: `Absent from epoch ${to}`, facts },
        message: `The validator earned no credits in epoch ${to}: nobody who delegates to it was paid.`,
      };
    case 'destake-possible':
      return {
        ...{ alert: 'destake_possible', level: 'critical', title: 'Anybody may deactivate its stake', facts },
        message: `The validator has earned no credits for so long that anybody may deactivate its stake from epoch ${to} on.`,
      };
    case 'limits':
      return null;
  }
};

/** One derivation for stakers and operator: what was told to them since the last look. What is older than the first look is no news. */
const validator: Judge = (state, seen) => {
  const { told, alerts } = seen.validator;
  const from = state.validatorTold ?? told;
  return {
    state: { ...state, validatorTold: told },
    alerts: alerts
      .filter(({ number }) => number >= from)
      .toReversed()
      .flatMap((alert) => ofValidator(alert) ?? []),
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

const riskMessage = (vote: SeenVote, outlook: AdmissionOutlook, ticketLamports: bigint): string =>
  vote.hasBlsKey === false
    ? `The vote account holds no BLS key: it is not admitted from epoch ${outlook.excludedFromEpoch} on, and nobody who delegates to it earns.`
    : `The vote account holds ${formatSol(vote.balanceLamports)} SOL and pays ${formatSol(ticketLamports)} SOL an epoch: enough for ${outlook.epochsLeft} more. Top it up, or nobody who delegates to it earns from epoch ${outlook.excludedFromEpoch} on.`;

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
  const facts = {
    epochsLeft,
    excludedFromEpoch: Number(outlook.excludedFromEpoch),
    balanceSol: formatSol(balanceLamports),
    ticketSol: formatSol(ticketLamports),
    blsKey: vote.hasBlsKey === null ? null : String(vote.hasBlsKey),
  };
  const next = {
    ...state,
    epochsLeft,
    riskTold: isAtRisk ? Math.min(epochsLeft, state.riskTold ?? epochsLeft) : null,
  };
  if (isAtRisk && (state.riskTold === null || epochsLeft < state.riskTold))
    return {
      state: next,
      alerts: [
        {
          ...{ alert: 'admission_at_risk', level: 'critical', title: 'Admission at risk', facts },
          message: riskMessage(vote, outlook, ticketLamports),
        },
      ],
    };
  if (isAtRisk || state.riskTold === null) return { state: next, alerts: [] };
  return {
    state: next,
    alerts: [
      {
        ...{ alert: 'admission_safe', level: 'info', title: 'Admission paid for', facts },
        message: `The vote account pays for ${epochsLeft} more epochs.`,
      },
    ],
  };
};

const index: Judge = (state, { indexAgeSeconds, indexReady }) => {
  // Before the first scan it is young, not stale.
  if (indexAgeSeconds === null) return { state, alerts: [] };
  const isIndexStale = !indexReady || indexAgeSeconds > STALE_INDEX_SECONDS;
  if (isIndexStale === state.isIndexStale) return { state, alerts: [] };
  const facts = { ageSeconds: indexAgeSeconds };
  return {
    state: { ...state, isIndexStale },
    alerts: [
      isIndexStale
        ? {
            ...{ alert: 'index_stale', level: 'warning', title: 'Index not kept up', facts },
            message: `The index of stake accounts was last known to be whole ${indexAgeSeconds} s ago: RPC nodes do not serve it. Wallets are asked for one by one.`,
          }
        : {
            ...{ alert: 'index_current', level: 'info', title: 'Index kept up again', facts },
            message: 'The index of stake accounts is kept up again.',
          },
    ],
  };
};

const backlog: Judge = (state, { oldestDueSeconds }) => {
  if (oldestDueSeconds === null) return { state, alerts: [] };
  const isOutboxBehind = oldestDueSeconds > BEHIND_SECONDS;
  if (isOutboxBehind === state.isOutboxBehind) return { state, alerts: [] };
  const facts = { oldestDueSeconds };
  return {
    state: { ...state, isOutboxBehind },
    alerts: [
      isOutboxBehind
        ? {
            ...{ alert: 'outbox_behind', level: 'warning', title: 'Webhooks are late', facts },
            message: `The longest due webhook has waited for ${oldestDueSeconds} s.`,
          }
        : {
            ...{ alert: 'outbox_current', level: 'info', title: 'Webhooks on time again', facts },
            message: 'Nothing that is due waits any more.',
          },
    ],
  };
};

const node: Judge = (state, { nodeWarning }) => ({
  state: { ...state, nodeWarning },
  alerts:
    nodeWarning === null || nodeWarning === state.nodeWarning
      ? []
      : [
          {
            ...{ alert: 'node_known_holes', level: 'warning', title: 'Node with known holes', facts: {} },
            message: nodeWarning,
          },
        ],
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

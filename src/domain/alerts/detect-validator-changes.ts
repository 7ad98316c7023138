// Detects validator changes from the responses of nodes. If there are several nodes, two must agree. Never
// reports a change twice.
import {
  type AlertLevel,
  type AlertRow,
  alertTable,
  type ValidatorChange,
  type validatorChanges,
} from './alert-table.ts';
import { DELINQUENT_SLOTS, DESTAKE_EPOCHS, VOTING_ANSWERS } from './alert-thresholds.ts';

/** Number of agreeing responses that confirm a change, across all nodes. */
const ANSWERS = 2;
/**
 * A change in the first or last 2 % of an epoch is too close to the boundary for stakers to react in time.
 */
const BOUNDARY_SHARE_PCT = 2n;

/** A node's response about finalized state. */
export interface ValidatorResponse {
  readonly node: number;
  /** Number of nodes that can be queried. */
  readonly nodes: number;
  readonly slot: bigint;
  readonly epoch: bigint;
  readonly slotIndex: bigint;
  readonly slotsInEpoch: bigint;
  /** Null if the vote account does not record votes. */
  readonly lastVoteSlot: bigint | null;
  /** Epochs in which the validator earned credits, oldest first. */
  readonly earnedEpochs: readonly bigint[];
  /**
   * Values by name, as text: commissions in basis points, collectors, and limits of the cluster in lamports.
   */
  readonly terms: Readonly<Record<string, string>>;
}

/** The values last reported, as stored. */
export interface ValidatorState {
  /** The first watched epoch. Older changes are not reported. */
  readonly firstEpoch: string;
  readonly values: Readonly<Record<string, string>>;
  /** Number of alerts reported so far; identifies an alert. */
  readonly reported: number;
}

export interface ValidatorAlert extends ValidatorChange {
  readonly number: number;
  readonly change: (typeof validatorChanges)[number];
  readonly level: AlertLevel;
}

interface Claim {
  readonly value: string;
  readonly responses: number;
}

const isVoting = ({ slot, lastVoteSlot }: ValidatorResponse): boolean | null =>
  lastVoteSlot === null ? null : slot <= lastVoteSlot + DELINQUENT_SLOTS;

/** Returns the values of a response, by name. */
const valuesOf = (
  response: ValidatorResponse,
  { firstEpoch, values }: ValidatorState,
): Record<string, string> => {
  const { epoch, earnedEpochs, terms } = response;
  const voting = isVoting(response);
  const ended = epoch - 1n;
  const last = earnedEpochs.at(-1);
  const isAbsent =
    ended >= BigInt(firstEpoch) && !earnedEpochs.includes(ended) && earnedEpochs.some((one) => one < ended);
  const destake = last !== undefined && last + DESTAKE_EPOCHS <= epoch ? `${last + DESTAKE_EPOCHS}` : '';
  return {
    ...terms,
    ...(voting === null ? {} : { voting: voting ? 'yes' : 'no' }),
    absent: isAbsent ? `${ended}` : (values.absent ?? ''),
    destake,
  };
};

/** Returns the kind of change of a value. Returns null if the change triggers no alert. */
const changeOf = (what: string, to: string): ValidatorAlert['change'] | null => {
  if (what === 'voting') return to === 'no' ? 'delinquent' : 'recovered';
  if (what === 'absent') return 'absent';
  if (what === 'destake') return to === '' ? null : 'destake-possible';
  if (what.endsWith('CommissionBps')) return 'commission';
  return what.endsWith('Collector') ? 'collector' : 'limits';
};

/**
 * Compares responses with the reported values. Values that too few nodes have confirmed are kept in memory
 * only, because a new process queries the nodes again.
 */
export class ValidatorWatch {
  #state: ValidatorState | null;
  readonly #claims = new Map<string, Map<number, Claim>>();
  readonly #slots = new Map<number, bigint>();

  constructor(state: ValidatorState | null) {
    this.#state = state;
  }

  get state(): ValidatorState | null {
    return this.#state;
  }

  /** Returns the alerts caused by a response. The first response starts the watch. */
  take(response: ValidatorResponse): readonly ValidatorAlert[] {
    const { node, slot, epoch } = response;
    if (slot <= (this.#slots.get(node) ?? -1n)) return [];
    this.#slots.set(node, slot);
    this.#state ??= { firstEpoch: `${epoch}`, values: {}, reported: 0 };
    return Object.entries(valuesOf(response, this.#state)).flatMap(([what, to]) =>
      this.#claimed(what, to, response),
    );
  }

  #claimed(what: string, to: string, response: ValidatorResponse): readonly ValidatorAlert[] {
    const claims = this.#claims.get(what) ?? new Map<number, Claim>();
    this.#claims.set(what, claims);
    const before = claims.get(response.node);
    claims.set(response.node, { value: to, responses: before?.value === to ? before.responses + 1 : 1 });
    const { values, reported } = this.#state!;
    const from = values[what];
    if (from === to) return [];
    const agreeing = [...claims.values()].filter(({ value }) => value === to);
    const responses = agreeing.reduce((sum, one) => sum + one.responses, 0);
    if (agreeing.length < Math.min(2, response.nodes)) return [];
    if (responses < (what === 'voting' ? VOTING_ANSWERS : ANSWERS)) return [];
    claims.clear();
    const share = (response.slotIndex * 100n) / response.slotsInEpoch;
    const nearBoundary = share < BOUNDARY_SHARE_PCT || share >= 100n - BOUNDARY_SHARE_PCT;
    // A value seen for the first time is not a change, unless the validator is delinquent, absent, or open to
    // deactivation by anyone.
    const start = what === 'voting' ? 'yes' : what === 'absent' || what === 'destake' ? '' : to;
    const known = from ?? start;
    const change = known === to ? null : changeOf(what, to);
    this.#state = {
      ...this.#state!,
      values: { ...values, [what]: to },
      reported: change === null ? reported : reported + 1,
    };
    if (change === null) return [];
    const alert: ValidatorChange = {
      epoch: Number(response.epoch),
      slot: Number(response.slot),
      what,
      from: known,
      to,
      nearBoundary,
      seenByNodes: agreeing.length,
    };
    const row: AlertRow<ValidatorChange> = alertTable[change];
    return [{ change, level: row.everybody!(alert), number: reported, ...alert }];
  }
}

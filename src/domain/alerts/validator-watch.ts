// What is told of the validator, from looks at single nodes: nothing that one node alone says where there are several, and nothing twice.
import {
  type AlertLevel,
  type AlertRow,
  alertTable,
  type ValidatorChange,
  type validatorChanges,
} from './alert-table.ts';

/** Until a validator that earns nothing may be left by anybody's hand (DeactivateDelinquent of the Stake program), epochs. */
const DESTAKE_EPOCHS = 5n;
/** So many slots behind its own node the cluster calls a validator delinquent. */
const DELINQUENT_SLOTS = 128n;
/** Looks that must agree, whichever nodes they are of. */
const LOOKS = 2;
const VOTING_LOOKS = 3;
/** A change so near a boundary counts for stakers before they can react. */
const BOUNDARY_SHARE_PCT = 2n;

/** What a finalized answer of one node says. */
export interface ValidatorLook {
  readonly node: number;
  /** How many nodes can be asked. */
  readonly nodes: number;
  readonly slot: bigint;
  readonly epoch: bigint;
  readonly slotIndex: bigint;
  readonly slotsInEpoch: bigint;
  /** Null where votes are not recorded in the vote account. */
  readonly lastVoteSlot: bigint | null;
  /** Epochs in which it earned credits, oldest first. */
  readonly earnedEpochs: readonly bigint[];
  /** By name, as text: commissions in basis points, collectors, limits of the cluster in lamports. */
  readonly terms: Readonly<Record<string, string>>;
}

/** What was told, as the store keeps it. */
export interface ValidatorState {
  /** Looked at since then; what is older is not told. */
  readonly firstEpoch: string;
  readonly values: Readonly<Record<string, string>>;
  /** Alerts told so far: the number makes an alert's identity. */
  readonly told: number;
}

/** A change as it is reported. */
export interface ValidatorAlert extends ValidatorChange {
  readonly number: number;
  readonly change: (typeof validatorChanges)[number];
  readonly level: AlertLevel;
}

interface Claim {
  readonly value: string;
  readonly looks: number;
}

const isVoting = ({ slot, lastVoteSlot }: ValidatorLook): boolean | null =>
  lastVoteSlot === null ? null : slot <= lastVoteSlot + DELINQUENT_SLOTS;

/** Everything that a look says, by name. */
const valuesOf = (look: ValidatorLook, { firstEpoch, values }: ValidatorState): Record<string, string> => {
  const { epoch, earnedEpochs, terms } = look;
  const voting = isVoting(look);
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

/** Null: not worth an alert. */
const changeOf = (what: string, to: string): ValidatorAlert['change'] | null => {
  if (what === 'voting') return to === 'no' ? 'delinquent' : 'recovered';
  if (what === 'absent') return 'absent';
  if (what === 'destake') return to === '' ? null : 'destake-possible';
  if (what.endsWith('CommissionBps')) return 'commission';
  return what.endsWith('Collector') ? 'collector' : 'limits';
};

/** Compares looks with what was told. Claims of nodes are remembered by the process alone: the next one asks them again. */
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

  /** The alerts of one look. The first of all looks is where watching begins. */
  look(look: ValidatorLook): readonly ValidatorAlert[] {
    const { node, slot, epoch } = look;
    // An answer that is not newer says nothing new.
    if (slot <= (this.#slots.get(node) ?? -1n)) return [];
    this.#slots.set(node, slot);
    this.#state ??= { firstEpoch: `${epoch}`, values: {}, told: 0 };
    return Object.entries(valuesOf(look, this.#state)).flatMap(([what, to]) => this.#claimed(what, to, look));
  }

  #claimed(what: string, to: string, look: ValidatorLook): readonly ValidatorAlert[] {
    const claims = this.#claims.get(what) ?? new Map<number, Claim>();
    this.#claims.set(what, claims);
    const before = claims.get(look.node);
    claims.set(look.node, { value: to, looks: before?.value === to ? before.looks + 1 : 1 });
    const { values, told } = this.#state!;
    const from = values[what];
    if (from === to) return [];
    const agreeing = [...claims.values()].filter(({ value }) => value === to);
    const looks = agreeing.reduce((sum, one) => sum + one.looks, 0);
    if (agreeing.length < Math.min(2, look.nodes)) return [];
    if (looks < (what === 'voting' ? VOTING_LOOKS : LOOKS)) return [];
    claims.clear();
    const share = (look.slotIndex * 100n) / look.slotsInEpoch;
    const nearBoundary = share < BOUNDARY_SHARE_PCT || share >= 100n - BOUNDARY_SHARE_PCT;
    // What is known for the first time is no change, except that it does not vote or was absent.
    const start = what === 'voting' ? 'yes' : what === 'absent' || what === 'destake' ? '' : to;
    const known = from ?? start;
    const change = known === to ? null : changeOf(what, to);
    this.#state = {
      ...this.#state!,
      values: { ...values, [what]: to },
      told: change === null ? told : told + 1,
    };
    if (change === null) return [];
    const alert: ValidatorChange = {
      epoch: Number(look.epoch),
      slot: Number(look.slot),
      what,
      from: known,
      to,
      nearBoundary,
      seenByNodes: agreeing.length,
    };
    const row: AlertRow<ValidatorChange> = alertTable[change];
    return [{ change, level: row.everybody!(alert), number: told, ...alert }];
  }
}

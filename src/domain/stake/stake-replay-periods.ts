// The periods that a replay comes upon: each opened, continued or ended by what the account holds after a slot.
import type { Address } from '@solana/kit';
import { EPOCH_ABSENT, type Lockup, NO_LOCKUP, type StakeAccount } from './stake-account.ts';
import type { LockupTimes } from './stake-operation.ts';
import type { Deactivation, DelegationPeriod, TimedPoint } from './stake-periods.ts';

/** Epochs are null while they were inherited from an account whose history was not read. */
export interface HeldStake {
  readonly voteAccount: Address | null;
  readonly activationEpoch: bigint | null;
  readonly deactivationEpoch: bigint;
}

/** An account at a point of its replay. Staker and lockup are null while they were inherited from an account whose history was not read. */
export interface ReplayState {
  readonly exists: boolean;
  readonly staker: Address | null;
  readonly withdrawer: Address;
  readonly lockup: Lockup | null;
  readonly held: HeldStake | null;
}

interface OpenPeriod {
  withdrawer: Address;
  activationEpoch: bigint | null;
  deactivationEpoch: bigint;
  deactivations: Deactivation[];
  since: TimedPoint | null;
  until: TimedPoint | null;
  lamports: bigint;
  lockup: LockupTimes;
  lockupSlot: bigint | null;
}

/** Facts that are known only after the replay. */
interface ReplayEnd {
  /** The account as it is; null: there is none. */
  readonly end: StakeAccount | null;
  readonly isWhole: boolean;
  /** Epochs of the account's own delegates. */
  readonly delegatedEpochs: readonly bigint[];
  /** Of periods that are over. */
  readonly stakeLamports: bigint;
}

/**
 * Stake moved in from an account of the same activation epoch makes an inactive one active again, also where it is deactivated in the same
 * transaction: no deactivation was undone.
 */
const isRevived = (open: OpenPeriod, ours: HeldStake, at: TimedPoint | null): boolean =>
  open.deactivationEpoch !== EPOCH_ABSENT &&
  ours.deactivationEpoch !== open.deactivationEpoch &&
  open.deactivationEpoch !== at?.epoch;

/** The periods of delegations to one vote account, oldest first. */
export class PeriodLog {
  readonly #voteAccount: Address;
  readonly #periods: OpenPeriod[] = [];
  #open: OpenPeriod | null = null;

  constructor(voteAccount: Address) {
    this.#voteAccount = voteAccount;
  }

  /** Some epochs are those of an account whose history was not read. */
  get isInherited(): boolean {
    return this.#periods.some(({ activationEpoch }) => activationEpoch === null);
  }

  /** Opens, continues or ends a period by what holds at the end of a slot. */
  settle(state: ReplayState, at: TimedPoint | null, lamports: bigint): void {
    const { exists, withdrawer, held } = state;
    const lockup = state.lockup ?? NO_LOCKUP;
    const ours =
      exists && held !== null && (held.voteAccount ?? this.#voteAccount) === this.#voteAccount ? held : null;
    const open = this.#open;
    const goesOn =
      open !== null &&
      ours !== null &&
      open.activationEpoch === ours.activationEpoch &&
      open.withdrawer === withdrawer &&
      !isRevived(open, ours, at);
    if (open && !goesOn) {
      open.until = at;
      this.#open = null;
    }
    if (ours === null) return;
    if (!goesOn) {
      const begun = { withdrawer, activationEpoch: ours.activationEpoch, since: at, until: null };
      const rest = { deactivationEpoch: EPOCH_ABSENT, deactivations: [], lamports, lockup, lockupSlot: null };
      this.#open = { ...begun, ...rest };
      this.#periods.push(this.#open);
    }
    const period = this.#open!;
    period.lamports = lamports;
    period.lockup = lockup;
    period.deactivationEpoch = ours.deactivationEpoch;
    this.#noteDeactivation(period, at);
  }

  #noteDeactivation(period: OpenPeriod, at: TimedPoint | null): void {
    const epoch = period.deactivationEpoch;
    if (epoch === EPOCH_ABSENT || period.deactivations.some((known) => known.epoch === epoch)) return;
    period.deactivations.push({ epoch, slot: at?.slot ?? null, seconds: at?.seconds ?? null });
  }

  /** The lockup of the period that goes on was set in this slot. */
  lockupSet(slot: bigint): void {
    if (this.#open) this.#open.lockupSlot = slot;
  }

  /** The period that seemed to go on ended then. */
  endAt(point: TimedPoint): void {
    if (this.#open) this.#open.until = point;
  }

  /** Fills in inherited epochs from the account's present state. False where no period goes on. */
  fillIn(end: StakeAccount): boolean {
    const open = this.#open;
    const { delegation } = end;
    if (open === null || delegation === null) return false;
    if (delegation.voteAccount !== this.#voteAccount) {
      this.#periods.splice(this.#periods.indexOf(open), 1);
      return true;
    }
    open.activationEpoch = delegation.activationEpoch;
    open.deactivationEpoch = delegation.deactivationEpoch;
    open.withdrawer = end.withdrawAuthority;
    open.lamports = end.lamports;
    this.#noteDeactivation(open, open.since);
    return true;
  }

  /** All of them, as far as they are known; not to be asked while something is inherited. */
  finished({ end, isWhole, delegatedEpochs, stakeLamports }: ReplayEnd): readonly DelegationPeriod[] {
    return this.#periods.map((period) => {
      const activationEpoch = period.activationEpoch!;
      const goesOn = period.until === null;
      return {
        ...period,
        activationEpoch,
        delegated: delegatedEpochs.includes(activationEpoch) ? true : isWhole ? false : null,
        stakeLamports: goesOn ? (end?.delegation?.stakeLamports ?? stakeLamports) : stakeLamports,
        lamports: goesOn && end ? end.lamports : period.lamports,
        lockup: goesOn && end ? end.lockup : period.lockup,
      };
    });
  }
}

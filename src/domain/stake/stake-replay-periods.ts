// Collects the periods of a replay. Opens, continues or ends them according to the account's state after each
// slot.
import type { Address } from '@solana/kit';
import { EPOCH_ABSENT, type Lockup, NO_LOCKUP, type StakeAccount } from './stake-account.ts';
import type { LockupTimes } from './stake-operation.ts';
import type { Deactivation, DelegationPeriod, TimedPoint } from './stake-periods.ts';

/**
 * A delegation. Vote account and activation epoch are null as long as they come from a source account whose
 * history was not read.
 */
export interface HeldStake {
  readonly voteAccount: Address | null;
  readonly activationEpoch: bigint | null;
  readonly deactivationEpoch: bigint;
}

/**
 * An account during its replay. Staker and lockup are null as long as they come from a source account whose
 * history was not read.
 */
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

/** Values that are only known after the replay. */
interface ReplayEnd {
  /** The current account; null if it does not exist. */
  readonly end: StakeAccount | null;
  readonly isWhole: boolean;
  /** Epochs of delegate instructions on the account itself. */
  readonly delegatedEpochs: readonly bigint[];
  /** Stake of ended periods. */
  readonly stakeLamports: bigint;
}

/**
 * Returns true if a deactivated account became active again because stake was moved in from an account with the
 * same activation epoch, even if it was deactivated in the same transaction. Returns false for undone
 * deactivations.
 */
const isRevived = (open: OpenPeriod, ours: HeldStake, at: TimedPoint | null): boolean =>
  open.deactivationEpoch !== EPOCH_ABSENT &&
  ours.deactivationEpoch !== open.deactivationEpoch &&
  open.deactivationEpoch !== at?.epoch;

/** Collects the periods of delegations to one vote account, oldest first. */
export class PeriodLog {
  readonly #voteAccount: Address;
  readonly #periods: OpenPeriod[] = [];
  #open: OpenPeriod | null = null;

  constructor(voteAccount: Address) {
    this.#voteAccount = voteAccount;
  }

  /** Returns true if an activation epoch comes from a source account whose history was not read. */
  get hasUnknownSource(): boolean {
    return this.#periods.some(({ activationEpoch }) => activationEpoch === null);
  }

  /** Opens, continues or ends a period according to the state at the end of a slot. */
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

  /** Records that the lockup of the open period was set in this slot. */
  lockupSet(slot: bigint): void {
    if (this.#open) this.#open.lockupSlot = slot;
  }

  /** Ends the open period at this point. */
  endAt(point: TimedPoint): void {
    if (this.#open) this.#open.until = point;
  }

  /**
   * Fills in the source's epochs, withdraw authority and balance from the account's current state. Removes
   * the open period if the account turns out to be delegated to another validator, because an unknown vote
   * account was assumed to be ours. Returns false if no period is open or the account is not delegated.
   */
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

  /** Returns all known periods. Must not be called while `hasUnknownSource`. */
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

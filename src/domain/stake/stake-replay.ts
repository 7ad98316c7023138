// Replays a stake account's operations into its delegation periods.
import type { Address } from '@solana/kit';
import { EPOCH_ABSENT, isSameLockup, type Lockup, type StakeAccount } from './stake-account.ts';
import { stakeActivation } from './stake-activation.ts';
import type { StakeHistory } from './stake-history.ts';
import type { StakeOperation } from './stake-operation.ts';
import type { DelegationPeriod, TimedPoint } from './stake-periods.ts';
import { type HeldStake, PeriodLog, type ReplayState } from './stake-replay-periods.ts';

/** Operations of one slot's successful transactions on the account, in order. */
export interface AccountStep extends TimedPoint {
  readonly operations: readonly StakeOperation[];
  /** Balance of the account after these operations. */
  readonly lamportsAfter: bigint;
}

export interface ReplayInput {
  readonly address: Address;
  readonly voteAccount: Address;
  /** The account before the first step; null if it did not exist. */
  readonly start: StakeAccount | null;
  /** The withdraw authority to assume until an operation names one. */
  readonly assumedWithdrawer: Address;
  /** Epoch of the last known delegate instruction before the first step. */
  readonly delegatedEpoch: bigint | null;
  /** True if the whole history was replayed, so a missing delegate instruction proves that there was none. */
  readonly isWhole: boolean;
  readonly steps: readonly AccountStep[];
  /**
   * State of the source before each split or moveStake into the account, if the source's history was read.
   */
  readonly sourceStates?: ReadonlyMap<StakeOperation, SourceState>;
  /**
   * Operations of `steps` that are assumed to have moved all stake away. A replay cannot derive them, because
   * amounts grow with rewards. Default: none.
   */
  readonly emptying?: ReadonlySet<StakeOperation>;
  /** The account after the last step; null if it does not exist. */
  readonly end: StakeAccount | null;
  readonly history: StakeHistory;
}

/**
 * State of an account from which stake was split off or moved. A part that was split off starts with this
 * state.
 */
export interface SourceState {
  /** False if the source was never initialized, in which case the part was not either. */
  readonly exists: boolean;
  /** Null if unknown, like the lockup. */
  readonly staker: Address | null;
  readonly withdrawer: Address;
  readonly lockup: Lockup | null;
  readonly delegation: {
    readonly voteAccount: Address;
    readonly activationEpoch: bigint;
    readonly deactivationEpoch: bigint;
  } | null;
}

/** One operation on the account, with the state before and after. */
export interface ReplayedOperation {
  readonly operation: StakeOperation;
  readonly step: AccountStep;
  readonly before: ReplayState;
  readonly after: ReplayState;
}

/**
 * The periods, oldest first, or the reason why they cannot be derived. `differs`: `end` does not match the
 * steps. `unknownSource`: the account was split off and closed again, and its epochs are those of a source
 * whose history was not read.
 */
export type Replay =
  | {
      readonly ok: true;
      readonly periods: readonly DelegationPeriod[];
      readonly delegatedEpoch: bigint | null;
      readonly operations: readonly ReplayedOperation[];
    }
  | { readonly ok: false; readonly reason: 'differs' | 'unknownSource' };

const SOL = 1_000_000_000n;

class Replayer {
  readonly #input: ReplayInput;
  readonly #stakeLamports: bigint;
  readonly #periods: PeriodLog;
  readonly #delegatedEpochs: bigint[];
  readonly #operations: ReplayedOperation[] = [];
  #state: ReplayState;
  /** The last point at which all stake may have been moved away. */
  #emptied: TimedPoint | null = null;

  constructor(input: ReplayInput) {
    this.#input = input;
    const { start, end } = input;
    // The amount of stake changes the results of warm-up and cooldown by a few lamports at most, which does not
    // affect whether any stake is effective.
    this.#stakeLamports = end?.delegation?.stakeLamports ?? start?.delegation?.stakeLamports ?? SOL;
    this.#periods = new PeriodLog(input.voteAccount);
    this.#delegatedEpochs = input.delegatedEpoch === null ? [] : [input.delegatedEpoch];
    this.#state = {
      exists: start !== null,
      staker: start?.stakeAuthority ?? null,
      withdrawer: start?.withdrawAuthority ?? input.assumedWithdrawer,
      lockup: start?.lockup ?? null,
      held: start?.delegation ?? null,
    };
    if (start !== null) this.#periods.settle(this.#state, null, start.lamports);
  }

  /** Returns the account's state after all steps; null if unknown. */
  heldAfter(): SourceState | null {
    this.#replay();
    const { held, ...rest } = this.#state;
    if (held === null) return { ...rest, delegation: null };
    const { voteAccount, activationEpoch, deactivationEpoch } = held;
    if (voteAccount === null || activationEpoch === null) return null;
    return { ...rest, delegation: { voteAccount, activationEpoch, deactivationEpoch } };
  }

  #replay(): void {
    for (const step of this.#input.steps) {
      for (const operation of step.operations) {
        const before = this.#state;
        this.#apply(operation, step);
        this.#operations.push({ operation, step, before, after: this.#state });
      }
      if (step.lamportsAfter === 0n) this.#state = { ...this.#state, exists: false, held: null };
      this.#periods.settle(this.#state, step, step.lamportsAfter);
    }
  }

  run(): Replay {
    this.#replay();
    const { end, isWhole } = this.#input;
    if (this.#state.exists !== (end !== null)) return { ok: false, reason: 'differs' };
    if (end !== null && !this.#meets(end)) return { ok: false, reason: 'differs' };
    if (this.#periods.hasUnknownSource) return { ok: false, reason: 'unknownSource' };
    const [delegatedEpochs, stakeLamports] = [this.#delegatedEpochs, this.#stakeLamports];
    return {
      ok: true,
      periods: this.#periods.finished({ end, isWhole, delegatedEpochs, stakeLamports }),
      delegatedEpoch: delegatedEpochs.at(-1) ?? null,
      operations: this.#operations,
    };
  }

  #apply(operation: StakeOperation, { slot, epoch, seconds }: TimedPoint): void {
    const { address } = this.#input;
    const state = this.#state;
    switch (operation.type) {
      case 'initialize':
        this.#state = {
          exists: true,
          staker: operation.staker,
          withdrawer: operation.withdrawer,
          lockup: operation.lockup,
          held: null,
        };
        return;
      case 'authorize':
        this.#state = { ...state, [operation.role]: operation.newAuthority };
        return;
      case 'delegate':
        this.#delegatedEpochs.push(epoch);
        this.#state = { ...state, exists: true, held: this.#delegated(operation.voteAccount, epoch) };
        return;
      case 'deactivate':
        if (state.held) this.#state = { ...state, held: { ...state.held, deactivationEpoch: epoch } };
        return;
      case 'split':
        // The program never splits into an existing account. If the account already exists, the slot of
        // `start` is being read twice, and the account's state already includes this operation.
        if (operation.into === address && !state.exists) this.#transferIn(operation);
        return;
      case 'merge':
        if (operation.from === address) this.#state = { ...state, exists: false, held: null };
        return;
      case 'moveStake':
        if (operation.account === address) {
          this.#emptied = { slot, epoch, seconds };
          if (this.#input.emptying?.has(operation)) this.#state = { ...state, held: null };
        } else if (state.held === null || this.#isReleased(state.held, epoch)) this.#transferIn(operation);
        return;
      case 'setLockup':
        this.#periods.lockupSet(slot);
        this.#state = {
          ...state,
          lockup: state.lockup && {
            unixTimestamp: operation.unixTimestamp ?? state.lockup.unixTimestamp,
            epoch: operation.epoch ?? state.lockup.epoch,
            custodian: operation.custodian ?? state.lockup.custodian,
          },
        };
        return;
      default:
        return;
    }
  }

  #transferIn(operation: StakeOperation): void {
    const source = this.#input.sourceStates?.get(operation);
    if (source) {
      // An account that receives moved stake keeps its own authorities.
      const { exists, staker, withdrawer, lockup } = this.#state.exists ? this.#state : source;
      this.#state = { exists, staker, withdrawer, lockup, held: source.delegation };
      return;
    }
    const held = { voteAccount: null, activationEpoch: null, deactivationEpoch: EPOCH_ABSENT };
    this.#state = { ...this.#state, exists: true, held };
  }

  #delegated(voteAccount: Address, epoch: bigint): HeldStake {
    const { held } = this.#state;
    const begun = { voteAccount, activationEpoch: epoch, deactivationEpoch: EPOCH_ABSENT };
    if (held === null || this.#isReleased(held, epoch)) return begun;
    // The stake is still effective and was deactivated in this epoch, so the deactivation is undone.
    if (held.deactivationEpoch === epoch) return { ...held, deactivationEpoch: EPOCH_ABSENT };
    // The program never delegates active stake. Either all of it was moved away before, or the slot of
    // `start` is being read twice and the account's state already includes this delegation.
    const isActive = held.activationEpoch !== null && held.deactivationEpoch === EPOCH_ABSENT;
    return isActive && this.#emptied === null ? held : begun;
  }

  /** Returns true if no stake is effective, so a delegate instruction starts a new delegation. */
  #isReleased({ activationEpoch, deactivationEpoch }: HeldStake, epoch: bigint): boolean {
    if (activationEpoch === null) return false;
    const input = { stakeLamports: this.#stakeLamports, activationEpoch, deactivationEpoch };
    return stakeActivation(input, epoch, this.#input.history).effectiveLamports === 0n;
  }

  /**
   * Compares the state with the current account and fills in the values that come from an unread source.
   * Returns false if they differ.
   */
  #meets(end: StakeAccount): boolean {
    const { delegation } = end;
    const { staker, withdrawer, lockup } = this.#state;
    if (withdrawer !== end.withdrawAuthority && !this.#isAssumed(end)) return false;
    if (staker !== null && staker !== end.stakeAuthority) return false;
    if (lockup !== null && !isSameLockup(lockup, end.lockup)) return false;
    if (delegation === null) {
      if (this.#state.held === null) return true;
      if (this.#emptied === null) return false;
      this.#periods.endAt(this.#emptied);
      return true;
    }
    const { held } = this.#state;
    if (held === null) return false;
    if (held.activationEpoch !== null)
      return (
        held.activationEpoch === delegation.activationEpoch &&
        held.deactivationEpoch === delegation.deactivationEpoch &&
        held.voteAccount === delegation.voteAccount
      );
    return this.#periods.fillIn(end);
  }

  /**
   * Returns true if the withdraw authority may differ from that of `end`. A part that was split off is
   * assumed to have its source's withdraw authority until an operation on the account names it.
   */
  #isAssumed(end: StakeAccount): boolean {
    const assumed = this.#state.withdrawer === this.#input.assumedWithdrawer;
    return assumed && this.#state.held?.activationEpoch === null && end.delegation !== null;
  }
}

/** Replays part of an account's history. Pure. */
export const replayPeriods = (input: ReplayInput): Replay => new Replayer(input).run();

/**
 * Returns an account's state after its whole history up to some slot, for accounts that were split off from
 * it. Null if unknown.
 */
export const stateAfterHistory = (
  input: Omit<ReplayInput, 'start' | 'end' | 'delegatedEpoch' | 'isWhole'>,
): SourceState | null =>
  new Replayer({ ...input, start: null, end: null, delegatedEpoch: null, isWhole: true }).heldAfter();

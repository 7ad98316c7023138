// Records stake accounts that join, change or leave the validator, and its stake in each epoch. Runs in one
// elected process.
import { setImmediate } from 'node:timers/promises';
import type { Address } from '@solana/kit';
import type { IndexEntry, StakeChange, StakeIndex } from '../../chain/index/stake-index.ts';
import type { ClusterState } from '../../chain/ports.ts';
import { EPOCH_ABSENT, type StakeAccount } from '../../domain/stake/stake-account.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import type {
  DelegatorAccount,
  DelegatorChange,
  DelegatorEpoch,
  Delegators,
} from '../../store/delegators.ts';
import type { DelegatorChangeKind } from '../../store/schema.ts';
import { type DelegatedStake, delegatorChanges } from './delegator-changes.ts';
import { type StakeTotals, stakeTotals } from './stake-totals.ts';

interface DelegatorRecorderOptions {
  readonly index: StakeIndex;
  readonly cluster: Pick<ClusterState, 'epochPosition' | 'lastEpochPosition' | 'stakeHistory'>;
  readonly delegators: Delegators;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after changes were stored; the first fill of an empty list stores none. Wakes the operator alerts. */
  readonly onRecorded?: () => void;
}

/** Number of accounts compared and written per event-loop turn. */
const ACCOUNTS_AT_ONCE = 100;
/** Number of the newest changes searched for accounts that are missing after an interruption. */
const CHANGES_READ = 500;
const ADDRESSES_AT_ONCE = 2_000;
/** Maximum time between two sums over all accounts if nothing changed, in ms. */
const SUMS_EVERY_MS = 60_000;
/** Pause between two polls, in ms. A poll without pending accounts or a due sum reads nothing. */
export const DELEGATORS_POLL_MS = 1_000;
/**
 * Pause after a sum, as a multiple of the sum's duration, so that summing takes at most about a tenth of the
 * time. The second constant limits the pause, in ms.
 */
const SUM_SHARE = 10;
const OLDEST_SUM_MS = 10_000;

const epochOrNull = (epoch: bigint): bigint | null => (epoch === EPOCH_ABSENT ? null : epoch);

const delegatedStakeOf = (account: StakeAccount): DelegatedStake | null =>
  account.delegation === null
    ? null
    : {
        wallet: account.withdrawAuthority,
        staker: account.stakeAuthority,
        stakeLamports: account.delegation.stakeLamports,
        credits: account.delegation.creditsObserved,
        activationEpoch: epochOrNull(account.delegation.activationEpoch),
        deactivationEpoch: epochOrNull(account.delegation.deactivationEpoch),
      };

const delegatedStakeOfEntry = (entry: Readonly<IndexEntry>): DelegatedStake => ({
  wallet: entry.withdrawer.address,
  staker: entry.staker.address,
  stakeLamports: entry.stakeLamports,
  credits: entry.creditsObserved,
  activationEpoch: epochOrNull(entry.activationEpoch),
  deactivationEpoch: epochOrNull(entry.deactivationEpoch),
});

export class DelegatorRecorder {
  readonly #options: DelegatorRecorderOptions;
  /**
   * Accounts to compare, each with its stake just before the first change; null means that the recorded stake
   * is used. The recorded stake may lack rewards.
   */
  #pending = new Map<Address, DelegatedStake | null>();
  #summedAtMs = -Infinity;
  #summed: (DelegatorEpoch & Pick<StakeTotals, 'leaving'>) | null = null;
  #sumAgainAtMs = -Infinity;
  #isCompared = false;
  #changedSinceSum = true;
  /** True if the index was not up to date at some time since the last sum. */
  #wasInterrupted = false;

  constructor(options: DelegatorRecorderOptions) {
    this.#options = options;
  }

  /** Listens to the index until `signal` is aborted. */
  listen(signal: AbortSignal): void {
    const stopListening = this.#options.index.onChange((change) => this.#addPending(change));
    signal.addEventListener('abort', stopListening, { once: true });
  }

  /**
   * Compares all accounts once, then only those that changed. Does nothing before the first scan of the index.
   */
  async poll(signal: AbortSignal): Promise<void> {
    const { index, cluster } = this.#options;
    if (index.totals() === null) return;
    // While a new epoch is being scanned, the index is not ready either, but nothing is missed.
    if (!index.health().ready && cluster.lastEpochPosition()?.epoch === index.scannedEpoch())
      this.#wasInterrupted = true;
    if (!this.#isCompared) await this.#compareAll(signal);
    this.#isCompared = true;
    await this.#recordPending(signal);
  }

  /** Records changes since the last poll. */
  async #recordPending(signal: AbortSignal): Promise<void> {
    const { cluster } = this.#options;
    if (this.#pending.size === 0 && !this.#isSumDue()) return;
    const position = await cluster.epochPosition(signal);
    if (this.#pending.size > 0) await this.#recordAccounts(position.epoch, true, signal);
    if (!position.epochRewardsActive && this.#isSumDue()) await this.#recordEpoch(position.epoch, signal);
  }

  #isSumDue(): boolean {
    const { index, cluster, clock } = this.#options;
    // In a new epoch, nothing can be summed until the index has been scanned, however long that takes.
    if (cluster.lastEpochPosition()?.epoch !== index.scannedEpoch()) return false;
    if (this.#summed === null || this.#summed.epoch !== index.scannedEpoch()) return true;
    const nowMs = clock.steadyNow();
    if (nowMs < this.#sumAgainAtMs) return false;
    return this.#changedSinceSum || nowMs - this.#summedAtMs >= SUMS_EVERY_MS;
  }

  #addPending({ address, before, after }: StakeChange): void {
    this.#changedSinceSum = true;
    const [was, is] = [before && delegatedStakeOf(before), after && delegatedStakeOf(after)];
    // Rewards change every account at a boundary. Dropping changes that rewards explain avoids reading the
    // store for each account.
    if (was !== null && is !== null && delegatorChanges(was, is).length === 0) return;
    if (!this.#pending.has(address)) this.#pending.set(address, was);
  }

  /** Compares every known account once, because this process did not receive the changes before its term. */
  async #compareAll(signal: AbortSignal): Promise<void> {
    const { index, delegators, cluster, clock, logger } = this.#options;
    const startedMs = clock.steadyNow();
    const isFilled = await delegators.isFilled();
    const { epoch } = await cluster.epochPosition(signal);
    const known = new Set<Address>();
    let after: Address | null = null;
    for (;;) {
      const page: readonly Address[] = await delegators.delegated(after, ADDRESSES_AT_ONCE);
      for (const address of page) known.add(address);
      after = page.at(-1) ?? null;
      if (page.length < ADDRESSES_AT_ONCE) break;
      await setImmediate();
      signal.throwIfAborted();
    }
    for (const entry of index.entries()) if (entry.live) known.add(entry.address);
    for (const address of known) if (!this.#pending.has(address)) this.#pending.set(address, null);
    await this.#recordAccounts(epoch, isFilled, signal);
    if (!isFilled) await delegators.setFilled();
    logger.info(
      { accounts: known.size, ms: clock.steadyNow() - startedMs },
      'the delegator list is up to date',
    );
  }

  /**
   * Records the pending accounts. `reportsChanges` is false for the first fill, because its accounts have not
   * changed.
   */
  async #recordAccounts(epoch: bigint, reportsChanges: boolean, signal: AbortSignal): Promise<void> {
    const pending = this.#pending;
    this.#pending = new Map();
    try {
      let batch: [Address, DelegatedStake | null][] = [];
      for (const one of pending) {
        batch.push(one);
        if (batch.length < ACCOUNTS_AT_ONCE) continue;
        await this.#recordBatch(batch, epoch, reportsChanges);
        for (const [address] of batch) pending.delete(address);
        batch = [];
        await setImmediate();
        signal.throwIfAborted();
      }
      await this.#recordBatch(batch, epoch, reportsChanges);
    } catch (error) {
      for (const [address, was] of this.#pending) if (!pending.has(address)) pending.set(address, was);
      this.#pending = pending;
      throw error;
    }
  }

  async #recordBatch(
    batch: readonly (readonly [Address, DelegatedStake | null])[],
    epoch: bigint,
    reportsChanges: boolean,
  ): Promise<void> {
    const { index, delegators, clock, onRecorded } = this.#options;
    const recorded = await delegators.find(batch.map(([address]) => address));
    const atMs = clock.now();
    const accounts: DelegatorAccount[] = [];
    const changes: DelegatorChange[] = [];
    for (const [address, was] of batch) {
      const entry = index.entry(address);
      const row = recorded.get(address);
      // Keeps a state that an earlier leader recorded at a later slot until the index reaches that slot.
      if (entry !== undefined && row !== undefined && entry.slot < row.slot) continue;
      const before = row === undefined || row.leftAtMs !== null ? null : row;
      const after = entry?.live === true ? delegatedStakeOfEntry(entry) : null;
      // `was` is newer than the recorded stake, which may lack rewards.
      const latest =
        before && was ? { ...before, stakeLamports: was.stakeLamports, credits: was.credits } : before;
      const found = delegatorChanges(latest, after);
      if (found.length === 0) continue;
      const current = after ?? latest!;
      const slot = entry === undefined ? row!.slot : BigInt(entry.slot);
      accounts.push({
        address,
        ...current,
        slot,
        firstSeenEpoch: row?.firstSeenEpoch ?? epoch,
        firstSeenAtMs: row?.firstSeenAtMs ?? atMs,
        leftAtMs: after === null ? atMs : null,
      });
      if (reportsChanges)
        for (const { kind, lamports } of found)
          changes.push({
            ...{ address, slot, kind, wallet: current.wallet, atMs, lamports },
            epoch: epochOfChange(kind, current, epoch),
          });
    }
    if (accounts.length === 0) return;
    await delegators.record(accounts, changes);
    if (changes.length > 0) onRecorded?.();
  }

  async #recordEpoch(epoch: bigint, signal: AbortSignal): Promise<void> {
    const { index, delegators, cluster, clock } = this.#options;
    // Until the index has been scanned in this epoch, it lacks the rewards of the previous one.
    if (index.scannedEpoch() !== epoch) return;
    const startedMs = clock.steadyNow();
    this.#changedSinceSum = false;
    try {
      const history = await cluster.stakeHistory(epoch, signal);
      const sums = await stakeTotals(index, epoch, history);
      const totals: DelegatorEpoch = {
        epoch,
        accounts: sums.accounts,
        delegators: sums.delegators,
        activeLamports: sums.activeLamports,
        activatingLamports: sums.activatingLamports,
        deactivatingLamports: sums.deactivatingLamports,
      };
      const before = this.#summed;
      if (before?.epoch !== epoch) await this.#completeEpoch(epoch - 1n, sums);
      if (before === null || !isSame(before, totals)) await delegators.recordEpoch(totals);
      this.#summed = { ...totals, leaving: sums.leaving };
      this.#wasInterrupted = false;
    } catch (error) {
      this.#changedSinceSum = true;
      throw error;
    }
    this.#summedAtMs = clock.steadyNow();
    this.#sumAgainAtMs =
      this.#summedAtMs + Math.min(SUM_SHARE * (this.#summedAtMs - startedMs), OLDEST_SUM_MS);
  }

  /**
   * Replaces the flows of an ended epoch by those that the scan after its end shows. They are unknown if the end
   * was not watched and accounts are missing since, which may have left with stake or were merged.
   */
  async #completeEpoch(epoch: bigint, { cameInLamports, wentOut }: StakeTotals): Promise<void> {
    const { index, delegators } = this.#options;
    // Once the next epoch has a record, this one is complete.
    const [recorded] = await delegators.epochs(1);
    if (recorded?.epoch !== epoch) return;
    const isWatched = this.#summed?.epoch === epoch && !this.#wasInterrupted;
    if (!isWatched && (await this.#hasMissingAccounts(epoch + 1n))) {
      await delegators.recordEpoch({ ...recorded, activatingLamports: null, deactivatingLamports: null });
      return;
    }
    const leaving = isWatched ? this.#summed!.leaving : new Map<Address, bigint>();
    const deactivatingLamports = leftAtEnd(leaving, wentOut, (address) => {
      const entry = index.entry(address);
      // A later activation means that the account left and was delegated again.
      return (
        entry?.live === true && entry.deactivationEpoch === EPOCH_ABSENT && entry.activationEpoch < epoch
      );
    });
    await delegators.recordEpoch({ ...recorded, activatingLamports: cameInLamports, deactivatingLamports });
  }

  /** Returns true if accounts were found closed, moved or delegated again in this epoch. */
  async #hasMissingAccounts(epoch: bigint): Promise<boolean> {
    const changes = await this.#options.delegators.changes({}, CHANGES_READ);
    return changes.some((one) => one.epoch === epoch && (one.kind === 'left' || one.kind === 'delegated'));
  }
}

/**
 * Returns the epoch in which a change was made, as the chain recorded it; otherwise `found`, the epoch in which it
 * was found. A joined account with an older activation may have been split off another account.
 */
const epochOfChange = (
  kind: DelegatorChangeKind,
  { activationEpoch, deactivationEpoch }: DelegatedStake,
  found: bigint,
): bigint => {
  if (kind === 'leaving') return deactivationEpoch ?? found;
  const isActivation = kind === 'delegated' || (kind === 'joined' && activationEpoch === found - 1n);
  return isActivation ? (activationEpoch ?? found) : found;
};

/**
 * Returns the stake that left at the end of an epoch: `wentOut`, which includes the rewards of that epoch, and the
 * accounts of `leaving`, which were deactivating in the last sum, that no longer exist and were not undone.
 */
export const leftAtEnd = (
  leaving: ReadonlyMap<Address, bigint>,
  wentOut: ReadonlyMap<Address, bigint>,
  isUndone: (address: Address) => boolean,
): bigint => {
  let lamports = 0n;
  for (const left of wentOut.values()) lamports += left;
  for (const [address, left] of leaving) if (!wentOut.has(address) && !isUndone(address)) lamports += left;
  return lamports;
};

const isSame = (a: DelegatorEpoch, b: DelegatorEpoch): boolean =>
  a.epoch === b.epoch &&
  a.accounts === b.accounts &&
  a.delegators === b.delegators &&
  a.activeLamports === b.activeLamports &&
  a.activatingLamports === b.activatingLamports &&
  a.deactivatingLamports === b.deactivatingLamports;

// Applies every update to the index table: checks the update's slot, rejects future slots, and emits changes.
import type { Address } from '@solana/kit';
import { decodeStakeAccount, type StakeAccount } from '../../domain/stake/stake-account.ts';
import { ageMs, type Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import type { ChainAccount, ClusterState, EpochPosition } from '../ports.ts';
import { delegatedTo } from './index-scan.ts';
import { type DelegatedAccount, type IndexEntry, IndexTable } from './index-table.ts';

export interface StakeChange {
  readonly kind: 'added' | 'changed' | 'left';
  readonly address: Address;
  /** Slot at which `after` was read. The change itself may be older. */
  readonly slot: bigint;
  /** The account as the index had it; null if the account is new. */
  readonly before: StakeAccount | null;
  /**
   * The current account. For `left`: its state after leaving; null if closed or no longer a stake account.
   */
  readonly after: StakeAccount | null;
}

interface IndexUpdatesOptions {
  readonly voteAccount: Address;
  readonly cluster: Pick<ClusterState, 'epochPosition' | 'recentEpochPosition'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Interval of epoch polls, in ms. Nodes report slots before they are confirmed, so the epoch is polled more
 * than once.
 */
const POLL_AGAIN_MS = 500;
/** Number of slots by which a node may be ahead of the extrapolated last position. */
const SLOTS_AHEAD = 512;

export class IndexUpdates {
  readonly table: IndexTable;
  /** Newest slot of all responses and notifications. */
  newestSlot = 0;
  /** Changes are only emitted while this is true, so that the first scan emits none. */
  emitting = false;
  readonly #voteAccount: Address;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #bornMs: number;
  readonly #listeners = new Set<(change: StakeChange) => void>();
  readonly #epochListeners = new Set<() => void>();
  readonly #cluster: IndexUpdatesOptions['cluster'];
  #position: EpochPosition | undefined;
  #epochOver = false;
  #epochOverAtMs = 0;

  constructor({ voteAccount, cluster, clock, logger }: IndexUpdatesOptions) {
    this.#cluster = cluster;
    this.table = new IndexTable(voteAccount);
    this.#voteAccount = voteAccount;
    this.#clock = clock;
    this.#logger = logger;
    // Row ages are counted in whole seconds from this time.
    this.#bornMs = clock.now() - 1_000;
  }

  onChange(listener: (change: StakeChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onEpoch(listener: () => void): () => void {
    this.#epochListeners.add(listener);
    return () => this.#epochListeners.delete(listener);
  }

  /** Announces a new epoch in which every account has been read. */
  announceEpoch(): void {
    for (const listener of this.#epochListeners) this.#call(listener);
  }

  get position(): EpochPosition | undefined {
    return this.#position;
  }

  /**
   * Returns a position at most `mostMs` old, from any reader. Reads a new one if `heardSlot` found that its
   * epoch is over.
   */
  async positionNow(mostMs: number, signal: AbortSignal): Promise<EpochPosition> {
    return this.#epochOver
      ? this.freshPosition(signal)
      : this.notePosition(await this.#cluster.recentEpochPosition(signal, mostMs));
  }

  async freshPosition(signal: AbortSignal): Promise<EpochPosition> {
    return this.notePosition(await this.#cluster.epochPosition(signal));
  }

  notePosition(position: EpochPosition): EpochPosition {
    this.#epochOver = false;
    this.#position = position;
    return position;
  }

  /**
   * Records a reported slot. Returns true, at most twice a second, if it is in a later epoch than the last
   * position.
   */
  heardSlot(slot: bigint): boolean {
    const position = this.#position;
    if (position === undefined || slot < position.absoluteSlot - position.slotIndex + position.slotsInEpoch)
      return false;
    const nowMs = this.#clock.now();
    if (ageMs(this.#epochOverAtMs, nowMs) < POLL_AGAIN_MS) return false;
    this.#epochOverAtMs = nowMs;
    this.#epochOver = true;
    return true;
  }

  /**
   * Returns false for slots that the cluster cannot have reached, based on the last position and the shortest
   * measured slot duration.
   */
  plausible(slot: number): boolean {
    const position = this.#position;
    if (position === undefined) return false;
    const passedMs = Math.max(0, this.#clock.now() - position.readAtMs);
    return slot <= Number(position.absoluteSlot) + SLOTS_AHEAD + (2 * passedMs) / position.fastestSlotMs;
  }

  /** Current time in the unit of row ages. */
  get nowSeconds(): number {
    return Math.floor((this.#clock.now() - this.#bornMs) / 1_000);
  }

  /**
   * Returns the age of an entry in ms, at most a second too high. Infinite if the clock has been set back.
   */
  ageMsOf(entry: IndexEntry): number {
    return ageMs(this.#bornMs + entry.readAtSeconds * 1_000, this.#clock.now());
  }

  /** Stores an account from a scan, unless the table has a state of that slot or later. */
  scanned(account: DelegatedAccount, slot: number, readAtSeconds: number): IndexEntry {
    const known = this.table.get(account.address);
    if (known === undefined || known.slot < slot) this.#put(account, slot, readAtSeconds);
    return this.table.get(account.address)!;
  }

  /** Stores the state of an account that was read by address at `slot`. */
  read(address: Address, account: ChainAccount | null, slot: number, readAtSeconds: number): void {
    this.newestSlot = Math.max(this.newestSlot, slot);
    const ours = account === null ? null : delegatedTo(this.#voteAccount, account);
    if (ours !== null) {
      this.#put(ours, slot, readAtSeconds);
      return;
    }
    const other = account === null ? null : decodeStakeAccount(account);
    // No scan finds an account without a delegation, but its withdraw authority can still withdraw from it.
    if (other?.delegation === null) this.table.remember(address, other.withdrawAuthority);
    const before = this.#before(address);
    if (this.table.leave(address, slot, readAtSeconds) !== 'left' || before === null) return;
    this.#emit('left', slot, before, other);
  }

  /**
   * Stores a notification if it is newer than all known data. Returns false if the account must be read
   * instead: the slot is impossible, or is not newer although the content differs.
   */
  notified(account: ChainAccount, slot: number): boolean {
    const ours = delegatedTo(this.#voteAccount, account);
    if (ours === null) return true;
    if (!this.plausible(slot)) return false;
    const known = this.table.get(account.address);
    if (known !== undefined && slot <= known.slot) return known.live && this.table.holds(known, ours);
    this.newestSlot = Math.max(this.newestSlot, slot);
    this.#put(ours, slot, this.nowSeconds);
    return true;
  }

  #before(address: Address): StakeAccount | null {
    if (!this.emitting || this.#listeners.size === 0) return null;
    const entry = this.table.get(address);
    return entry?.live ? this.table.accountOf(entry) : null;
  }

  #put(account: DelegatedAccount, slot: number, readAtSeconds: number): void {
    const before = this.#before(account.address);
    const change = this.table.put(account, slot, readAtSeconds);
    if (this.emitting && (change === 'added' || change === 'changed'))
      this.#emit(change, slot, before, account);
  }

  #emit(
    kind: StakeChange['kind'],
    slot: number,
    before: StakeAccount | null,
    after: StakeAccount | null,
  ): void {
    const { address } = (after ?? before)!;
    for (const listener of this.#listeners)
      this.#call(() => listener({ kind, address, slot: BigInt(slot), before, after }));
  }

  #call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#logger.error({ err: error }, 'stake index: a listener failed');
    }
  }
}

// Applies every update to the index table: checks its slot, rejects slots from the future, and emits changes.
import type { Address } from '@solana/kit';
import { decodeStakeAccount, type StakeAccount } from '../../domain/stake/stake-account.ts';
import { ageMs, type Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { ChainAccount, ClusterState, EpochPosition } from '../ports.ts';
import { delegatedTo } from './index-scan.ts';
import { type DelegatedAccount, type IndexEntry, IndexTable } from './index-table.ts';

/** What became of one account. */
export interface StakeChange {
  readonly kind: 'added' | 'changed' | 'left';
  readonly address: Address;
  /** The slot at which `after` was read; the change itself may be older. */
  readonly slot: bigint;
  /** The account as the index had it; null when it is new here. */
  readonly before: StakeAccount | null;
  /** The account now; after `left` what it became elsewhere, null when it is closed or no stake account. */
  readonly after: StakeAccount | null;
}

/** What the entrance needs. */
interface IndexUpdatesOptions {
  readonly voteAccount: Address;
  readonly cluster: Pick<ClusterState, 'epochPosition' | 'recentEpochPosition'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Nodes tell slots before they are confirmed, so a new epoch is looked for more than once; this far apart, ms. */
const POLL_AGAIN_MS = 500;
/** Slots that a node may be ahead of the position read last, beside those that passed since. */
const SLOTS_AHEAD = 512;

/** The table with its entrance. */
export class IndexUpdates {
  readonly table: IndexTable;
  /** The newest slot of any answer or news taken in. */
  newestSlot = 0;
  /** Changes are emitted only while true: the first filling is no change. */
  emitting = false;
  readonly #voteAccount: Address;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #bornMs: number;
  readonly #listeners = new Set<(change: StakeChange) => void>();
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
    // Row ages count in whole seconds from here.
    this.#bornMs = clock.now() - 1_000;
  }

  onChange(listener: (change: StakeChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The position read last. */
  get position(): EpochPosition | undefined {
    return this.#position;
  }

  /** The position now: a recent one, unless `heardSlot` found that its epoch is over. */
  async positionNow(signal: AbortSignal): Promise<EpochPosition> {
    return this.#epochOver
      ? this.freshPosition(signal)
      : this.notePosition(await this.#cluster.recentEpochPosition(signal));
  }

  async freshPosition(signal: AbortSignal): Promise<EpochPosition> {
    return this.notePosition(await this.#cluster.epochPosition(signal));
  }

  /** Takes note of a position that was read. */
  notePosition(position: EpochPosition): EpochPosition {
    this.#epochOver = false;
    this.#position = position;
    return position;
  }

  /** Takes note of a slot heard of. True when it is of a later epoch than the position read last, at most twice a second. */
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

  /** False for a slot that the cluster cannot have reached, by the position read last and the fastest slots measured. */
  plausible(slot: number): boolean {
    const position = this.#position;
    if (position === undefined) return false;
    const passedMs = Math.max(0, this.#clock.now() - position.readAtMs);
    return slot <= Number(position.absoluteSlot) + SLOTS_AHEAD + (2 * passedMs) / position.fastestSlotMs;
  }

  /** Now, in the unit of rows' ages. */
  get nowSeconds(): number {
    return Math.floor((this.#clock.now() - this.#bornMs) / 1_000);
  }

  /** How long ago an entry was last known to hold, ms, at most a second too much; for ever where the clock was set back since. */
  ageMsOf(entry: IndexEntry): number {
    return ageMs(this.#bornMs + entry.readAtSeconds * 1_000, this.#clock.now());
  }

  /** Takes in an account that a scan listed, unless the table knows it at that slot or later. */
  scanned(account: DelegatedAccount, slot: number, readAtSeconds: number): IndexEntry {
    const known = this.table.get(account.address);
    if (known === undefined || known.slot < slot) this.#put(account, slot, readAtSeconds);
    return this.table.get(account.address)!;
  }

  /** Takes in what an account, read by its address, was at `slot`. */
  read(address: Address, account: ChainAccount | null, slot: number, readAtSeconds: number): void {
    this.newestSlot = Math.max(this.newestSlot, slot);
    const ours = account === null ? null : delegatedTo(this.#voteAccount, account);
    if (ours !== null) {
      this.#put(ours, slot, readAtSeconds);
      return;
    }
    const other = account === null ? null : decodeStakeAccount(account);
    // No scan finds an account without a delegation: its withdraw authority can take what it holds.
    if (other?.delegation === null) this.table.remember(address, other.withdrawAuthority);
    const before = this.#before(address);
    if (this.table.leave(address, slot, readAtSeconds) !== 'left' || before === null) return;
    this.#emit('left', slot, before, other);
  }

  /**
   * Takes in a notification when it is newer than all that is known. Returns false when the account must be read instead: the slot cannot be, or
   * is not newer and yet says something else.
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
    for (const listener of this.#listeners) {
      try {
        listener({ kind, address, slot: BigInt(slot), before, after });
      } catch (error) {
        this.#logger.error({ err: error }, 'stake index: a listener failed');
      }
    }
  }
}

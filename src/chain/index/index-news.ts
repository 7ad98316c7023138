// Every piece of news enters the table here: judged by slot, told to listeners, and never believed when it comes from the future.
import type { Address } from '@solana/kit';
import {
  decodeStakeAccount,
  STAKE_ACCOUNT_BYTES,
  type StakeAccount,
} from '../../domain/stake/stake-account.ts';
import { STAKE_PROGRAM } from '../../domain/transaction/instruction-programs.ts';
import { ageMs } from '../../kernel/age.ts';
import { writeBase58Key } from '../../kernel/base58.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { ChainAccount, ClusterState, EpochPosition } from '../ports.ts';
import { delegationTest } from './index-scan.ts';
import type { ScanRow } from './index-scan-row.ts';
import { IndexTable, type TableNews } from './index-table.ts';

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
export interface IndexNewsOptions {
  readonly voteAccount: Address;
  readonly cluster: Pick<ClusterState, 'epochPosition' | 'recentEpochPosition'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Nodes tell slots before they are confirmed, so a new epoch is looked for more than once; this far apart, ms. */
const LOOK_AGAIN_MS = 500;
/** Slots that a node may be ahead of the position read last, beside those that passed since. */
const SLOTS_AHEAD = 512;

/** Base58 to its 32 bytes. Throws `RangeError` for what is no address. */
export const keyOf = (address: Address): Uint8Array => {
  const key = new Uint8Array(32);
  writeBase58Key(address, key);
  return key;
};

/** The table with its entrance. */
export class IndexNews {
  readonly table: IndexTable;
  /** The newest slot of any answer or news taken in. */
  newestSlot = 0;
  /** Told of changes only while true: the first filling is no news. */
  telling = false;
  readonly #isOurs: (data: Uint8Array) => boolean;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #bornMs: number;
  readonly #listeners = new Set<(change: StakeChange) => void>();
  readonly #cluster: IndexNewsOptions['cluster'];
  #position: EpochPosition | undefined;
  #epochOver = false;
  #epochOverAtMs = 0;

  constructor({ voteAccount, cluster, clock, logger }: IndexNewsOptions) {
    this.#cluster = cluster;
    this.table = new IndexTable(voteAccount);
    this.#isOurs = delegationTest(voteAccount);
    this.#clock = clock;
    this.#logger = logger;
    // Row ages count in whole seconds from here.
    this.#bornMs = clock.now() - 1_000;
  }

  onChange(listener: (change: StakeChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The epoch read last. */
  get epoch(): bigint | undefined {
    return this.#position?.epoch;
  }

  /** The position now: a recent one, unless `heardSlot` found that its epoch is over. */
  async positionNow(signal: AbortSignal): Promise<EpochPosition> {
    return this.#epochOver
      ? this.freshPosition(signal)
      : this.#keep(await this.#cluster.recentEpochPosition(signal));
  }

  async freshPosition(signal: AbortSignal): Promise<EpochPosition> {
    return this.#keep(await this.#cluster.epochPosition(signal));
  }

  #keep(position: EpochPosition): EpochPosition {
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
    if (ageMs(this.#epochOverAtMs, nowMs) < LOOK_AGAIN_MS) return false;
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

  /** How long ago a row was last known to hold, ms, at most a second too much; for ever where the clock was set back since. */
  ageMsOf(row: number): number {
    return ageMs(this.#bornMs + this.table.readAtSecondsOf(row) * 1_000, this.#clock.now());
  }

  /** Takes in a row of a scan, unless the table knows the account at that slot or later. */
  scanned(row: ScanRow, slot: number, readAtSeconds: number): number {
    const known = this.table.find(row.address);
    if (known < 0 || this.table.slotOf(known) < slot) this.#put({ ...row, slot, readAtSeconds }, known);
    return known >= 0 ? known : this.table.find(row.address);
  }

  /** Takes in what an account, read by its address, was at `slot`. */
  read(address: Address, account: ChainAccount | null, slot: number, readAtSeconds: number): void {
    this.newestSlot = Math.max(this.newestSlot, slot);
    const key = keyOf(address);
    const known = this.table.find(key);
    if (account !== null && this.#accepts(account)) {
      this.#put({ address: key, slot, readAtSeconds, lamports: account.lamports, data: account.data }, known);
      return;
    }
    const before = this.#before(known);
    if (this.table.leave(key, slot, readAtSeconds) !== 'left' || before === null) return;
    this.#tell('left', slot, before, account === null ? null : decodeStakeAccount(account));
  }

  /**
   * Takes in a notification when it is newer than all that is known. Returns false when the account must be read instead: the slot cannot be, or
   * is not newer and yet tells something else.
   */
  notified(account: ChainAccount, slot: number): boolean {
    if (!this.#accepts(account)) return true;
    const key = keyOf(account.address);
    const known = this.table.find(key);
    if (!this.plausible(slot)) return false;
    if (known >= 0 && slot <= this.table.slotOf(known))
      return this.table.isLive(known) && this.table.holds(known, account.lamports, account.data);
    this.newestSlot = Math.max(this.newestSlot, slot);
    const readAtSeconds = this.nowSeconds;
    this.#put({ address: key, slot, readAtSeconds, lamports: account.lamports, data: account.data }, known);
    return true;
  }

  #accepts({ owner, data }: ChainAccount): boolean {
    return owner === STAKE_PROGRAM && data.length === STAKE_ACCOUNT_BYTES && this.#isOurs(data);
  }

  #before(row: number): StakeAccount | null {
    if (!this.telling || this.#listeners.size === 0 || row < 0 || !this.table.isLive(row)) return null;
    return this.table.accountOf(row);
  }

  #put(news: TableNews, known: number): void {
    const before = this.#before(known);
    const change = this.table.put(news);
    if (!this.telling || this.#listeners.size === 0 || (change !== 'added' && change !== 'changed')) return;
    this.#tell(change, news.slot, before, this.table.accountOf(this.table.find(news.address)));
  }

  #tell(
    kind: StakeChange['kind'],
    slot: number,
    before: StakeAccount | null,
    after: StakeAccount | null,
  ): void {
    const address = (after ?? before)!.address;
    for (const listener of this.#listeners) {
      try {
        listener({ kind, address, slot: BigInt(slot), before, after });
      } catch (error) {
        this.#logger.error({ err: error }, 'stake index: a listener failed');
      }
    }
  }
}

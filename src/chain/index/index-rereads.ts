// Re-reads accounts in batches of a hundred, and retries until a node has responded.
import type { Address } from '@solana/kit';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import type { ChainAccount, SolanaReads } from '../ports.ts';
import type { IndexUpdates } from './index-updates.ts';

const ACCOUNTS_PER_CALL = 100;
/** Maximum number of concurrent batches, so that many due accounts do not block other calls. */
const CALLS_AT_ONCE = 4;
/** Delay in ms for combining updates into one read. */
const GATHER_MS = 5;

interface RereadsOptions {
  readonly updates: IndexUpdates;
  readonly reads: Pick<SolanaReads, 'accounts'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Reads accounts by address and stores them in the table. */
export class IndexRereads {
  readonly #options: RereadsOptions;
  /** Minimum slot of the response, by address. An account stays here until it has been read. */
  readonly #due = new Map<Address, bigint>();
  readonly #touches = new Map<Promise<boolean>, ReadonlySet<Address>>();
  #gathering: Promise<void> | undefined;
  /** Newest slot in which a transaction of this service is known to have landed. */
  touchedSlot = 0n;

  constructor(options: RereadsOptions) {
    this.#options = options;
  }

  /**
   * Reads accounts at `minSlot` or later. Throws `AppError('UPSTREAM_UNAVAILABLE')` if no node responds, or
   * the reason of `signal`.
   */
  async read(addresses: readonly Address[], minSlot: bigint, signal: AbortSignal): Promise<void> {
    const batches: Address[][] = [];
    for (let i = 0; i < addresses.length; i += ACCOUNTS_PER_CALL)
      batches.push(addresses.slice(i, i + ACCOUNTS_PER_CALL));
    const work = async () => {
      for (let batch = batches.pop(); batch !== undefined; batch = batches.pop())
        await this.#readBatch(batch, minSlot, signal);
    };
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
  }

  async #readBatch(batch: readonly Address[], minSlot: bigint, signal: AbortSignal): Promise<void> {
    const { updates, reads } = this.#options;
    const readAtSeconds = updates.nowSeconds;
    const atLeast = minSlot > 0n ? { minContextSlot: minSlot } : {};
    const { slot, accounts } = await reads.accounts(batch, { signal, ...atLeast });
    if (!(await this.#exists(slot, signal)))
      throw new Error('a response from a slot that does not exist yet');
    this.take(batch, accounts, slot, readAtSeconds);
  }

  /** Stores accounts that were read at a plausible `slot`. */
  take(
    addresses: readonly Address[],
    accounts: readonly (ChainAccount | null)[],
    slot: bigint,
    readAtSeconds: number,
  ): void {
    for (const [i, address] of addresses.entries())
      this.#options.updates.read(address, accounts[i] ?? null, Number(slot), readAtSeconds);
    for (const address of addresses) if ((this.#due.get(address) ?? 0n) <= slot) this.#due.delete(address);
  }

  /**
   * Reads the accounts of a transaction at `minSlot` or later. Never rejects. Returns false if no node
   * responded in time; the accounts are then read as soon as a node responds.
   */
  touch(addresses: readonly Address[], minSlot: bigint): Promise<boolean> {
    for (const address of addresses) this.#demand(address, minSlot);
    const reading = this.#readTouched(addresses, minSlot)
      .then(
        () => true,
        () => false,
      )
      .finally(() => this.#touches.delete(reading));
    this.#touches.set(reading, new Set(addresses));
    return reading;
  }

  async #readTouched(addresses: readonly Address[], minSlot: bigint): Promise<void> {
    const { updates, signal } = this.#options;
    let slot = minSlot;
    if (!(await this.#exists(minSlot, signal))) {
      // No node has reached that slot, so the newest known slot is used.
      slot = BigInt(updates.newestSlot);
      for (const address of addresses) this.#due.set(address, slot);
    }
    if (slot > this.touchedSlot) this.touchedSlot = slot;
    await this.read(addresses, slot, signal);
  }

  async #exists(slot: bigint, signal: AbortSignal): Promise<boolean> {
    const { updates } = this.#options;
    if (updates.plausible(Number(slot))) return true;
    await updates.freshPosition(signal);
    return updates.plausible(Number(slot));
  }

  /** Schedules an account to be read soon. */
  request(address: Address, minSlot: bigint): void {
    this.#demand(address, minSlot);
    this.#gathering ??= this.#gather();
  }

  /** Reads all due accounts. Throws like `read`. */
  async retry(): Promise<void> {
    if (this.#due.size === 0) return;
    const minSlot = [...this.#due.values()].reduce((a, b) => (a > b ? a : b));
    await this.read([...this.#due.keys()], minSlot, this.#options.signal);
  }

  /** True if nothing is due and no touch is in progress. */
  get isQuiet(): boolean {
    return this.#due.size === 0 && this.#touches.size === 0;
  }

  /** Returns true if one of these accounts is known to be out of date. */
  isDue(addresses: Iterable<Address>): boolean {
    if (this.#due.size === 0) return false;
    for (const address of addresses) if (this.#due.has(address)) return true;
    return false;
  }

  /** Resolves once the touches in progress of any of these addresses have ended. */
  async settled(addresses: ReadonlySet<Address>): Promise<void> {
    const concerned = [...this.#touches].filter(([, touched]) => !touched.isDisjointFrom(addresses));
    await Promise.all(concerned.map(([reading]) => reading));
  }

  #demand(address: Address, minSlot: bigint): void {
    if ((this.#due.get(address) ?? -1n) < minSlot) this.#due.set(address, minSlot);
  }

  async #gather(): Promise<void> {
    const { clock, signal, logger } = this.#options;
    try {
      await clock.sleep(GATHER_MS, signal);
      this.#gathering = undefined;
      await this.retry();
    } catch (error) {
      if (!signal.aborted) logger.debug({ err: error }, 'stake index: rereading accounts failed');
    }
  }
}

// Records the prices per compute unit that transactions of recent blocks paid, and serves
// `getRecentPrioritizationFees` from these records.

/** A transaction of a block. Background transactions have no signature and lock no accounts. */
type Included = {
  readonly signature?: string;
  /** Micro-lamports per compute unit. */
  readonly unitPrice: bigint;
  readonly writable?: readonly string[];
};

type Block = {
  minimum: bigint | undefined;
  readonly minimumByAccount: Map<string, bigint>;
  readonly signatures: Set<string>;
};

/** Number of recent blocks that a node remembers (Agave 4.1). */
const RECENT_BLOCKS = 150;

const lower = (known: bigint | undefined, price: bigint): bigint =>
  known === undefined || price < known ? price : known;

export class PrioritizationFees {
  readonly #blocks = new Map<number, Block>();
  #lastCompleteSlot = -1;

  /** Records a transaction in the block of `slot`. Repeated calls have no effect. */
  record(slot: number, { signature, unitPrice, writable = [] }: Included): void {
    const block = this.#blockAt(slot);
    if (signature !== undefined) {
      if (block.signatures.has(signature)) return;
      block.signatures.add(signature);
    }
    block.minimum = lower(block.minimum, unitPrice);
    for (const address of writable)
      block.minimumByAccount.set(address, lower(block.minimumByAccount.get(address), unitPrice));
  }

  /** Marks the block of `slot` as complete, so it is reported even if it is empty. */
  complete(slot: number): void {
    this.#blockAt(slot);
    this.#lastCompleteSlot = slot;
    // The block being filled may be stored in addition to the complete blocks.
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= RECENT_BLOCKS + 1) break;
      this.#blocks.delete(oldest);
    }
  }

  /**
   * Returns the prioritization fee of each recent block, oldest first. This is the highest of the block's
   * minimum price and the minimum prices for those of `accounts` that its transactions write-locked. An empty
   * block counts as 0.
   */
  recent(accounts: readonly string[]): { slot: number; prioritizationFee: bigint }[] {
    return [...this.#blocks]
      .filter(([slot]) => slot <= this.#lastCompleteSlot)
      .slice(-RECENT_BLOCKS)
      .map(([slot, { minimum = 0n, minimumByAccount }]) => ({
        slot,
        prioritizationFee: accounts.reduce((highest, address) => {
          const price = minimumByAccount.get(address) ?? 0n;
          return price > highest ? price : highest;
        }, minimum),
      }));
  }

  #blockAt(slot: number): Block {
    const known = this.#blocks.get(slot);
    if (known !== undefined) return known;
    const block: Block = { minimum: undefined, minimumByAccount: new Map(), signatures: new Set() };
    this.#blocks.set(slot, block);
    return block;
  }
}

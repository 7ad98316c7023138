// Generates the transactions of other users, which compete for space in each block of a busy network. The same
// seed generates the same load.

export type BusyNetworkSettings = {
  /** Capacity of a block, in transactions. */
  readonly transactionsPerBlock: number;
  /**
   * Average number of background transactions per block. The number rises and falls between 0 and twice the
   * average.
   */
  readonly backgroundPerBlock: number;
  /**
   * Prices of background transactions in micro-lamports per compute unit, as evenly spaced quantiles from the
   * lowest to the highest.
   */
  readonly unitPrices: readonly number[];
  /** Number of blocks from one turning point of the load to the next. For comparison, a blockhash is valid for 150 blocks. */
  readonly waveBlocks: number;
  readonly seed: number;
};

export const DEFAULT_BUSY_NETWORK: BusyNetworkSettings = {
  transactionsPerBlock: 20,
  backgroundPerBlock: 100,
  unitPrices: [0, 1_000, 5_000, 20_000, 100_000, 1_000_000],
  waveBlocks: 300,
  seed: 1,
};

/** Maximum relative deviation of a block's number of background transactions. */
const JITTER = 0.25;

/**
 * Generates random numbers from 0 (inclusive) to 1 (exclusive): a 32-bit counter, mixed by multiply and
 * xor-shift.
 */
function seededRandom(seed: number): () => number {
  let counter = seed >>> 0;
  return () => {
    counter = (counter + 0x9e37_79b9) >>> 0;
    let mixed = counter;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

export class BackgroundLoad {
  readonly settings: BusyNetworkSettings;
  readonly #random: () => number;
  #block = 0;
  #from: number;
  #to: number;

  constructor(settings: BusyNetworkSettings) {
    this.settings = settings;
    this.#random = seededRandom(settings.seed);
    this.#from = 2 * this.#random();
    this.#to = 2 * this.#random();
  }

  /** Returns the prices that background transactions offer for the next block, highest first. */
  next(): bigint[] {
    const { backgroundPerBlock, waveBlocks } = this.settings;
    const position = this.#block % waveBlocks;
    if (position === 0 && this.#block > 0) {
      this.#from = this.#to;
      this.#to = 2 * this.#random();
    }
    this.#block += 1;
    const wave = this.#from + ((this.#to - this.#from) * position) / waveBlocks;
    const jitter = 1 + JITTER * (2 * this.#random() - 1);
    const count = Math.round(backgroundPerBlock * wave * jitter);
    return Array.from({ length: count }, () => this.#price()).sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
  }

  #price(): bigint {
    const { unitPrices } = this.settings;
    const position = this.#random() * (unitPrices.length - 1);
    const below = Math.floor(position);
    const low = unitPrices[below] ?? 0;
    const high = unitPrices[below + 1] ?? low;
    return BigInt(Math.round(low + (high - low) * (position - below)));
  }
}

// Reports the actual slot rate. Slots skipped on demand take no time and are not counted.

/** One entry of getRecentPerformanceSamples. */
type PerformanceSample = {
  readonly slot: number;
  readonly numSlots: number;
  readonly numTransactions: number;
  readonly numNonVoteTransactions: number;
  readonly samplePeriodSecs: number;
};

const PERIOD_SECS = 60;
const MAX_SAMPLES = 720;

/** Collects samples of 60 seconds. Reports the configured rate until the first sample is complete. */
export class PerformanceSamples {
  readonly #samples: PerformanceSample[] = [];
  readonly #setSlotsPerSecond: number;
  #slots = 0;
  #elapsedMs = 0;

  constructor(setSlotsPerSecond: number) {
    this.#setSlotsPerSecond = setSlotsPerSecond;
  }

  /** Records that `slots` slots passed by the timer in `elapsedMs`, ending at `slot`. */
  note(slot: number, slots: number, elapsedMs: number): void {
    this.#slots += slots;
    this.#elapsedMs += elapsedMs;
    if (this.#elapsedMs < PERIOD_SECS * 1_000) return;
    const numSlots = Math.round((this.#slots * PERIOD_SECS * 1_000) / this.#elapsedMs);
    this.#samples.unshift(sample(slot, numSlots));
    this.#samples.length = Math.min(this.#samples.length, MAX_SAMPLES);
    this.#slots = 0;
    this.#elapsedMs = 0;
  }

  /** Returns at most `limit` samples, newest first. */
  recent(slot: number, limit: number): PerformanceSample[] {
    if (this.#samples.length > 0) return this.#samples.slice(0, limit);
    return [sample(slot, Math.max(1, Math.round(this.#setSlotsPerSecond * PERIOD_SECS)))].slice(0, limit);
  }
}

function sample(slot: number, numSlots: number): PerformanceSample {
  return {
    slot,
    numSlots,
    numTransactions: numSlots,
    numNonVoteTransactions: 0,
    samplePeriodSecs: PERIOD_SECS,
  };
}

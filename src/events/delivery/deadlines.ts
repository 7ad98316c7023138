// One timer for any number of attempts that all have equally long: a timer and an abort signal for each would cost more than the signature.
import type { Clock } from '../../kernel/clock.ts';
import { steadyClock } from '../../kernel/steady-clock.ts';

interface Deadline {
  readonly dueMs: number;
  readonly pass: () => void;
}

/** Deadlines of one length. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #lengthMs: number;
  /** The nearest first, since all are equally long. */
  readonly #waiting = new Set<Deadline>();
  #isRunning = false;

  constructor(lengthMs: number, clock: Clock) {
    this.#lengthMs = lengthMs;
    this.#clock = steadyClock(clock);
  }

  /** Calls `pass` when the time is over, unless the returned function was called before. */
  begin(pass: () => void): () => void {
    const deadline = { dueMs: this.#clock.now() + this.#lengthMs, pass };
    this.#waiting.add(deadline);
    if (!this.#isRunning) {
      this.#isRunning = true;
      // The clock rejects only by a signal, and is given none.
      void this.#run();
    }
    return () => void this.#waiting.delete(deadline);
  }

  async #run(): Promise<void> {
    for (;;) {
      const nowMs = this.#clock.now();
      for (const deadline of this.#waiting) {
        if (deadline.dueMs > nowMs) break;
        this.#waiting.delete(deadline);
        deadline.pass();
      }
      const [nearest] = this.#waiting;
      if (nearest === undefined) break;
      await this.#clock.sleep(nearest.dueMs - nowMs);
    }
    this.#isRunning = false;
  }
}

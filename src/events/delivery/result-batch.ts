// Group commit: records attempts that end within a few milliseconds, or while the store is busy, in one transaction.
import { pause } from '../../kernel/abort.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AttemptResult, Outbox } from '../../store/outbox/outbox.ts';

/** What it works with. */
interface ResultBatchOptions {
  readonly settle: Outbox['settle'];
  /** Called when results are on disk. */
  readonly onSettled: (results: readonly AttemptResult[]) => void;
  /** The store could not be written; tried again in a second, and leases that end meanwhile lead to a repeated delivery under the same id. */
  readonly onError: (error: unknown) => void;
  /** Whether attempts are under way that will likely end in a moment: worth waiting for. */
  readonly expectsMore: () => boolean;
  /** Longest wait for a fuller group, ms of real time whatever the clock: it orders nothing and only saves commits. Default 20. */
  readonly gatherMs?: number;
  readonly clock: Clock;
}

const RETRY_MS = 1_000;
const MAX_PER_COMMIT = 500;
/** A group of so many is written without waiting for more. */
const ENOUGH = MAX_PER_COMMIT;
const GATHER_MS = 20;

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Writes whatever it holds until it holds nothing. */
export class ResultBatch {
  readonly #options: ResultBatchOptions;
  readonly #closing = new AbortController();
  #waiting: AttemptResult[] = [];
  #writing: Promise<void> | null = null;
  #full: (() => void) | null = null;

  constructor(options: ResultBatchOptions) {
    this.#options = options;
  }

  add(result: AttemptResult): void {
    this.#waiting.push(result);
    if (this.#waiting.length >= ENOUGH) this.#full?.();
    this.#writing ??= this.#writeAll();
  }

  /** Tries what is left once more. Results that cannot be written are lost, and their deliveries repeated when the leases end. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#full?.();
    await this.#writing;
  }

  /** Until the group is worth a transaction. */
  async #gather(): Promise<void> {
    await endOfTurn();
    const isUrgent = this.#waiting.length >= ENOUGH || this.#closing.signal.aborted;
    if (isUrgent || !this.#options.expectsMore()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#options.gatherMs ?? GATHER_MS);
      this.#full = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#full = null;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      const results = this.#waiting.slice(0, MAX_PER_COMMIT);
      const isLastTry = this.#closing.signal.aborted;
      try {
        await this.#options.settle(results);
        this.#waiting = this.#waiting.slice(results.length);
        this.#options.onSettled(results);
      } catch (error) {
        this.#options.onError(error);
        if (isLastTry) break;
        await pause(this.#options.clock, RETRY_MS, this.#closing.signal);
      }
    }
    // In the turn of the last look: what is added from here on begins anew.
    this.#writing = null;
  }
}

// Within one process an intent runs once at a time: a second call with the same key joins the first, one with other parameters is refused.
import { AppError } from '../kernel/app-error.ts';

interface Flight {
  readonly parameters: string;
  readonly result: Promise<unknown>;
}

/** The key names another request than before: nothing is done. */
export const idempotencyKeyReused = (): AppError =>
  new AppError('IDEMPOTENCY_KEY_REUSED', 'This idempotency key was already used with other parameters.', {
    suggestedAction:
      'Repeat the original request unchanged to get its result, or send a new idempotency key for a new request.',
  });

/** Intents now being carried out. */
export class IntentsInFlight {
  readonly #flights = new Map<string, Flight>();

  /**
   * Runs `perform` unless what `nameParts` names is under way, in which case its result is shared. Throws `IDEMPOTENCY_KEY_REUSED`. A flight
   * may wait for another one only where that one never waits for it: their names must differ in the number of parts.
   */
  async run<Result>(
    nameParts: readonly string[],
    parameters: string,
    perform: () => Promise<Result>,
  ): Promise<Result> {
    // A JSON array separates the parts unambiguously: keys are the caller's text and may hold any character.
    const name = JSON.stringify(nameParts);
    const underWay = this.#flights.get(name);
    if (underWay) {
      if (underWay.parameters !== parameters) throw idempotencyKeyReused();
      return underWay.result as Promise<Result>;
    }
    const result = perform().finally(() => this.#flights.delete(name));
    this.#flights.set(name, { parameters, result });
    return result;
  }

  /** How many intents are under way. */
  get size(): number {
    return this.#flights.size;
  }

  /** Resolves when every intent now under way has ended, however it ended. */
  async drained(): Promise<void> {
    while (this.#flights.size > 0)
      await Promise.allSettled([...this.#flights.values()].map((flight) => flight.result));
  }
}

// Ensures that an intent runs only once at a time within a process. A concurrent call with the same key joins
// the running one; a call with the same key but other parameters is refused.
import { AppError } from '../../../kernel/app-error.ts';

interface Flight {
  readonly parameters: string;
  readonly result: Promise<unknown>;
}

/** Creates the error for a key that already identifies another request. Nothing was done. */
export const idempotencyKeyReused = (): AppError =>
  new AppError('IDEMPOTENCY_KEY_REUSED', 'This idempotency key was already used with other parameters.', {
    reason: 'OTHER_PARAMETERS',
    suggestedAction:
      'Repeat the original request unchanged to get its result, or send a new idempotency key for a new request.',
  });

export class IntentsInFlight {
  readonly #flights = new Map<string, Flight>();

  /**
   * Runs `perform`, or joins the running intent identified by `nameParts`. Throws
   * `AppError('IDEMPOTENCY_KEY_REUSED')` if that intent is for another request. To avoid deadlocks, an intent
   * may wait only for an intent that never waits for it, and the two names must differ in their number of
   * parts.
   */
  async run<Result>(
    nameParts: readonly string[],
    parameters: string,
    perform: () => Promise<Result>,
  ): Promise<Result> {
    // JSON separates the parts unambiguously, because keys may contain any character.
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

  get size(): number {
    return this.#flights.size;
  }

  /** Resolves once every running intent has ended, whatever its outcome. */
  async drained(): Promise<void> {
    while (this.#flights.size > 0)
      await Promise.allSettled([...this.#flights.values()].map((flight) => flight.result));
  }
}

// Tracks requests in progress. Shutdown waits for them and responds to those that take too long.
import type { Exchange } from '../../adapter/exchange.ts';
import { AppError } from '../../kernel/app-error.ts';

/** Maximum waits during shutdown, in ms. */
export interface DrainLimits {
  /** Limit for reads and builds. */
  readonly graceMs: number;
  /** Limit for targets that change the chain, because a submission may still confirm or expire. */
  readonly actGraceMs: number;
}

const shuttingDown = (): AppError =>
  new AppError('SHUTTING_DOWN', 'The service is stopping.', {
    reason: 'REQUEST',
    suggestedAction: 'Repeat the request; with an Idempotency-Key it cannot take effect twice.',
    retryAfterSeconds: 5,
  });

export class RequestsInFlight {
  readonly #exchanges = new Set<Exchange>();
  #draining = false;
  #whenEmpty: (() => void) | null = null;

  get size(): number {
    return this.#exchanges.size;
  }

  enter(exchange: Exchange): void {
    if (this.#draining) exchange.endConnection();
    this.#exchanges.add(exchange);
  }

  leave(exchange: Exchange): void {
    this.#exchanges.delete(exchange);
    if (this.#exchanges.size === 0) this.#whenEmpty?.();
  }

  /**
   * Returns the refusal of a new chain operation or probe during shutdown; null if the request may be served.
   */
  refuse({ target }: Exchange): AppError | null {
    return this.#draining && (target.acts === true || target.isProbe === true) ? shuttingDown() : null;
  }

  /** Makes every further response close its connection. */
  startDraining(): void {
    this.#draining = true;
    for (const exchange of this.#exchanges) exchange.endConnection();
  }

  /** Waits until every request has got a response. Overdue requests get `SHUTTING_DOWN`. */
  async drained({ graceMs, actGraceMs }: DrainLimits): Promise<void> {
    const giveUp = (which: (exchange: Exchange) => boolean) => () => {
      for (const exchange of [...this.#exchanges]) {
        if (!which(exchange)) continue;
        exchange.giveUp(shuttingDown());
        // These requests have got a response. Shutdown does not wait for their handlers, even if they ignore
        // the signal.
        this.leave(exchange);
      }
    };
    const timers = [
      setTimeout(
        giveUp(({ target }) => target.acts !== true),
        graceMs,
      ),
      setTimeout(
        giveUp(() => true),
        Math.max(graceMs, actGraceMs),
      ),
    ];
    // Checked again, because a request may have arrived on an open connection.
    while (this.#exchanges.size > 0)
      await new Promise<void>((resolve) => {
        this.#whenEmpty = resolve;
      });
    for (const timer of timers) clearTimeout(timer);
  }
}

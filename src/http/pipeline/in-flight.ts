// Knows which requests are being worked on, so that a stop can wait for them and answer those it cannot wait for.
import { AppError } from '../../kernel/app-error.ts';
import type { Exchange } from './exchange.ts';

/** How long a stop waits, milliseconds. */
export interface DrainLimits {
  /** For reads and builds. */
  readonly graceMs: number;
  /** For operations that act on the chain: a submission can still confirm or expire. */
  readonly actGraceMs: number;
}

const shuttingDown = (): AppError =>
  new AppError('SHUTTING_DOWN', 'The service is stopping.', {
    suggestedAction: 'Repeat the request; with an Idempotency-Key it cannot take effect twice.',
    retryAfterSeconds: 5,
  });

const acts = ({ route, mount }: Exchange): boolean =>
  route?.operation.effect === 'act' || mount?.acts === true;

/** The requests under way. */
export class InFlight {
  readonly #exchanges = new Set<Exchange>();
  #draining = false;
  #whenEmpty: (() => void) | null = null;

  get draining(): boolean {
    return this.#draining;
  }

  get size(): number {
    return this.#exchanges.size;
  }

  /** Null when this request may start; once the service is stopping, nothing new acts and the probes say so. */
  refuse(exchange: Exchange): AppError | null {
    if (!this.#draining) return null;
    exchange.lastOnConnection = true;
    return acts(exchange) || exchange.route?.unlimited === true ? shuttingDown() : null;
  }

  enter(exchange: Exchange): void {
    this.#exchanges.add(exchange);
  }

  leave(exchange: Exchange): void {
    this.#exchanges.delete(exchange);
    if (this.#exchanges.size === 0) this.#whenEmpty?.();
  }

  /** From now on every answer ends its connection. */
  startDraining(): void {
    this.#draining = true;
    for (const exchange of this.#exchanges) exchange.lastOnConnection = true;
  }

  /** Waits until every request is answered; those that take longer than allowed are answered with `SHUTTING_DOWN`. */
  async drained({ graceMs, actGraceMs }: DrainLimits): Promise<void> {
    const giveUp = (which: (exchange: Exchange) => boolean) => () => {
      for (const exchange of [...this.#exchanges]) {
        if (!which(exchange)) continue;
        exchange.onGiveUp?.(shuttingDown());
        // Whatever still runs has been answered; it is not waited for even if it ignores its signal.
        this.leave(exchange);
      }
    };
    const timers = [
      setTimeout(
        giveUp((exchange) => !acts(exchange)),
        graceMs,
      ),
      setTimeout(
        giveUp(() => true),
        Math.max(graceMs, actGraceMs),
      ),
    ];
    // Looked at again: a request that waited for a guard leaves and enters anew in one step.
    while (this.#exchanges.size > 0)
      await new Promise<void>((resolve) => {
        this.#whenEmpty = resolve;
      });
    for (const timer of timers) clearTimeout(timer);
  }
}

// Delivery loop: settles finished attempts, claims due deliveries under a lease and sends them. Any number of
// processes may run it.
import { setImmediate } from 'node:timers/promises';
import { pause } from '../../kernel/abort.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import type { AttemptResult, ClaimedDelivery, Outbox } from '../../store/outbox/outbox.ts';
import { type AttemptOptions, attemptDelivery } from './attempt-delivery.ts';

export interface DeliveryLoopOptions extends Omit<AttemptOptions, 'onComposeFailure'> {
  readonly outbox: Pick<Outbox, 'claim' | 'nextDueMs' | 'settle'>;
  /**
   * Maximum time between two polls of the outbox, in ms, because another process may have recorded a delivery.
   */
  readonly pollMs: number;
  /** Duration of a lease, in ms. Default: 60,000. Building, sending and settling take at most 45 s. */
  readonly leaseMs?: number;
  /** Called after every attempt. */
  readonly observe?: (claimed: ClaimedDelivery, result: AttemptResult) => void;
  readonly logger: Logger;
}

/** A running loop. */
export interface DeliveryLoop {
  /** Wakes the loop because a delivery is due now. */
  readonly wake: () => void;
  /** Number of attempts in progress. */
  readonly inFlight: () => number;
  /** Returns true if the last access to the outbox failed. */
  readonly isFailing: () => boolean;
  /**
   * Stops claiming, waits at most 10 s for attempts in progress, then interrupts the rest and releases their
   * leases. Safe to repeat.
   */
  readonly close: () => Promise<void>;
}

const LEASE_MS = 60_000;
/** Maximum number of attempts started at once. A higher number would delay other work in this process. */
const MAX_BEGUN_AT_ONCE = 32;
/**
 * Maximum number of attempts in progress. Each belongs to a different registration, so only this many hanging
 * receivers can delay others, by at most the 15 s of an attempt.
 */
const MAX_UNDER_WAY = 2_048;
/**
 * Pause in ms: of a registration after a failed attempt, and of the loop while another process holds the due
 * deliveries or the store is unavailable.
 */
const REST_MS = 1_000;
const CLOSE_GRACE_MS = 10_000;

/**
 * A running delivery loop. A registration has at most one attempt in progress and pauses after a failure, so a
 * hanging or failing receiver does not slow down others.
 */
class RunningLoop {
  readonly #options: DeliveryLoopOptions;
  readonly #attemptOptions: AttemptOptions;
  /** Registrations with an attempt in progress or a result that is not stored yet. */
  readonly #busy = new Set<string>();
  /** Failed registrations, and the monotonic time until which each pauses, in ms. */
  readonly #resting = new Map<string, number>();
  #finished: AttemptResult[] = [];
  #inFlight = 0;
  #isFailing = false;
  #alarm = new AbortController();
  readonly #closing = new AbortController();
  readonly #interrupting = new AbortController();
  readonly #ended: Promise<void>;

  constructor(options: DeliveryLoopOptions) {
    this.#options = options;
    this.#attemptOptions = {
      ...options,
      onComposeFailure: ({ type, registrationId }, reason) =>
        options.logger.warn(
          { type, registrationId, ...(typeof reason === 'string' ? { reason } : { err: reason }) },
          'a notification could not be composed',
        ),
    };
    this.#ended = this.#run();
  }

  readonly wake = (): void => this.#alarm.abort();
  readonly inFlight = (): number => this.#inFlight;
  readonly isFailing = (): boolean => this.#isFailing;

  readonly close = async (): Promise<void> => {
    this.#closing.abort();
    this.wake();
    const ended = new AbortController();
    await Promise.race([this.#ended, pause(this.#options.clock, CLOSE_GRACE_MS, ended.signal)]);
    ended.abort();
    this.#interrupting.abort();
    await this.#ended;
  };

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted || this.#busy.size > 0) {
      // Created before the iteration, so a wake-up during the iteration is not lost.
      this.#alarm = new AbortController();
      const waitMs = await this.#turn();
      if (waitMs === null) return;
      // Yields to other work, including the end of other attempts.
      if (waitMs <= 0) await setImmediate();
      else await pause(this.#options.clock, waitMs, this.#alarm.signal);
    }
  }

  /**
   * Runs one iteration. Returns the wait before the next one, in ms; null if the loop must end with results
   * that could not be written. Their deliveries are repeated once the leases expire.
   */
  async #turn(): Promise<number | null> {
    try {
      await this.#settle();
      const waitMs = this.#closing.signal.aborted ? this.#untilNextEnd() : await this.#claim();
      this.#isFailing = false;
      return waitMs;
    } catch (error) {
      this.#noteFailure(error);
      return this.#closing.signal.aborted && this.#inFlight === 0 ? null : REST_MS;
    }
  }

  /** Writes all results since the last iteration in one transaction. */
  async #settle(): Promise<void> {
    const results = [...this.#finished];
    if (results.length === 0) return;
    await this.#options.outbox.settle(results);
    this.#finished = this.#finished.slice(results.length);
    for (const { registrationId, attempt } of results) {
      this.#busy.delete(registrationId);
      if (attempt.outcome !== 'delivered')
        this.#resting.set(registrationId, this.#options.clock.steadyNow() + REST_MS);
    }
  }

  /** Starts due deliveries. Returns the wait before the next ones, in ms. */
  async #claim(): Promise<number> {
    const { outbox, owner, clock, pollMs, leaseMs = LEASE_MS } = this.#options;
    const limit = Math.min(MAX_BEGUN_AT_ONCE, MAX_UNDER_WAY - this.#busy.size);
    if (limit === 0) return pollMs;
    const [nowMs, steadyMs] = [clock.now(), clock.steadyNow()];
    for (const [registrationId, untilMs] of this.#resting)
      if (untilMs <= steadyMs) this.#resting.delete(registrationId);
    const except = [...this.#busy, ...this.#resting.keys()];
    const claimed = await outbox.claim({ owner, nowMs, leaseMs, limit, limitPerRegistration: 1, except });
    for (const delivery of claimed) this.#begin(delivery);
    if (claimed.length > 0) return 0;
    const nextDueMs = (await outbox.nextDueMs()) ?? Number.POSITIVE_INFINITY;
    // A due delivery that was not claimed belongs to a registration that is busy (its result wakes the loop) or
    // pausing, or another process is claiming it.
    return Math.min(pollMs, nextDueMs > nowMs ? nextDueMs - clock.now() : REST_MS);
  }

  /** Returns the maximum wait for an attempt to end, in ms. The end of an attempt wakes the loop earlier. */
  #untilNextEnd(): number {
    return this.#inFlight > 0 ? this.#options.pollMs : 0;
  }

  #begin(claimed: ClaimedDelivery): void {
    this.#busy.add(claimed.registrationId);
    this.#inFlight += 1;
    void attemptDelivery(this.#attemptOptions, claimed, this.#interrupting.signal).then((result) => {
      this.#inFlight -= 1;
      this.#options.observe?.(claimed, result);
      this.#finished.push(result);
      this.wake();
    });
  }

  #noteFailure(error: unknown): void {
    const { logger } = this.#options;
    if (!isAppError(error)) logger.error({ err: error }, 'delivery failed because of an internal error');
    else if (!this.#isFailing) logger.warn({ err: error }, 'the outbox is currently unavailable');
    this.#isFailing = true;
  }
}

export const startDeliveryLoop = (options: DeliveryLoopOptions): DeliveryLoop => new RunningLoop(options);

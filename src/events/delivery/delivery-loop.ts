// The delivery loop: claims under a short lease, sends outside transactions, records results in groups; runs in any number of processes.
import { isAppError } from '../../kernel/app-error.ts';
import type { Logger } from '../../kernel/logger.ts';
import { isOwnFailure } from '../../store/outbox/attempt-effects.ts';
import type { AttemptOutcome, AttemptResult, ClaimedDelivery, Outbox } from '../../store/outbox/outbox.ts';
import { type AttemptOptions, attemptDelivery } from './attempt-delivery.ts';
import { type ClaimLimits, EndpointHealth, REST_MS } from './endpoint-health.ts';
import { ResultBatch } from './result-batch.ts';

/** Options of the loop. */
export interface DeliveryLoopOptions extends Omit<AttemptOptions, 'onComposeFailure'> {
  readonly outbox: Pick<Outbox, 'claim' | 'nextDueMs' | 'settle'>;
  /** Longest wait before the outbox is asked again, ms: another process may have recorded something. */
  readonly pollMs: number;
  /** Default 60,000: composing, sending and noting take 45 s at most. */
  readonly leaseMs?: number;
  /** Attempts at once that were begun within the last 25 ms. Default 32. */
  readonly places?: number;
  /** Called after every attempt. */
  readonly observe?: (claimed: ClaimedDelivery, result: AttemptResult) => void;
  readonly logger: Logger;
}

/** A running loop. */
export interface DeliveryLoop {
  /** Something is due now. */
  readonly wake: () => void;
  /** Attempts under way. */
  readonly inFlight: () => number;
  /** Whether the outbox answered last, and since when it has not, ms since the Unix epoch. */
  readonly failingSinceMs: () => number | null;
  /** No new claims; waits for what is under way, at most 10 s, and gives the rest back. Safe to repeat. */
  readonly close: () => Promise<void>;
}

const LEASE_MS = 60_000;
/** Attempts that hold a place: begun within the last `PLACE_MS`. More at once cost more than they bring (measured 2026-11, outbox in memory, µs of processor each: 16 take 51, 32 take 64, 64 take 76). */
const PLACES = 32;
/** An attempt that takes longer only waits, and gives its place to another: what is far away or hangs slows nobody down. With `PLACES` at least 1,280 are begun a second. */
const PLACE_MS = 25;
/** An attempt slower than this marks its endpoint as suspect. */
const SLOW_AFTER_MS = 1_000;
/** Most that are claimed and wait for a place, for a fraction of a second and of their lease. */
const MAX_READY = 512;
/** Fewer are not worth a claim's transaction. */
const WORTH_A_CLAIM = 384;
/** Claimed in all, results that are not yet on disk included. */
const MAX_UNDER_WAY = 4_096;
const CLOSE_GRACE_MS = 10_000;
const STORE_RETRY_MS = 1_000;

interface Begun {
  readonly claimed: ClaimedDelivery;
  readonly startedAtMs: number;
}

class RunningLoop {
  readonly #options: DeliveryLoopOptions;
  readonly #health = new EndpointHealth();
  readonly #batch: ResultBatch;
  /** Event ids, from the claim until the result is on disk. */
  readonly #underWay = new Set<string>();
  /** Claimed, and waiting for a place. */
  readonly #ready: ClaimedDelivery[] = [];
  /** Attempts that hold a place, oldest first. */
  readonly #placed = new Set<Begun>();
  /** Attempts that are not slow yet, oldest first. */
  readonly #prompt = new Set<Begun>();
  #inFlight = 0;
  #idle = Promise.withResolvers<void>();
  readonly #closing = new AbortController();
  readonly #interrupting = new AbortController();
  readonly #ended: Promise<void>;
  readonly #attemptOptions: AttemptOptions;
  #places: number;
  #alarm = Promise.withResolvers<void>();
  #failingSinceMs: number | null = null;

  constructor(options: DeliveryLoopOptions) {
    this.#options = options;
    this.#places = options.places ?? PLACES;
    this.#attemptOptions = {
      ...options,
      onComposeFailure: ({ type, registrationId }, reason) =>
        options.logger.warn(
          { type, registrationId, ...(typeof reason === 'string' ? { reason } : { err: reason }) },
          'a notification could not be composed',
        ),
    };
    this.#batch = new ResultBatch({
      settle: options.outbox.settle,
      onSettled: (results) => this.#settled(results),
      onError: (error) => this.#storeFailed(error),
      // What holds a place began a moment ago.
      expectsMore: () => this.#placed.size > 0 && !this.#closing.signal.aborted,
      clock: options.clock,
    });
    this.#ended = this.#run();
  }

  readonly wake = (): void => this.#alarm.resolve();
  readonly inFlight = (): number => this.#inFlight;
  readonly failingSinceMs = (): number | null => this.#failingSinceMs;

  readonly close = async (): Promise<void> => {
    this.#closing.abort();
    this.wake();
    await this.#ended;
    // What was claimed goes out now.
    this.#places = Number.POSITIVE_INFINITY;
    this.#begin();
    const grace = new AbortController();
    await Promise.race([
      this.#untilIdle(),
      this.#options.clock.sleep(CLOSE_GRACE_MS, grace.signal).catch(() => undefined),
    ]);
    grace.abort();
    this.#interrupting.abort();
    await this.#untilIdle();
    await this.#batch.close();
  };

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      // Before the claim, so that whatever happens during it is looked at.
      this.#alarm = Promise.withResolvers<void>();
      try {
        this.#lookAtTime();
        const claimMs = this.#options.clock.now();
        if (this.#room() < WORTH_A_CLAIM) await this.#pause(this.#waitMs(null, claimMs));
        else if ((await this.#claim()) === 0)
          await this.#pause(this.#waitMs(await this.#options.outbox.nextDueMs(), claimMs));
      } catch (error) {
        this.#storeFailed(error);
        await this.#pause(STORE_RETRY_MS);
      }
    }
  }

  /** Returns how many were claimed. */
  async #claim(): Promise<number> {
    const health = this.#health;
    const first = await this.#claimWithin(health.limitsOfFirst());
    // With little room left a second transaction brings less than it costs.
    const hasMore =
      this.#room() >= WORTH_A_CLAIM / 4 &&
      first.some(({ registrationId }) => health.isHealthy(registrationId));
    const more = hasMore ? await this.#claimWithin(health.limitsOfMore()) : [];
    const suspect = health.limitsOfSuspect(this.#options.clock.steadyNow());
    const again = suspect === null ? [] : await this.#claimWithin(suspect);
    return first.length + more.length + again.length;
  }

  #room(): number {
    return Math.min(MAX_READY - this.#ready.length, MAX_UNDER_WAY - this.#underWay.size);
  }

  async #claimWithin(limits: ClaimLimits): Promise<readonly ClaimedDelivery[]> {
    const { outbox, owner, clock, leaseMs = LEASE_MS } = this.#options;
    const limit = this.#room();
    if (limit <= 0 || this.#closing.signal.aborted) return [];
    const claimed = await outbox.claim({ owner, nowMs: clock.now(), leaseMs, limit, ...limits });
    this.#failingSinceMs = null;
    // Its lease ended while its result could not be written; what is under way goes on under the new one.
    const fresh = claimed.filter(({ id }) => !this.#underWay.has(id));
    for (const one of fresh) {
      this.#underWay.add(one.id);
      this.#health.begin(one.registrationId);
      this.#ready.push(one);
    }
    this.#begin();
    return fresh;
  }

  /** Begins as many attempts as there are free places. */
  #begin(): void {
    while (this.#placed.size < this.#places) {
      const claimed = this.#ready.shift();
      if (claimed === undefined) return;
      const one: Begun = { claimed, startedAtMs: this.#options.clock.steadyNow() };
      this.#placed.add(one);
      this.#prompt.add(one);
      this.#inFlight += 1;
      void this.#attempt(one);
    }
  }

  async #attempt(one: Begun): Promise<void> {
    const { claimed } = one;
    try {
      const result = await attemptDelivery(this.#attemptOptions, claimed, this.#interrupting.signal);
      this.#placed.delete(one);
      this.#prompt.delete(one);
      this.#noteHealth(claimed.registrationId, result.attempt.outcome);
      this.#options.observe?.(claimed, result);
      this.#batch.add(result);
      this.#begin();
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) this.#idle.resolve();
    }
  }

  #noteHealth(registrationId: string, outcome: AttemptOutcome): void {
    if (outcome === 'delivered') this.#health.noteAccepted(registrationId);
    else if (!isOwnFailure(outcome)) this.#health.noteFailed(registrationId, this.#options.clock.steadyNow());
  }

  #settled(results: readonly AttemptResult[]): void {
    this.#failingSinceMs = null;
    for (const { eventId, registrationId } of results) {
      this.#underWay.delete(eventId);
      this.#health.end(registrationId);
    }
    this.wake();
  }

  /** Frees the places of older attempts and marks the endpoints of slow ones as suspect. */
  #lookAtTime(): void {
    const nowMs = this.#options.clock.steadyNow();
    for (const one of this.#placed) {
      if (one.startedAtMs > nowMs - PLACE_MS) break;
      this.#placed.delete(one);
    }
    for (const one of this.#prompt) {
      if (one.startedAtMs > nowMs - SLOW_AFTER_MS) break;
      this.#prompt.delete(one);
      this.#health.noteFailed(one.claimed.registrationId, nowMs);
    }
    this.#begin();
  }

  /** Until the next delivery is due, something of ours gets slow, or it is time to look. */
  #waitMs(nextDueMs: number | null, claimMs: number): number {
    const { clock, pollMs } = this.#options;
    const nowMs = this.#options.clock.steadyNow();
    const [longestPlaced] = this.#ready.length > 0 ? this.#placed : [];
    const [longestPrompt] = this.#prompt;
    // What was due and was not claimed is resting, busy (its end wakes us), or locked by another process.
    const againMs = nextDueMs !== null && nextDueMs <= claimMs ? claimMs + REST_MS : nextDueMs;
    const dueMs = againMs === null ? pollMs : againMs - clock.now();
    const placeMs = longestPlaced ? longestPlaced.startedAtMs + PLACE_MS - nowMs : pollMs;
    const slowMs = longestPrompt ? longestPrompt.startedAtMs + SLOW_AFTER_MS - nowMs : pollMs;
    return Math.min(pollMs, dueMs, placeMs, slowMs);
  }

  /** Until `ms` have passed or something happened. */
  async #pause(ms: number): Promise<void> {
    if (ms <= 0) return;
    const awake = new AbortController();
    await Promise.race([
      this.#alarm.promise,
      this.#options.clock.sleep(ms, awake.signal).catch(() => undefined),
    ]);
    awake.abort();
  }

  /** Until no attempt is under way. */
  async #untilIdle(): Promise<void> {
    this.#idle = Promise.withResolvers<void>();
    if (this.#inFlight > 0) await this.#idle.promise;
  }

  #storeFailed(error: unknown): void {
    const isFirst = this.#failingSinceMs === null;
    this.#failingSinceMs ??= this.#options.clock.now();
    if (!isAppError(error))
      this.#options.logger.error({ err: error }, 'delivering failed inside the service');
    else if (isFirst) this.#options.logger.warn({ err: error }, 'the outbox cannot be used yet');
  }
}

/** Begins at once. */
export const startDeliveryLoop = (options: DeliveryLoopOptions): DeliveryLoop => new RunningLoop(options);

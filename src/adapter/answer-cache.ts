// Caches the bytes of one answer: filled by one call however many ask, stale for at most one further lifetime.
import { createHash } from 'node:crypto';
import { ageMs } from '../kernel/clock.ts';

/** A cached answer. */
export interface CachedAnswer {
  readonly bytes: Buffer;
  /** Strong validator of the bytes, quoted. */
  readonly etag: string;
  readonly filledAtMs: number;
}

/** Caches the answer of one route that takes no input. */
export class AnswerCache {
  readonly #ttlMs: number;
  readonly #fill: (nowMs: number) => Promise<string>;
  readonly #nowMs: () => number;
  #cached: CachedAnswer | null = null;
  #underWay: Promise<CachedAnswer> | null = null;

  /** `fill` makes the body; `ttlMs` is how long it is fresh. */
  constructor(ttlMs: number, nowMs: () => number, fill: (nowMs: number) => Promise<string>) {
    this.#ttlMs = ttlMs;
    this.#nowMs = nowMs;
    this.#fill = fill;
  }

  /** The cached answer while it is fresh; a stale one starts a refill and is still given; null when there is nothing to give yet. */
  peek(): CachedAnswer | null {
    const cached = this.#cached;
    if (cached === null) return null;
    const age = ageMs(cached.filledAtMs, this.#nowMs());
    if (age < this.#ttlMs) return cached;
    if (age >= this.#ttlMs * 2) return null;
    // A refill that fails is reported by the request that has to wait for one.
    this.refill().catch(() => {});
    return cached;
  }

  /** Fills anew, or joins the fill under way. A failure leaves what was cached. */
  refill(): Promise<CachedAnswer> {
    this.#underWay ??= this.#fillOnce().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  async #fillOnce(): Promise<CachedAnswer> {
    const filledAtMs = this.#nowMs();
    const bytes = Buffer.from(await this.#fill(filledAtMs));
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    this.#cached = { bytes, etag, filledAtMs };
    return this.#cached;
  }
}

/** True when `If-None-Match` names this entity (weak comparison). */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) ??
  false;

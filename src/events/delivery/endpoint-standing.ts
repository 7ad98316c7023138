// How each registration's receiver is doing as this process saw it, so that receivers that hang or fail take nothing from the others.
import { BoundedMap } from '../../kernel/bounded-map.ts';

/** Deliveries of one registration that are under way at once while its receiver is trusted. */
export const PER_TRUSTED = 8;
/** How long one in doubt is left alone after each failure: a receiver that is down and has a thousand notifications to come is not run against in a loop. */
export const REST_MS = 1_000;
/** Registrations of each standing that are remembered; beyond it the longest unused is forgotten, and met anew. */
const REMEMBERED = 10_000;

/** What a claim leaves out, and how many of one registration it takes. */
export interface ClaimLimits {
  readonly limitPerRegistration: number;
  readonly except: readonly string[];
}

/**
 * A registration is trusted from an attempt that was accepted in time on, in doubt from one that failed or drags on, and unproven before either.
 * Only trusted ones get more than one attempt at a time.
 */
export class EndpointStanding {
  readonly #underWay = new Map<string, number>();
  readonly #trusted = new BoundedMap<string, true>(REMEMBERED);
  /** Until when they rest, ms since the Unix epoch. */
  readonly #doubted = new BoundedMap<string, number>(REMEMBERED);

  /** An attempt begins. */
  begin(registrationId: string): void {
    this.#underWay.set(registrationId, (this.#underWay.get(registrationId) ?? 0) + 1);
  }

  /** It ended, and what it did is on disk. */
  end(registrationId: string): void {
    const left = (this.#underWay.get(registrationId) ?? 1) - 1;
    if (left > 0) this.#underWay.set(registrationId, left);
    else this.#underWay.delete(registrationId);
  }

  /** It was accepted. */
  trust(registrationId: string): void {
    this.#doubted.take(registrationId);
    if (this.#trusted.get(registrationId) === undefined) this.#trusted.set(registrationId, true);
  }

  /** It failed, or is taking long. */
  doubt(registrationId: string, nowMs: number): void {
    this.#trusted.take(registrationId);
    this.#doubted.set(registrationId, nowMs + REST_MS);
  }

  isTrusted(registrationId: string): boolean {
    return this.#trusted.has(registrationId);
  }

  /** One of each registration that is not in doubt. */
  limitsOfFirst(): ClaimLimits {
    return { limitPerRegistration: 1, except: [...this.#full(), ...this.#doubted.keys()] };
  }

  /** More of the trusted: to be claimed when `limitsOfFirst` left room, since all others that have something due are under way by then. */
  limitsOfMore(): ClaimLimits {
    return { ...this.limitsOfFirst(), limitPerRegistration: PER_TRUSTED };
  }

  /** For those in doubt; null while each of them rests or has its one attempt under way, or there are none. */
  limitsOfDoubted(nowMs: number): ClaimLimits | null {
    const idle = [...this.#doubted].filter(([id]) => !this.#underWay.has(id));
    const resting = idle.flatMap(([id, untilMs]) => (untilMs > nowMs ? [id] : []));
    if (resting.length === idle.length) return null;
    return { limitPerRegistration: 1, except: [...this.#underWay.keys(), ...resting] };
  }

  /** Those that have as many attempts under way as they may; doubted ones aside. */
  #full(): readonly string[] {
    return [...this.#underWay].flatMap(([id, count]) =>
      !this.#doubted.has(id) && count >= (this.isTrusted(id) ? PER_TRUSTED : 1) ? [id] : [],
    );
  }
}

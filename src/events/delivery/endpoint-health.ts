// Health of each registration's endpoint as this process saw it, so that endpoints that hang or fail take nothing from the others.
import { BoundedMap } from '../../kernel/bounded-map.ts';

/** Deliveries of one registration that are under way at once while its receiver is healthy. */
export const PER_HEALTHY = 8;
/** How long a suspect one is left alone after each failure: a receiver that is down and has a thousand notifications to come is not run against in a loop. */
export const REST_MS = 1_000;
/** Registrations remembered of each health; beyond it the longest unused one is forgotten. */
const MOST_REMEMBERED = 10_000;

/** Registrations that a claim leaves out, and the most deliveries it takes of one registration. */
export interface ClaimLimits {
  readonly limitPerRegistration: number;
  readonly except: readonly string[];
}

/**
 * A registration is healthy from an attempt that was accepted in time on, suspect from one that failed or drags on, and unproven before either.
 * Only healthy ones get more than one attempt at a time.
 */
export class EndpointHealth {
  readonly #underWay = new Map<string, number>();
  readonly #healthy = new BoundedMap<string, true>(MOST_REMEMBERED);
  /** Until when they rest, ms since the Unix epoch. */
  readonly #suspect = new BoundedMap<string, number>(MOST_REMEMBERED);

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
  noteAccepted(registrationId: string): void {
    this.#suspect.take(registrationId);
    if (this.#healthy.get(registrationId) === undefined) this.#healthy.set(registrationId, true);
  }

  /** It failed, or is taking long. */
  noteFailed(registrationId: string, nowMs: number): void {
    this.#healthy.take(registrationId);
    this.#suspect.set(registrationId, nowMs + REST_MS);
  }

  isHealthy(registrationId: string): boolean {
    return this.#healthy.has(registrationId);
  }

  /** One of each registration that is not suspect. */
  limitsOfFirst(): ClaimLimits {
    return { limitPerRegistration: 1, except: [...this.#full(), ...this.#suspect.keys()] };
  }

  /** More of the healthy ones: to be claimed when `limitsOfFirst` left room, since all others that have something due are under way by then. */
  limitsOfMore(): ClaimLimits {
    return { ...this.limitsOfFirst(), limitPerRegistration: PER_HEALTHY };
  }

  /** Claim limits for suspect endpoints; null if none of them may be tried now. */
  limitsOfSuspect(nowMs: number): ClaimLimits | null {
    const idle = [...this.#suspect].filter(([id]) => !this.#underWay.has(id));
    const resting = idle.flatMap(([id, untilMs]) => (untilMs > nowMs ? [id] : []));
    if (resting.length === idle.length) return null;
    return { limitPerRegistration: 1, except: [...this.#underWay.keys(), ...resting] };
  }

  /** Those that have as many attempts under way as they may; suspect ones aside. */
  #full(): readonly string[] {
    return [...this.#underWay].flatMap(([id, count]) =>
      !this.#suspect.has(id) && count >= (this.isHealthy(id) ? PER_HEALTHY : 1) ? [id] : [],
    );
  }
}

// Serves a route whose answer is kept: the same bytes to everybody, with a validator, filled by one call at a time.
import type { Clock } from '../kernel/clock.ts';
import type { Context } from '../operations/context.ts';
import { AnswerCache, type CachedAnswer, matchesEtag } from './answer-cache.ts';
import type { Answers } from './answers.ts';
import { DATA_POLICY, type Exchange, JSON_TYPE } from './exchange.ts';
import type { InFlight } from './in-flight.ts';
import type { Route } from './route.ts';

/** Longest wait for a fill, milliseconds; upstream calls have shorter limits of their own. */
const FILL_TIMEOUT_MS = 30_000;

/** What serving needs. */
export interface CachedServing {
  readonly ctx: Context;
  readonly clock: Clock;
  readonly answers: Answers;
  readonly inFlight: InFlight;
}

/** Builds the handler of `route`, which must have `cacheTtlSeconds` and an input without members. */
export const createCachedHandler = (route: Route, ttlSeconds: number, serving: CachedServing) => {
  const { ctx, clock, answers, inFlight } = serving;
  const { operation } = route;
  const fill = async (nowMs: number): Promise<string> => {
    const input = operation.input.parse({});
    const signal = AbortSignal.timeout(FILL_TIMEOUT_MS);
    const answer = await operation.run({ ctx, input, signal, source: 'rest' });
    const cachedAt = new Date(nowMs).toISOString();
    return answers.successText({ route }, answer, nowMs, { cacheTtlSeconds: ttlSeconds, cachedAt });
  };
  const cache = new AnswerCache(ttlSeconds * 1000, clock.now, fill);

  const send = (exchange: Exchange, kept: CachedAnswer): void => {
    const freshSeconds = Math.max(0, Math.ceil(ttlSeconds - (clock.now() - kept.filledAtMs) / 1000));
    // Private: the rate-limit headers are this client's.
    const policy = [...DATA_POLICY, 'cache-control', `private, max-age=${freshSeconds}`, 'etag', kept.etag];
    if (matchesEtag(exchange.request.headers['if-none-match'], kept.etag))
      exchange.send(304, null, '', policy);
    else exchange.send(200, JSON_TYPE, kept.bytes, policy);
  };

  return (exchange: Exchange): void => {
    const kept = cache.peek();
    exchange.cache = kept === null ? 'fill' : 'hit';
    if (kept !== null) {
      send(exchange, kept);
      return;
    }
    inFlight.enter(exchange);
    exchange.onGiveUp = (reason) => answers.fail(exchange, reason);
    cache
      .refill()
      .then(
        (filled) => send(exchange, filled),
        (error: unknown) => answers.fail(exchange, error),
      )
      .finally(() => inFlight.leave(exchange));
  };
};

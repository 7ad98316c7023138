// Serves a route whose answer is kept: the same bytes to everybody, with a validator, filled by one call at a time.

import { type CachedAnswer, matchesEtag } from '../../adapter/answer-cache.ts';
import type { KeptAnswers, KeptEndpoint } from '../../adapter/kept-answers.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Answers } from './answers.ts';
import { DATA_POLICY, type Exchange, JSON_TYPE } from './exchange.ts';
import type { InFlight } from './in-flight.ts';
import type { Route } from './route.ts';

/** What serving needs. */
export interface CachedServing {
  readonly kept: KeptAnswers;
  readonly clock: Clock;
  readonly answers: Answers;
  readonly inFlight: InFlight;
}

/** Builds the handler of `route`, whose input must have no members. */
export const createCachedHandler = (route: Route & KeptEndpoint, serving: CachedServing) => {
  const { kept, clock, answers, inFlight } = serving;
  const ttlSeconds = route.cacheTtlSeconds;
  const cache = kept(route);

  const send = (exchange: Exchange, answer: CachedAnswer): void => {
    // A clock that was set back meanwhile makes nothing good for longer than its lifetime.
    const ageSeconds = Math.max(0, (clock.now() - answer.filledAtMs) / 1000);
    const freshSeconds = Math.max(0, Math.ceil(ttlSeconds - ageSeconds));
    // Private: the rate-limit headers are this client's.
    const policy = [...DATA_POLICY, 'cache-control', `private, max-age=${freshSeconds}`, 'etag', answer.etag];
    if (matchesEtag(exchange.request.headers['if-none-match'], answer.etag))
      exchange.send(304, null, '', policy);
    else exchange.send(200, JSON_TYPE, answer.bytes, policy);
  };

  return (exchange: Exchange): void => {
    const fresh = cache.peek();
    exchange.cache = fresh === null ? 'fill' : 'hit';
    if (fresh !== null) {
      send(exchange, fresh);
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

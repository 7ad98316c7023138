// Creates the target of a route: collects the operation's input, runs it and responds, or responds from the
// cache. Always wipes secrets.

import {
  type CachedEndpoint,
  type CachedResponse,
  type CachedResponses,
  isCached,
  matchesEtag,
} from '../../adapter/cached-responses.ts';
import {
  DATA_POLICY,
  type Exchange,
  HTML_TYPE,
  JSON_TYPE,
  type Target,
  TEXT_TYPE,
  UNCACHED_DATA_POLICY,
} from '../../adapter/exchange.ts';
import { type BodyMembers, expectsBody, readMembers } from '../../adapter/read-body.ts';
import { buildMeta, type MetaSource } from '../../adapter/response-meta.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import type { Context } from '../../operations/context.ts';
import type { OperationResult } from '../../operations/operation.ts';
import { planInput, readInput } from './operation-input.ts';
import { parseQuery } from './parse-query.ts';
import type { Route } from './route.ts';

/** Dependencies shared by the targets of all routes. */
interface RouteServices {
  readonly ctx: Context;
  readonly source: MetaSource;
  readonly cachedResponses: CachedResponses;
  /** True if epochs end on demand, so clients cannot know how long a response stays valid. */
  readonly endsEpochsOnDemand: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Tags of the routes that build and submit transactions and therefore have a reserve quota. */
const RESERVED: readonly Route['tag'][] = ['Stake', 'Transactions'];

/** Creates the target of `route`. Throws if the operation's input does not fit the route. */
export const createRouteTarget = (route: Route, services: RouteServices): Target => ({
  path: route.path,
  methods: [route.method],
  limited: route.unlimited !== true,
  hasReserve: route.operation.effect !== 'read' && RESERVED.includes(route.tag),
  browsers: route.browsers,
  endpoint: route,
  isEndpoint: true,
  carriesSecretKey: route.carriesSecretKey === true,
  ...(route.page === undefined ? {} : { page: route.page }),
  acts: route.operation.effect === 'act',
  isProbe: route.unlimited === true,
  serve: isCached(route) ? serveCached(route, services) : serveOperation(route, services),
});

/** Sends the same bytes to all clients, with an ETag. Only one call at a time refills the cache. */
const serveCached = (
  route: CachedEndpoint,
  { cachedResponses, endsEpochsOnDemand, clock }: RouteServices,
) => {
  const cache = cachedResponses(route);
  const send = (exchange: Exchange, answer: CachedResponse): void => {
    // Clients must not keep the response longer than its lifetime, even if the clock was set back.
    const ageSeconds = Math.max(0, (clock.now() - answer.filledAtMs) / 1000);
    const freshSeconds = endsEpochsOnDemand ? 0 : Math.max(0, Math.ceil(route.cacheTtlSeconds - ageSeconds));
    // Private, because the rate-limit headers belong to this client.
    const policy = [...DATA_POLICY, 'cache-control', `private, max-age=${freshSeconds}`, 'etag', answer.etag];
    if (matchesEtag(exchange.request.headers['if-none-match'], answer.etag))
      exchange.send(304, null, '', policy);
    else exchange.send(200, JSON_TYPE, answer.bytes, policy);
  };
  return (exchange: Exchange): void | Promise<void> => {
    const fresh = cache.peek();
    exchange.cache = fresh === null ? 'fill' : 'hit';
    if (fresh !== null) return send(exchange, fresh);
    return cache.refill().then((filled) => send(exchange, filled));
  };
};

// RFC 6750: the scheme in any case, one token without spaces.
const BEARER = /^bearer +(\S+) *$/i;

const header = (exchange: Exchange, name: string): string | undefined => {
  const value = exchange.request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** Adds a default derived from the Accept header to the query. */
const withAlternative = (
  exchange: Exchange,
  query: ReadonlyMap<string, string>,
  { alternative }: Route,
): ReadonlyMap<string, string> => {
  if (alternative === undefined || query.has(alternative.name)) return query;
  const accepted = (header(exchange, 'accept') ?? '').toLowerCase();
  const isMeant = accepted.includes(alternative.type) && !accepted.includes('json');
  return isMeant ? new Map([...query, [alternative.name, alternative.value]]) : query;
};

type Known = Readonly<Record<string, string>>;

const IDS = ['walletAddress', 'stakeAccountAddress', 'signature', 'address', 'id'] as const;

/** Returns the validated input fields whose values may appear in paths in the response. */
const idsOf = (members: Readonly<Record<string, unknown>>): Known => {
  const ids: Record<string, string> = {};
  for (const name of IDS) if (typeof members[name] === 'string') ids[name] = members[name];
  return ids;
};

const serveOperation = (route: Route, { ctx, source, clock, logger }: RouteServices) => {
  const { operation } = route;
  const plan = planInput(route);
  const takesBody = plan.body.length > 0 || route.method === 'POST';

  const readBody = async (exchange: Exchange, secrets: DisposableStack): Promise<BodyMembers> => {
    if (!takesBody || !expectsBody(exchange.request)) return { body: {}, provided: {} };
    exchange.invite();
    return readMembers(exchange.request, route.carriesSecretKey === true, secrets);
  };

  const gather = async (exchange: Exchange, secrets: DisposableStack) => {
    const { path, request } = exchange;
    const query = withAlternative(exchange, parseQuery(request.url ?? '', plan.query), route);
    const idempotencyKey = header(exchange, 'idempotency-key');
    const bearerToken = BEARER.exec(header(exchange, 'authorization') ?? '')?.[1];
    const { body, provided } = await readBody(exchange, secrets);
    return readInput(plan, { path, query, idempotencyKey, bearerToken, body, provided });
  };

  const succeed = (
    exchange: Exchange,
    { body, meta, text }: OperationResult<unknown>,
    known: Known,
  ): void => {
    const { plainText, alternative, page: pageOf } = route;
    const vary = alternative === undefined && pageOf === undefined ? [] : ['vary', 'accept'];
    const policy = [...UNCACHED_DATA_POLICY, ...vary];
    if (text !== undefined) {
      exchange.send(200, text.type, text.content, policy);
      return;
    }
    if (plainText !== undefined) {
      const members = body as Readonly<Record<string, string>>;
      const headers = Object.entries(plainText.headers).flatMap(([name, member]) => [name, members[member]!]);
      exchange.send(200, TEXT_TYPE, members[plainText.member]!, [...UNCACHED_DATA_POLICY, ...headers]);
      return;
    }
    const _meta = buildMeta(source, route, clock.now(), operation.name, meta);
    const answer = { ...(body as object), _meta };
    const shown = source.printGuidance(answer, exchange.source, known);
    const page = exchange.wantsPage ? pageOf?.(shown, exchange.request.url ?? '') : undefined;
    if (page) exchange.send(200, HTML_TYPE, page.content, [...page.policy, ...vary]);
    else exchange.send(200, JSON_TYPE, JSON.stringify(shown), policy);
  };

  return async (exchange: Exchange): Promise<void> => {
    const startedMs = performance.now();
    const { signal, client, requestId } = exchange;
    let known: Known = {};
    using secrets = new DisposableStack();
    try {
      const input = await gather(exchange, secrets);
      known = idsOf(input);
      succeed(exchange, await operation.run({ ctx, input, signal, source: exchange.source, client }), known);
    } catch (error) {
      exchange.fail(error, known);
    }
    logger[operation.effect === 'act' ? 'info' : 'debug'](
      {
        operation: operation.name,
        status: exchange.response.statusCode,
        requestId,
        durationMs: Math.round(performance.now() - startedMs),
      },
      'answered',
    );
  };
};

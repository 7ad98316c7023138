// Caches the answers of operations that take no input, once for all interfaces: whoever asks, one call fills and everybody gets the same bytes.
import { AppError, isAppError } from '../kernel/app-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Context } from '../operations/context.ts';
import { AnswerCache } from './answer-cache.ts';
import type { Endpoint } from './endpoint.ts';
import { buildMeta, type MetaSource } from './meta.ts';

/** Longest wait for a fill, milliseconds; upstream calls have shorter limits of their own. */
const FILL_TIMEOUT_MS = 30_000;

/** A fill is for everybody who asks meanwhile. */
const NOBODY = '';

/** An endpoint whose answer is cached. */
export type CachedEndpoint = Endpoint & { readonly cacheTtlSeconds: number };

/** Gives the one cache of an endpoint; its bytes are the JSON body with `_meta`. */
export type CachedAnswers = (endpoint: CachedEndpoint) => AnswerCache;

/** True where the answer of `endpoint` is cached. */
export const isCached = (endpoint: Endpoint | null): endpoint is CachedEndpoint =>
  endpoint?.cacheTtlSeconds !== undefined;

/** Starts with nothing cached. */
export const createCachedAnswers = ({
  ctx,
  source,
  clock,
}: {
  readonly ctx: Context;
  readonly source: MetaSource;
  readonly clock: Clock;
}): CachedAnswers => {
  const caches = new Map<Endpoint['operation'], AnswerCache>();

  const open = (endpoint: CachedEndpoint): AnswerCache => {
    const { operation, cacheTtlSeconds } = endpoint;
    return new AnswerCache(cacheTtlSeconds * 1000, clock.now, async (nowMs) => {
      const input = operation.input.parse({});
      const signal = AbortSignal.timeout(FILL_TIMEOUT_MS);
      const { body, meta } = await operation
        .run({ ctx, input, signal, source: 'rest', client: NOBODY })
        .catch((error: unknown) => {
          // What was still waited for when the time was over: nodes and providers alone are waited for.
          if (!signal.aborted || isAppError(error)) throw error;
          throw new AppError('UPSTREAM_UNAVAILABLE', 'The Solana RPC did not answer in time.', {
            cause: error,
          });
        });
      const cachedAt = new Date(nowMs).toISOString();
      const extras = { ...meta, cacheTtlSeconds, cachedAt };
      return JSON.stringify({ ...body, _meta: buildMeta(source, endpoint, nowMs, operation.name, extras) });
    });
  };

  return (endpoint) => {
    const known = caches.get(endpoint.operation);
    if (known !== undefined) return known;
    const cache = open(endpoint);
    caches.set(endpoint.operation, cache);
    return cache;
  };
};

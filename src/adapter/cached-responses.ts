// Caches responses of operations without input, for all interfaces. Concurrent requests share one refill.
import { createHash } from 'node:crypto';
import { AppError, isAppError } from '../kernel/app-error.ts';
import { Cache } from '../kernel/cache.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Context } from '../operations/context.ts';
import type { Endpoint } from './describe-endpoint.ts';
import { buildMeta, type MetaSource } from './response-meta.ts';

/** Maximum wait for a refill, in milliseconds. Upstream calls time out earlier. */
const FILL_TIMEOUT_MS = 30_000;

/** The client of a refill. There is none, because concurrent requests share the refill. */
const NOBODY = '';

/** An endpoint whose response is cached. */
export type CachedEndpoint = Endpoint & { readonly cacheTtlSeconds: number };

export interface CachedResponse {
  /** The body with `_meta`, before its guidance is printed for an interface. */
  readonly response: Readonly<Record<string, unknown>>;
  /** The body in the form sent over REST. */
  readonly bytes: Buffer;
  /** Strong ETag of the bytes, quoted. */
  readonly etag: string;
  readonly filledAtMs: number;
  /** See `CachedResponsesOptions.basisNow`. */
  readonly basis: string;
}

/**
 * The cache of one endpoint. Concurrent requests share one refill. A response is served stale for at most one
 * further lifetime.
 */
interface ResponseCache {
  /**
   * Returns the cached response, or null if there is none. If the response is stale, also starts a refill.
   */
  readonly peek: () => CachedResponse | null;
  /**
   * Refills the cache, or joins the refill in progress. If the refill fails, the cached response stays, and is
   * returned if it is outdated only because its basis has changed.
   */
  readonly refill: () => Promise<CachedResponse>;
}

/** Returns true if `If-None-Match` contains this ETag (weak comparison). */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) ??
  false;

/** Returns the shared cache of an endpoint; its bytes are the JSON body with `_meta`. */
export type CachedResponses = (endpoint: CachedEndpoint) => ResponseCache;

/** Returns true if the response of `endpoint` is cached. */
export const isCached = (endpoint: Endpoint | null): endpoint is CachedEndpoint =>
  endpoint?.cacheTtlSeconds !== undefined;

interface CachedResponsesOptions {
  readonly ctx: Context;
  readonly source: MetaSource;
  readonly clock: Clock;
  /**
   * Returns a key that changes when cached figures become wrong: at each phase of the epoch, and with the notices
   * about the validator. A response with another key is refilled before it is sent.
   */
  readonly basisNow?: () => string;
}

export const createCachedResponses = ({
  ctx,
  source,
  clock,
  basisNow = () => '',
}: CachedResponsesOptions): CachedResponses => {
  const caches = new Map<Endpoint['operation'], ResponseCache>();

  const open = (endpoint: CachedEndpoint): ResponseCache => {
    const { operation, cacheTtlSeconds } = endpoint;
    const fill = async (): Promise<CachedResponse> => {
      const filledAtMs = clock.now();
      const basis = basisNow();
      const input = operation.input.parse({});
      const signal = AbortSignal.timeout(FILL_TIMEOUT_MS);
      const { body, meta } = await operation
        .run({ ctx, input, signal, source: 'rest', client: NOBODY })
        .catch((error: unknown) => {
          // A refill waits only for RPC nodes and providers, so one of them caused the timeout.
          if (!signal.aborted || isAppError(error)) throw error;
          throw new AppError('UPSTREAM_UNAVAILABLE', 'The Solana RPC did not respond in time.', {
            reason: 'RPC_LATE',
            cause: error,
          });
        });
      const cachedAt = new Date(filledAtMs).toISOString();
      const extras = { ...meta, cacheTtlSeconds, cachedAt };
      const _meta = buildMeta(source, endpoint, filledAtMs, operation.name, extras);
      const response = { ...body, _meta };
      const bytes = Buffer.from(JSON.stringify(source.printGuidance(response, 'rest', {})));
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
      return { response, bytes, etag, filledAtMs, basis };
    };
    const lifeMs = cacheTtlSeconds * 1000;
    const cache = new Cache({ freshMs: lifeMs, staleMs: lifeMs, clock, load: fill });
    return {
      peek: () => {
        const entry = cache.peek();
        if (entry !== null && entry.value.basis !== basisNow()) return null;
        // A failed refill is reported by the request that waits for it.
        if (entry?.isStale) cache.refresh().catch(() => {});
        return entry?.value ?? null;
      },
      refill: async () => {
        try {
          return (await cache.refresh()).value;
        } catch (error) {
          const kept = cache.peek();
          if (kept === null || kept.value.basis === basisNow()) throw error;
          return kept.value;
        }
      },
    };
  };

  return (endpoint) => {
    const known = caches.get(endpoint.operation);
    if (known !== undefined) return known;
    const cache = open(endpoint);
    caches.set(endpoint.operation, cache);
    return cache;
  };
};

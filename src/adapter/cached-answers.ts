// Caches the answers of operations that take no input, shared by all interfaces; one call fills an entry.
import { createHash } from 'node:crypto';
import { AppError, isAppError } from '../kernel/app-error.ts';
import { Cache } from '../kernel/cache.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Context } from '../operations/context.ts';
import { buildMeta, type MetaSource } from './answer-meta.ts';
import type { Endpoint } from './endpoint.ts';

/** Longest wait for a fill, milliseconds; upstream calls have shorter limits of their own. */
const FILL_TIMEOUT_MS = 30_000;

/** A fill is for everybody who asks meanwhile. */
const NOBODY = '';

/** An endpoint whose answer is cached. */
export type CachedEndpoint = Endpoint & { readonly cacheTtlSeconds: number };

/** A cached answer. */
export interface CachedAnswer {
  /** The body with `_meta`, its guidance not printed yet. */
  readonly answer: Readonly<Record<string, unknown>>;
  /** The body as REST sends it. */
  readonly bytes: Buffer;
  /** Strong validator of the bytes, quoted. */
  readonly etag: string;
  readonly filledAtMs: number;
}

/** The cache of one endpoint: filled by one call however many ask, stale for at most one further lifetime. */
interface AnswerCache {
  /** The cached answer while it is fresh; a stale one starts a refill and is still given; null when there is nothing to give yet. */
  readonly peek: () => CachedAnswer | null;
  /** Fills anew, or joins the fill under way. A failure leaves what was cached. */
  readonly refill: () => Promise<CachedAnswer>;
}

/** True when `If-None-Match` names this entity (weak comparison). */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) ??
  false;

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
    const fill = async (): Promise<CachedAnswer> => {
      const filledAtMs = clock.now();
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
      const cachedAt = new Date(filledAtMs).toISOString();
      const extras = { ...meta, cacheTtlSeconds, cachedAt };
      const _meta = buildMeta(source, endpoint, filledAtMs, operation.name, extras);
      const answer = { ...body, _meta };
      const bytes = Buffer.from(JSON.stringify(source.printGuidance(answer, 'rest', {})));
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
      return { answer, bytes, etag, filledAtMs };
    };
    const lifeMs = cacheTtlSeconds * 1000;
    const cache = new Cache({ freshMs: lifeMs, staleMs: lifeMs, clock, load: fill });
    return {
      peek: () => {
        const entry = cache.peek();
        // A refill that fails is reported by the request that has to wait for one.
        if (entry?.isStale) cache.refresh().catch(() => {});
        return entry?.value ?? null;
      },
      refill: async () => (await cache.refresh()).value,
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

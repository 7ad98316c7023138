// Caches a value read from the chain; a load that takes too long is the RPC being away.
import { AppError } from '../kernel/app-error.ts';
import { Cache, type CacheOptions } from '../kernel/cache.ts';

/** How a value is cached. */
interface ChainCacheOptions<T> extends Omit<CacheOptions<T>, 'load' | 'staleMs' | 'pauseMs'> {
  /** For one whole load, ms. Default 25,000: several calls of at most 10 s each. */
  readonly timeoutMs?: number;
  /** Aborts when the owner stops. */
  readonly lifetime: AbortSignal;
  /** One load, under a signal of its own: one caller that gives up does not cancel it for the others. */
  readonly load: (signal: AbortSignal) => Promise<T>;
}

const LOAD_TIMEOUT_MS = 25_000;

/** A cache whose reads reject as `load` does, and with `UPSTREAM_UNAVAILABLE` when that takes too long. */
export const createChainCache = <T>({
  timeoutMs = LOAD_TIMEOUT_MS,
  lifetime,
  load,
  ...options
}: ChainCacheOptions<T>): Cache<T> =>
  new Cache({
    ...options,
    load: async () => {
      const deadline = AbortSignal.timeout(timeoutMs);
      return await load(AbortSignal.any([lifetime, deadline])).catch((error: unknown) => {
        if (!deadline.aborted) throw error;
        throw new AppError('UPSTREAM_UNAVAILABLE', 'The Solana RPC did not answer in time.', {
          cause: error,
        });
      });
    },
  });

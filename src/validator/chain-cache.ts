// Caches a value read from the chain. A slow load counts as an unavailable RPC.
import { AppError } from '../kernel/app-error.ts';
import { Cache, type CacheOptions } from '../kernel/cache.ts';

interface ChainCacheOptions<T> extends Omit<CacheOptions<T>, 'load' | 'staleMs' | 'pauseMs'> {
  /** Timeout of one whole load, in ms. Default: 25,000, for several calls of at most 10 s each. */
  readonly timeoutMs?: number;
  /** Aborted when the owner stops. */
  readonly lifetime: AbortSignal;
  /**
   * Loads the value with a signal of its own, so that one caller's abort does not cancel the load for the
   * others.
   */
  readonly load: (signal: AbortSignal) => Promise<T>;
}

const LOAD_TIMEOUT_MS = 25_000;

/** Creates a cache whose reads reject like `load`, or with `UPSTREAM_UNAVAILABLE` on timeout. */
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
        throw new AppError('UPSTREAM_UNAVAILABLE', 'The Solana RPC did not respond in time.', {
          reason: 'RPC_LATE',
          cause: error,
        });
      });
    },
  });

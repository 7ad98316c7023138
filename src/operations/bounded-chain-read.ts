// Limits how long a response waits for the chain if it can also show the last known data.
import { orAbort } from '../kernel/abort.ts';
import { isAppError } from '../kernel/app-error.ts';
import type { Context } from './context.ts';

/** Maximum wait, in ms. Without it, a hanging node would delay the response by many seconds. */
const WAIT_MS = 3_000;
/** Maximum wait while no RPC node responds, in ms: enough for a read from a cache. */
const CACHED_WAIT_MS = 100;

/**
 * Reads the chain. Returns null if that fails or takes too long, and at once if it is already known that no
 * RPC node responds. Rejects if `signal` is aborted.
 */
export const boundedChainRead = async <T>(
  {
    chain: { cluster },
  }: { readonly chain: { readonly cluster: Pick<Context['chain']['cluster'], 'isReachable'> } },
  read: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  waitMs: number = WAIT_MS,
): Promise<T | null> => {
  const timeout = AbortSignal.timeout(cluster.isReachable() ? waitMs : CACHED_WAIT_MS);
  const within = AbortSignal.any([signal, timeout]);
  try {
    return await orAbort(read(within), within);
  } catch (error) {
    if (!signal.aborted && (within.aborted || isAppError(error, 'UPSTREAM_UNAVAILABLE'))) return null;
    throw error;
  }
};

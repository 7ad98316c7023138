// Limits how long a response waits for the chain if it can also show the last known data.
import { orAbort } from '../../kernel/abort.ts';
import { isAppError } from '../../kernel/app-error.ts';

/** Maximum wait, in ms. Without it, a hanging node would delay the response by many seconds. */
const WAIT_MS = 3_000;

/** Reads the chain. Returns null if that fails or takes too long. Rejects if `signal` is aborted. */
export const boundedChainRead = async <T>(
  read: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T | null> => {
  const within = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]);
  try {
    return await orAbort(read(within), within);
  } catch (error) {
    if (!signal.aborted && (within.aborted || isAppError(error, 'UPSTREAM_UNAVAILABLE'))) return null;
    throw error;
  }
};

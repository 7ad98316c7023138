// Limits the wait for the chain in responses that can also show the last data that was read.
import { orAbort } from '../../kernel/abort.ts';
import { isAppError } from '../../kernel/app-error.ts';

/** Maximum wait, in ms. Otherwise, a node that hangs is given up on only after many seconds. */
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

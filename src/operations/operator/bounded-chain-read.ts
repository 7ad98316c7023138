// Bounds the wait for the chain in responses that can also show what was read last.
import { orAbort } from '../../kernel/abort.ts';
import { isAppError } from '../../kernel/app-error.ts';

/** Maximum wait in ms. A node that hangs is otherwise only given up after many seconds. */
const WAIT_MS = 3_000;

/** Returns null if the chain cannot be read, or not soon. Rejects if `signal` is aborted. */
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

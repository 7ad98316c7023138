// Abortable waiting: races work against a signal, and pauses.
import type { Clock } from './clock.ts';

/**
 * Resolves with the result of `work`, or rejects with the signal's reason if it aborts first. `work` itself
 * continues.
 */
export const orAbort = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

/** Resolves after `ms`, or when the signal aborts. Never rejects. */
export const pause = (clock: Pick<Clock, 'sleep'>, ms: number, signal: AbortSignal): Promise<void> =>
  clock.sleep(ms, signal).catch(() => undefined);

// Keeps the records that the operator console last read from the store, and shows them with their time while the
// store is unavailable.
import { orAbort } from '../../kernel/abort.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../shared-schemas.ts';

/** Records of the store. */
interface Records<T> {
  readonly records: T;
  /** Time at which they were read, if the store is currently unavailable; null if they are current. */
  readonly recordsAsOf: string | null;
}

/** Schema of `recordsAsOf` in responses with records of the store. */
export const recordsAsOfSchema = timestamp(
  'Time of the records of the store, if it is currently unavailable; null if they are current.',
).nullable();

/** Maximum wait for a store that hangs if there are records to show, in ms. */
const WAIT_MS = 1_000;
/** Maximum number of kept reads. Each is one page at most. */
const MAX_KEPT = 100;

interface Read {
  readonly records: unknown;
  readonly atMs: number;
}

/** The reads of each store by key, oldest first. */
const kept = new WeakMap<object, Map<string, Read>>();

/**
 * Reads records, or returns those that `key` last read if the store is unavailable. If there are none, returns
 * `unknown`, or rejects with `AppError('STORE_UNAVAILABLE')` if that is absent too.
 */
export const readRecords = async <T>(
  { store, clock }: { readonly store: object; readonly clock: Context['clock'] },
  key: string,
  read: () => Promise<T>,
  unknown?: T,
): Promise<Records<T>> => {
  const reads = kept.get(store) ?? new Map<string, Read>();
  kept.set(store, reads);
  const newest = [...reads.values()].at(-1);
  const last =
    reads.get(key) ??
    (unknown === undefined || newest === undefined ? undefined : { records: unknown, atMs: newest.atMs });
  const within = AbortSignal.timeout(WAIT_MS);
  try {
    const records = await (last === undefined ? read() : orAbort(read(), within));
    reads.delete(key);
    reads.set(key, { records, atMs: clock.now() });
    if (reads.size > MAX_KEPT) reads.delete(reads.keys().next().value!);
    return { records, recordsAsOf: null };
  } catch (error) {
    if (last === undefined || !(within.aborted || isAppError(error, 'STORE_UNAVAILABLE'))) throw error;
    return { records: last.records as T, recordsAsOf: new Date(last.atMs).toISOString() };
  }
};

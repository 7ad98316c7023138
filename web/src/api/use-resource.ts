// The hook by which views read: the last good answer, why there is no newer one, and whether it is stale.
import { useCallback, useSyncExternalStore } from 'react';
import { follow, type Load, peek, type ResourceState, refresh } from './resources.ts';

/** A value with what a view shows of its age. */
export interface Resource<Data> extends ResourceState<Data> {
  /** There is data, and reading it again failed: show it, and say from when it is. */
  readonly stale: boolean;
  /** Nothing was read yet, and nothing failed yet. */
  readonly pending: boolean;
  /** Reads it again now. */
  readonly refresh: () => void;
}

/**
 * Reads and follows a value. The same `key` is read once however many components ask, so it must name all that `load` depends on.
 * `key` null: nothing to read yet.
 * `refreshMs`: how old it may get while shown; default: it is read once.
 */
export const useResource = <Data>(
  key: string | null,
  load: Load<Data>,
  refreshMs = Number.POSITIVE_INFINITY,
): Resource<Data> => {
  // The reading that came with the key: a later one may be of another key, while this one is still followed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is read
  const subscribe = useCallback(
    (listener: () => void) => (key === null ? () => undefined : follow(key, load, refreshMs, listener)),
    [key, refreshMs],
  );
  const state = useSyncExternalStore(subscribe, () => peek<Data>(key));
  const again = useCallback(() => {
    if (key !== null) refresh(key);
  }, [key]);
  return {
    ...state,
    stale: state.error !== undefined && state.data !== undefined,
    pending: state.data === undefined && state.error === undefined,
    refresh: again,
  };
};

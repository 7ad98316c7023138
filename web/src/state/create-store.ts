// The smallest store there is: a value, its listeners, and a hook that follows it.
import { useSyncExternalStore } from 'react';

/** A value that components can follow. */
export interface Store<Value> {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  /** Returns the function that ends it. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** A store with a first value. Setting the same value again tells nobody. */
export const createStore = <Value>(first: Value): Store<Value> => {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** The store's value now and from now on. */
export const useStore = <Value>(store: Store<Value>): Value =>
  useSyncExternalStore(store.subscribe, store.get);

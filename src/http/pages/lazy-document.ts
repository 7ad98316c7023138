// Documents that describe the service rather than being part of its interface: made and compressed at the first request, then served from memory.
import { type StoredFile, storeText } from './send-file.ts';

/** One document. */
export interface LazyDocument {
  readonly path: string;
  readonly contentType: string;
  /** Headers, names and values in turn: what it may load, who may frame and cache it. */
  readonly policy: readonly string[];
  readonly file: () => StoredFile;
}

/** Calls `make` when first needed and stores what it gave. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/** A page whose `text` is made once. */
export const createLazyDocument = (
  path: string,
  contentType: string,
  policy: readonly string[],
  text: () => string,
): LazyDocument => ({ path, contentType, policy, file: once(() => storeText(text())) });

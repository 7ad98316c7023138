// Documents that are not API responses. Each is built and compressed at the first request, then served from
// memory.
import { type StoredFile, storeText } from './send-file.ts';

/** One document. */
export interface LazyDocument {
  readonly path: string;
  readonly contentType: string;
  /**
   * Headers (alternating names and values) that control what the document may load, who may frame it and how it
   * is cached.
   */
  readonly policy: readonly string[];
  readonly file: () => StoredFile;
}

/** Returns a function that calls `make` on first use and then returns the same result. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

export const createLazyDocument = (
  path: string,
  contentType: string,
  policy: readonly string[],
  text: () => string,
): LazyDocument => ({ path, contentType, policy, file: once(() => storeText(text())) });

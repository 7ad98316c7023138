// Documents that describe the service rather than being part of its interface: made and compressed at the first request, then served from memory.

/** One document. */
export interface Page {
  readonly path: string;
  readonly contentType: string;
  readonly text: () => string;
  /** Headers, names and values in turn: what it may load, who may frame and keep it. */
  readonly policy: readonly string[];
}

/** Calls `make` at the first need and keeps what it gave. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

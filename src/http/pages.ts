// Documents that describe the service rather than being part of its interface: made once, at the first request, then served from memory.

/** One document. */
export interface Page {
  readonly path: string;
  readonly contentType: string;
  readonly text: () => string;
  /** Headers, names and values in turn: what it may load, who may frame and keep it. */
  readonly policy: readonly string[];
  /** Counted by the rate limit. */
  readonly limited: boolean;
}

// Ages by a clock that may be set back.

/** How long ago `atMs` was at `nowMs`, ms; endless where it lies ahead: the clock was set back since, and how old something is cannot be told. */
export const ageMs = (atMs: number, nowMs: number): number =>
  nowMs < atMs ? Number.POSITIVE_INFINITY : nowMs - atMs;

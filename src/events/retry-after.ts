// Reads `Retry-After` as RFC 9110 has it: whole seconds, or a date.

/** Milliseconds from `nowMs` on, never negative; null for what is neither. */
export const parseRetryAfter = (text: string | undefined, nowMs: number): number | null => {
  if (text === undefined) return null;
  if (/^\d{1,10}$/.test(text.trim())) return Number(text) * 1_000;
  // `Date.parse` takes far more than HTTP dates; all of those begin with a day's name.
  const atMs = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text.trim()) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
};

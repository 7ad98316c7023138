// Reads `Retry-After` as RFC 9110 has it: whole seconds, or a date.

/** `Date.parse` takes far more than HTTP dates; all of those begin with a day's name. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;
/** The oldest form of them names none, and means this one; `Date.parse` would take it for the machine's own. */
const ZONE = /(?:GMT|UTC?|Z|[+-]\d{4})$/;

/** Milliseconds from `nowMs` on, never negative; null for what is neither. */
export const parseRetryAfter = (text: string | undefined, nowMs: number): number | null => {
  const asked = text?.trim() ?? '';
  if (/^\d+$/.test(asked)) return Number(asked) * 1_000;
  const atMs = HTTP_DATE.test(asked) ? Date.parse(ZONE.test(asked) ? asked : `${asked} GMT`) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
};

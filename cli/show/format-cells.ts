// Formats values in tables: exact amounts, times as durations, and unknown values as a dash.
import type { Apy } from '../../client/generated/validator-operations.ts';
import { duration } from '../../src/domain/duration.ts';
import { plain } from './plain-text.ts';

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 9, useGrouping: true });

/** Formats a SOL amount with all its decimals, and null as a dash. */
export const sol = (amount: number | null | undefined): string =>
  amount === null || amount === undefined ? '-' : WHOLE.format(amount);

/** Formats a count with separators, and null as a dash. */
export const count = (value: number | null | undefined): string =>
  value === null || value === undefined ? '-' : WHOLE.format(value);

/** Formats a percentage with two decimals, and null as a dash. */
export const percent = (value: number | null | undefined): string =>
  value === null || value === undefined ? '-' : `${value.toFixed(2)}%`;

/** Formats an annual yield, as a lower bound if tips are unknown. */
export const yearlyYield = (
  apy: { readonly totalApy: number | null; readonly atLeastApy: number | null } | undefined,
): string =>
  apy !== undefined && apy.totalApy === null && apy.atLeastApy !== null
    ? `at least ${percent(apy.atLeastApy)} per year, excluding tips`
    : apy === undefined || apy.totalApy === null
      ? '-'
      : `${percent(apy.totalApy)} a year`;

/**
 * Formats the interval of a yield and how many earlier intervals held, or the reason why there is no interval.
 */
export const yieldInterval = ({
  interval,
  intervalMissing,
  pastIntervals: { said, held },
}: Pick<Apy, 'interval' | 'intervalMissing' | 'pastIntervals'>): string => {
  if (interval === null) return intervalMissing === null ? '-' : plain(intervalMissing.text);
  const score = said === 0 ? '' : `; ${held} of ${said} earlier intervals held`;
  return `${percent(interval.lowApy)} to ${percent(interval.highApy)} a year over the next ${interval.horizonEpochs} epochs${score}`;
};

const NEAR_MS = 20 * 3_600_000;
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

/**
 * Formats an estimated time on this machine's clock, with the time until then: `about 11:07, in 5 min`. If
 * the bounds are more than ten minutes apart: `about Fri 27 Nov 11:07, in 1 d 3 h (10:50 to 11:24)`.
 */
export const readyAt = (
  { estimatedAt, earliestAt, latestAt }: Readonly<Record<'estimatedAt' | 'earliestAt' | 'latestAt', string>>,
  nowMs: number,
): string => {
  const [at, earliest, latest] = [estimatedAt, earliestAt, latestAt].map((iso) => Date.parse(iso));
  if (!Number.isFinite(at)) return plain(estimatedAt);
  const day = at! - nowMs > NEAR_MS ? `${DAY.format(at).replace(',', '')} ` : '';
  const seconds = (at! - nowMs) / 1000;
  const isWide = latest! - earliest! > 600_000;
  return [
    `about ${day}${CLOCK.format(at)}, ${seconds < 60 ? 'in less than a minute' : `in ${duration(seconds < 3600 ? Math.round(seconds / 60) * 60 : seconds)}`}`,
    ...(isWide ? [` (${CLOCK.format(earliest)} to ${CLOCK.format(latest)})`] : []),
  ].join('');
};

/**
 * Formats an ISO time in this machine's time zone, to the minute or the second, and null as a dash. JSON and CSV
 * keep the ISO time in UTC.
 */
export const instant = (iso: string | null | undefined, to: 'minute' | 'second' = 'minute'): string => {
  if (iso === null || iso === undefined) return '-';
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return plain(iso);
  return at.toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: to === 'minute' ? 'short' : 'medium' });
};

/** Names the time zone of all times for people, for example Europe/Berlin. Every output names it once. */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The line that names the time zone of a list. */
export const timeZoneLine = (): string => `Times in ${timeZone()}.`;

/** Shortens an address or a signature. The beginning of an address is enough to identify a stake account. */
export const shortAddress = (text: string): string => `${text.slice(0, 4)}…${text.slice(-4)}`;

/**
 * Formats a link to an explorer. Returns null if there is none, and for links to Solana's explorer that only
 * say that the cluster is a custom one: the explorer does not know its RPC URL.
 */
export const explorerLink = (url: string | null | undefined): string | null =>
  !url || /^https:\/\/explorer\.solana\.com\/.*\?cluster=custom$/.test(url) ? null : plain(url);

/** Formats that link as a pair for `formatPairs`. */
export const explorerPair = (
  name: string,
  url: string | null | undefined,
): readonly [string, string] | null => {
  const link = explorerLink(url);
  return link === null ? null : [name, link];
};

// Formats amounts and times (UTC) in operator alerts for people. Exact values are in the facts of an alert.
import { formatSol } from '../lamports.ts';

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Amounts below this many lamports are too small to show. */
const SHOWN_STEP = 100_000n;

/**
 * Formats an amount with thousands separators and at most four decimals, truncated, e.g. `1,204.5`; `less
 * than 0.0001` for dust.
 */
export const shortSol = (lamports: bigint): string => {
  const magnitude = lamports < 0n ? -lamports : lamports;
  if (magnitude > 0n && magnitude < SHOWN_STEP) return 'less than 0.0001';
  const [whole, fraction] = formatSol((magnitude / SHOWN_STEP) * SHOWN_STEP).split('.');
  return `${lamports < 0n ? '-' : ''}${grouped.format(BigInt(whole!))}${fraction === undefined ? '' : `.${fraction}`}`;
};

const DATE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
});

/** Formats a time in UTC, e.g. `26 Nov 2026, 14:02 UTC`. */
export const utcTime = (atMs: number): string => DATE.format(atMs);

/** Formats a period in UTC, e.g. `from 26 Nov 2026, 14:02 to 14:10 UTC`. */
export const utcPeriod = (fromMs: number, toMs: number): string => {
  const [from, to] = [utcTime(fromMs), utcTime(toMs)];
  const [day] = from.split(',');
  return to.startsWith(`${day},`)
    ? `from ${from.slice(0, -' UTC'.length)} to${to.slice(day!.length + 1)}`
    : `from ${from} to ${to}`;
};

// Formats figures in tables: exact amounts, times as durations, unknown values as a dash.
import { plain } from './plain-text.ts';

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 9, useGrouping: true });

/** An amount of SOL with all its decimals; a dash for null. */
export const sol = (amount: number | null | undefined): string =>
  amount === null || amount === undefined ? '-' : WHOLE.format(amount);

/** A count with separators; a dash for null. */
export const count = (value: number | null | undefined): string =>
  value === null || value === undefined ? '-' : WHOLE.format(value);

/** Percent with two decimals; a dash for null. */
export const percent = (value: number | null | undefined): string =>
  value === null || value === undefined ? '-' : `${value.toFixed(2)} %`;

/** An annual yield; marked as a lower bound if tips are unknown. */
export const yearlyYield = (
  apy: { readonly totalApy: number | null; readonly atLeastApy: number | null } | undefined,
): string =>
  apy !== undefined && apy.totalApy === null && apy.atLeastApy !== null
    ? `at least ${percent(apy.atLeastApy)} a year, excluding tips`
    : `${percent(apy?.totalApy)} a year`;

/** A duration in its two largest units: `2 d 3 h`, `4 min 5 s`. */
export const duration = (seconds: number | null | undefined): string => {
  if (seconds === null || seconds === undefined) return '-';
  let rest = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  for (const [unit, length] of [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ] as const) {
    const amount = Math.floor(rest / length);
    rest -= amount * length;
    if (amount > 0) parts.push(`${amount} ${unit}`);
  }
  return parts.slice(0, 2).join(' ') || '0 s';
};

/** An ISO time to the minute in UTC; a dash for null. */
export const instant = (iso: string | null | undefined): string =>
  iso === null || iso === undefined ? '-' : plain(iso).slice(0, 16).replace('T', ' ');

// Formats figures and times of the API. Exact amounts never lose a lamport.
import { durationParts } from '../../../src/domain/duration.ts';
import { formatSol, LAMPORTS_PER_SOL, parseSol } from '../../../src/domain/lamports.ts';
import { defineWords } from '../words/define-words.ts';
import { figuresEnglish } from '../words/en/figures.ts';
import { dateLocale, isConsole, locale } from '../words/language.ts';

const { say } = defineWords('figures', figuresEnglish);

const grouped = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
/** The decimal separator of the page's language. */
const POINT = (0.1).toLocaleString(locale).charAt(1);

/** Returns the lamports of a `…Sol` number in a response; 0 for an invalid amount. */
export const lamportsOf = (sol: number): bigint => {
  const lamports = parseSol(String(sol));
  return typeof lamports === 'bigint' ? lamports : 0n;
};

/**
 * Formats lamports as SOL text with thousands separators and at most `digits` decimals (default 9, truncated,
 * never rounded up), filled with zeros up to `least`.
 */
export const solText = (lamports: bigint, digits = 9, least = 0): string => {
  const step = 10n ** BigInt(9 - Math.min(9, digits));
  const cut = (lamports / step) * step;
  const [whole = '0', fraction = ''] = formatSol(cut).split('.');
  const decimals = fraction.padEnd(least, '0');
  const sign = whole.startsWith('-') ? '-' : '';
  return `${sign}${grouped.format(BigInt(whole.replace('-', '')))}${decimals && POINT + decimals}`;
};

/** Formats an exact amount for an input field, without thousands separators. */
export const solField = (lamports: bigint): string => formatSol(lamports).replace('.', POINT);

/** Returns the lamports of an amount in either unit: lamports as `bigint`, SOL as `number`. */
const toLamports = (sol: number | bigint): bigint => (typeof sol === 'bigint' ? sol : lamportsOf(sol));

/** Returns the number of decimals shown for an amount of this size; small rewards need more. */
const decimalsFor = (magnitude: bigint): number =>
  magnitude >= 1000n * LAMPORTS_PER_SOL
    ? 2
    : magnitude >= LAMPORTS_PER_SOL / 100n
      ? 4
      : magnitude >= 10_000n
        ? 6
        : 9;

/**
 * Formats an amount for display: whole amounts without decimals, all others with two to four, truncated.
 * Amounts below 0.01 SOL keep their significant digits. `exactSol` shows all decimals.
 */
export const solShort = (sol: number | bigint | null): string => {
  if (sol === null) return '–';
  const lamports = toLamports(sol);
  const digits = decimalsFor(lamports < 0n ? -lamports : lamports);
  return solText(lamports, digits, lamports % LAMPORTS_PER_SOL === 0n ? 0 : 2);
};

/** Formats the same amount to the lamport. */
export const exactSol = (sol: number | bigint): string => solText(toLamports(sol));

/** Formats a number with this many decimals. */
export const decimal = (value: number, digits: number): string => value.toFixed(digits).replace('.', POINT);

const significant = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3, useGrouping: false });

/** Formats a number with three significant digits, for an axis. */
export const axisNumber = (value: number): string => significant.format(value);

/** Formats percent with two decimals; a dash for unknown. */
export const percent = (value: number | null | undefined, digits = 2): string =>
  value === null || value === undefined ? '–' : say('percent', { value: decimal(value, digits) });

/** An annual yield, with the notices of the response. */
interface Yield {
  readonly totalApy: number | null;
  readonly atLeastApy: number | null;
  readonly notices?: readonly { readonly severity: string }[];
}

/** True if stake earns nothing now, for the reason that a critical notice gives. */
export const earnsNothing = ({ totalApy, atLeastApy, notices }: Yield): boolean =>
  (totalApy ?? atLeastApy) === null && notices?.find(({ severity }) => severity === 'critical') !== undefined;

/** Formats an annual yield, marked as a lower bound if tips are unknown. */
export const yearlyYield = (apy: Yield): string =>
  apy.totalApy !== null
    ? percent(apy.totalApy)
    : apy.atLeastApy !== null
      ? say('atLeast', { yield: percent(apy.atLeastApy) })
      : say(earnsNothing(apy) ? 'noYield' : 'yieldUnknown');

/** Formats a count with thousands separators; a dash for unknown. */
export const count = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : grouped.format(value);

/** Formats a range of epochs, inclusive: `epoch 801` or `epochs 801 to 830`. */
export const epochRange = (from: number | null, to: number | null): string =>
  from === to ? say('epoch', { epoch: String(to) }) : say('epochs', { from: String(from), to: String(to) });

/** Formats a duration in its largest unit and the next one, to be read after "in", such as `1 d 4 h`. */
export const durationText = (seconds: number): string =>
  durationParts(seconds)
    .map(([amount, unit]) => say(unit, { amount }))
    .join(' ');

/** Formats `m:ss`, or `h:mm:ss` from one hour on, for visible countdowns. */
export const countdown = (seconds: number): string => {
  const left = Math.max(0, Math.ceil(seconds));
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(left / 3600), Math.floor((left % 3600) / 60)];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(left % 60)}` : `${minutes}:${two(left % 60)}`;
};

const { hour12 } = new Intl.DateTimeFormat(dateLocale, { hour: 'numeric' }).resolvedOptions();
/** Examples: 6:05 PM, 06:05. */
const CLOCK = { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit' } as const;
export const clockTime = new Intl.DateTimeFormat(dateLocale, CLOCK);

export const HOUR_MS = 3_600_000;

const DATE = new Intl.DateTimeFormat(dateLocale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  ...CLOCK,
  ...(isConsole && { timeZone: 'UTC', timeZoneName: 'short' }),
});

/** Formats an ISO time as date and time of day, in the page's language. */
export const dateText = (iso: string): string => DATE.format(Date.parse(iso));

const LAST_DATE_SECONDS = 8_640_000_000_000;

/**
 * Formats Unix seconds in the same way. Times beyond the latest date that `Date` can represent become that
 * date.
 */
export const unixDateText = (seconds: number): string =>
  DATE.format(Math.min(seconds, LAST_DATE_SECONDS) * 1_000);

const isNear = (iso: string, nowMs: number): boolean =>
  !isConsole && Math.abs(Date.parse(iso) - nowMs) < 20 * HOUR_MS;

/**
 * Formats a time within 20 hours of `nowMs` as time of day, and any other with the date, like `dateText`. The
 * operator console always shows the date.
 */
export const timeText = (iso: string, nowMs: number = Date.now()): string =>
  (isNear(iso, nowMs) ? clockTime : DATE).format(Date.parse(iso));

/**
 * Formats a time like `timeText`, with its preposition, for use inside a sentence. `text` replaces the
 * formatted time.
 */
export const atTimeText = (
  iso: string,
  nowMs: number = Date.now(),
  text: string = timeText(iso, nowMs),
): string => say(isNear(iso, nowMs) ? 'atTime' : 'onDate', { time: text });

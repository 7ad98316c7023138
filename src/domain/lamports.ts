// Amounts. Lamports are bigint everywhere. SOL numbers only exist at the edge and are parsed from text, never
// from a double.

/** 1 SOL, in lamports. */
export const LAMPORTS_PER_SOL = 1_000_000_000n;

/** The largest `amountSol` that the API accepts. */
export const MAX_AMOUNT_SOL = 9_000_000;

/** Reasons why a number is refused as an amount. */
type AmountProblem = 'not_a_number' | 'too_many_decimals';

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

// The largest double is below 10^309. Larger values are refused before their power of ten is computed.
const MAX_POWER = 309;

const countTrailingZeros = (digits: string): number => {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end -= 1;
  return digits.length - end;
};

/**
 * Parses a JSON number literal as lamports, exactly. Refuses more than 9 significant decimals, but allows
 * trailing zeros. Keeps the sign; the caller checks the range. Takes linear time.
 */
export const parseSol = (literal: string): bigint | AmountProblem => {
  const match = DECIMAL.exec(literal);
  if (!match) return 'not_a_number';
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return 0n;
  const significant = digits.slice(0, digits.length - countTrailingZeros(digits));
  // The value is significant × 10^power SOL; one SOL is 10^9 lamports.
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  if (power + significant.length > MAX_POWER) return 'not_a_number';
  if (power < -9) return 'too_many_decimals';
  const lamports = BigInt(significant) * 10n ** BigInt(power + 9);
  return sign ? -lamports : lamports;
};

/** Formats lamports as a decimal SOL literal without trailing zeros, e.g. `1.5`, `-0.000000001`. */
export const formatSol = (lamports: bigint): string => {
  const magnitude = lamports < 0n ? -lamports : lamports;
  const whole = magnitude / LAMPORTS_PER_SOL;
  const fraction = (magnitude % LAMPORTS_PER_SOL).toString().padStart(9, '0').replace(/0+$/, '');
  return `${lamports < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
};

// Below 2^23 SOL, half the distance between doubles is less than half a lamport, so the shortest decimal that
// parses back is exact.
const EXACT_IN_DOUBLE_LAMPORTS = 2n ** 23n * LAMPORTS_PER_SOL;

/**
 * Converts lamports to the JSON number of a `…Sol` field, exact to the lamport. Beyond 8,388,608 SOL, where
 * doubles are too coarse, the result is a raw JSON literal for `JSON.stringify` only. Never calculate with
 * it.
 */
export const solNumber = (lamports: bigint): number => {
  const exact = lamports < EXACT_IN_DOUBLE_LAMPORTS && lamports > -EXACT_IN_DOUBLE_LAMPORTS;
  // Both numbers are exact doubles, so the quotient is rounded once, to the same double that parsing the
  // decimal yields.
  return exact ? Number(lamports) / Number(LAMPORTS_PER_SOL) : (rawJson(formatSol(lamports)) as number);
};

/** Like `solNumber`, but returns null for null. */
export const solOrNull = (lamports: bigint | null): number | null =>
  lamports === null ? null : solNumber(lamports);

/** Formats an amount for a sentence: a decimal in the text, and a JSON number of SOL in the parameters. */
export const solFigure = (lamports: bigint): { readonly shown: string; readonly value: number } => ({
  shown: formatSol(lamports),
  value: solNumber(lamports),
});

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Converts lamports to a JSON integer, or to a raw literal beyond 2^53. */
export const lamportsNumber = (lamports: bigint): number =>
  lamports <= MAX_SAFE && lamports >= -MAX_SAFE ? Number(lamports) : (rawJson(lamports.toString()) as number);

const rawJson = (JSON as unknown as { rawJSON: (literal: string) => unknown }).rawJSON;

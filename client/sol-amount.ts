// Converts between SOL and lamports without rounding.

/**
 * A SOL amount to send, as a number or as decimal text. A number is exact to the lamport up to 8,388,608 SOL.
 * Pass larger amounts as text, and amounts that are already text unchanged.
 */
export type SolAmount = number | string;

const LAMPORTS_PER_SOL = 1_000_000_000n;
const DECIMAL = /^(\d+)(?:\.(\d{1,9}))?$/;

/**
 * Converts SOL to lamports. Throws `RangeError` if the amount is negative, not a number, or has more than nine
 * decimals. A number is read as its shortest decimal text, as in JSON.
 */
export const solToLamports = (sol: SolAmount): bigint => {
  // JavaScript writes small numbers such as 1e-9 with an exponent.
  const text = typeof sol === 'number' && Math.abs(sol) < 1e-6 ? sol.toFixed(9) : String(sol);
  const [, whole, decimals = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined || (typeof sol === 'number' && sol !== 0 && Number(text) !== sol))
    throw new RangeError('an amount of SOL must be a non-negative decimal number with at most nine decimals');
  return BigInt(whole) * LAMPORTS_PER_SOL + BigInt(decimals.padEnd(9, '0'));
};

/** Formats lamports as exact decimal text in SOL, without trailing zeros: 1500000000n becomes "1.5". */
export const lamportsToSol = (lamports: bigint): string => {
  const sign = lamports < 0n ? '-' : '';
  const magnitude = lamports < 0n ? -lamports : lamports;
  const decimals = String(magnitude % LAMPORTS_PER_SOL)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${sign}${magnitude / LAMPORTS_PER_SOL}${decimals === '' ? '' : `.${decimals}`}`;
};

/**
 * Serializes `body` as JSON. Text amounts (fields ending in `Sol`) become numbers with the same digits.
 * Throws `RangeError` for invalid amounts.
 */
export const writeExactJson = (body: Readonly<Record<string, unknown>>): string => {
  const members = Object.entries(body).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const text =
      name.endsWith('Sol') && typeof value === 'string'
        ? lamportsToSol(solToLamports(value))
        : JSON.stringify(value);
    return [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
};

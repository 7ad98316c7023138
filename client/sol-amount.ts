// Amounts between SOL and lamports without a double ever rounding them.

/**
 * An amount of SOL to send: a JSON number, or its decimal text. A double holds every lamport up to 8,388,608 SOL; above that, and
 * wherever an amount comes from text, text is exact.
 */
export type SolAmount = number | string;

const LAMPORTS_PER_SOL = 1_000_000_000n;
const DECIMAL = /^(\d+)(?:\.(\d{1,9}))?$/;

/**
 * Lamports of an amount in SOL. Throws `RangeError` for what is negative, no number, or has more than nine decimals. Numbers are read by
 * their shortest decimal text, as JSON writes them.
 */
export const solToLamports = (sol: SolAmount): bigint => {
  // 1e-9 and the like: JavaScript writes small numbers with an exponent.
  const text = typeof sol === 'number' && Math.abs(sol) < 1e-6 ? sol.toFixed(9) : String(sol);
  const [, whole, decimals = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined || (typeof sol === 'number' && sol !== 0 && Number(text) !== sol))
    throw new RangeError('an amount of SOL is a decimal number of at most nine decimals, not negative');
  return BigInt(whole) * LAMPORTS_PER_SOL + BigInt(decimals.padEnd(9, '0'));
};

/** The exact decimal text of an amount in lamports, without superfluous zeros: 1500000000n gives "1.5". */
export const lamportsToSol = (lamports: bigint): string => {
  const sign = lamports < 0n ? '-' : '';
  const magnitude = lamports < 0n ? -lamports : lamports;
  const decimals = String(magnitude % LAMPORTS_PER_SOL)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${sign}${magnitude / LAMPORTS_PER_SOL}${decimals === '' ? '' : `.${decimals}`}`;
};

/** `body` as JSON; amounts given as text (members ending in `Sol`) are written as the numbers that they are. Throws `RangeError` for text that is none. */
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

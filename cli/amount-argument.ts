// Parses SOL amounts on the command line, exactly.
import { lamportsToSol, solToLamports } from '../client/sol-amount.ts';
import { UsageError } from './usage-error.ts';

/** The unit after an amount. No address contains it, because base58 has neither O nor l. */
const UNIT = /(?:SOL|Sol|sol)$/;

export const withoutUnit = (text: string): string => (/^\d/.test(text) ? text.replace(UNIT, '') : text);

/** Parses an amount and returns it as canonical decimal text. Throws `UsageError` unless it is a valid amount above 0. */
export const readAmount = (given: string, name = 'the amount'): string => {
  const text = withoutUnit(given);
  try {
    const lamports = solToLamports(text);
    if (lamports > 0n) return lamportsToSol(lamports);
  } catch {
    // `solToLamports` throws for invalid amounts, which are reported below.
  }
  // Three digits after a comma may mean thousands.
  if (/^\d+,(\d{1,2}|\d{4,9})$/.test(text))
    throw new UsageError(`use a decimal point: ${text.replace(',', '.')}`);
  throw new UsageError(
    `${name} must be a number of SOL greater than 0 with up to 9 decimals, for example 1.5`,
  );
};

/** Parses a whole number. Throws `UsageError` unless it is within the limits. */
export const readWholeNumber = (
  text: string | boolean | undefined,
  name: string,
  [least, most]: readonly [number, number],
): number | undefined => {
  if (typeof text !== 'string') return undefined;
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < least || value > most)
    throw new UsageError(`${name} must be a whole number from ${least} to ${most}`);
  return value;
};

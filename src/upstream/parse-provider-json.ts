// Parses JSON from a provider. Lamports beyond 2^53 keep every digit.
import { ProviderFailure } from './provider-failure.ts';

const longDigits = /\d{16}/;
const integer = /^-?\d{1,40}$/;

/** A reviver of `JSON.parse`, to which it passes the source text of a primitive since ECMAScript 2026. */
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

const keepBigIntegers: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && integer.test(source)
    ? BigInt(source)
    : value;

/** Parses plain JSON. Throws `ProviderFailure` (garbage) for other text. */
export const parsePlain = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderFailure('garbage');
  }
};

/**
 * Parses JSON and keeps integers beyond 2^53 as bigints. Throws `ProviderFailure` (garbage) for other text
 * and for JSON that is nested too deeply.
 */
export const parseExact = (text: string): unknown => {
  if (!longDigits.test(text)) return parsePlain(text);
  try {
    return JSON.parse(text, keepBigIntegers as Parameters<typeof JSON.parse>[1]);
  } catch {
    throw new ProviderFailure('garbage');
  }
};

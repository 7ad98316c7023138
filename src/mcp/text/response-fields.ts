// Reads fields of a response, for the text that describes it.
import { parseSol } from '../../domain/lamports.ts';
import { isRawJSON } from './clean-text.ts';

/** Fields of a response, or of an object in it. */
export type Members = Readonly<Record<string, unknown>>;

/** True for an object. Exact amounts are raw JSON and do not count as objects. */
export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value);

export const isEmpty = (value: unknown): boolean => value === null || value === undefined;

/**
 * Formats a value on one line. Exact amounts are raw JSON. Texts with line breaks, such as snippets, are
 * quoted.
 */
export const plainText = (value: unknown): string =>
  // `JSON.stringify` would write a few lamports in exponential notation, such as 1e-9.
  typeof value === 'number' && value !== 0 && Math.abs(value) < 1e-6
    ? value.toFixed(9).replace(/0+$/, '')
    : typeof value === 'string' && !/[\n\r]/.test(value)
      ? value
      : JSON.stringify(value);

/** Formats the value at `path`; `unknown` if there is none. */
export const textAt = (body: Members, ...path: readonly string[]): string => {
  const value = path.reduce<unknown>((held, name) => (isMembers(held) ? held[name] : undefined), body);
  return isEmpty(value) ? 'unknown' : plainText(value);
};

/** Returns the objects in a list; empty if there is no list. */
export const listAt = (body: Members, name: string): readonly Members[] =>
  (Array.isArray(body[name]) ? body[name] : []).filter(isMembers);

/** Returns a SOL amount in lamports, exactly; 0 if there is none. */
export const lamportsAt = (members: Members, name: string): bigint => {
  const lamports = parseSol(isEmpty(members[name]) ? '0' : plainText(members[name]));
  return typeof lamports === 'bigint' ? lamports : 0n;
};

/** Formats a number with its noun, e.g. `2 accounts`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

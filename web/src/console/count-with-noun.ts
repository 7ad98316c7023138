// Formats a count with its noun.
import { count } from '../text/format-figures.ts';

/** Returns `1 account` or `2 accounts`. */
export const countWithNoun = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

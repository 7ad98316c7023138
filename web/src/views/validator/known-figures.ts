// Figures as they are known: what the service does not know is called so, never guessed and never a zero.
import { count, percent, solShort } from '../../text/format-figures.ts';

/** Stands for null. */
export const UNKNOWN = 'Not known';

/** Percent, or that it is not known. */
export const knownPercent = (value: number | null, digits = 2): string =>
  value === null ? UNKNOWN : percent(value, digits);

/** Basis points as percent. */
export const knownBps = (value: number | null): string =>
  value === null ? UNKNOWN : percent(value / 100, value % 100 === 0 ? 0 : 2);

/** A count. */
export const knownCount = (value: number | null): string => (value === null ? UNKNOWN : count(value));

/** SOL. */
export const knownSol = (value: number | null): string =>
  value === null ? UNKNOWN : `${solShort(value)} SOL`;

/** Only links that lead to web pages are links. */
export const webUrl = (text: string | null): string | null =>
  text !== null && /^https?:\/\//i.test(text) ? text : null;

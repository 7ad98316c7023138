// Formats figures. Unknown figures are marked as such, and never guessed or shown as zero.
import { count, percent } from '../../text/format-figures.ts';
import { defineWords } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';

const { say } = defineWords('validator', validatorEnglish);

/** Text for null. */
export const unknownText = (): string => say('notKnown');

/** Formats percent, or "Not known". */
export const knownPercent = (value: number | null, digits = 2): string =>
  value === null ? unknownText() : percent(value, digits);

/** Formats basis points as percent. */
export const knownBps = (value: number | null): string =>
  value === null ? unknownText() : percent(value / 100, value % 100 === 0 ? 0 : 2);

/** Formats a count. */
export const knownCount = (value: number | null): string => (value === null ? unknownText() : count(value));

/** Returns web links only; other URLs do not become links. */
export const webUrl = (text: string | null): string | null =>
  text !== null && /^https?:\/\//i.test(text) ? text : null;

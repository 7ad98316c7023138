// Formats figures; unknown ones are marked as such, never guessed and never zero.
import { count, percent, solShort } from '../../text/format-figures.ts';
import { defineWords } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';

const { say } = defineWords('validator', validatorEnglish);

/** Shown for null. */
export const unknown = (): string => say('notKnown');

/** Percent, or "Not known". */
export const knownPercent = (value: number | null, digits = 2): string =>
  value === null ? unknown() : percent(value, digits);

/** Basis points as percent. */
export const knownBps = (value: number | null): string =>
  value === null ? unknown() : percent(value / 100, value % 100 === 0 ? 0 : 2);

/** A count. */
export const knownCount = (value: number | null): string => (value === null ? unknown() : count(value));

/** SOL. */
export const knownSol = (value: number | null): string =>
  value === null ? unknown() : `${solShort(value)} SOL`;

/** Only web links become links. */
export const webUrl = (text: string | null): string | null =>
  text !== null && /^https?:\/\//i.test(text) ? text : null;

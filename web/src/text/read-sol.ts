// Parses a typed amount of SOL, exact to the lamport. If the text can be read in two ways that differ by a
// factor of a thousand, returns both.
import { parseSol } from '../../../src/domain/lamports.ts';
import { defineWords } from '../words/define-words.ts';
import { figuresEnglish } from '../words/en/figures.ts';
import { language } from '../words/language.ts';
import { solField } from './format-figures.ts';

const { say } = defineWords('figures', figuresEnglish);

/** The parsed text. An empty field is no error: `lamports` and `problem` are both null. */
export interface ReadSol {
  readonly lamports: bigint | null;
  readonly problem: string | null;
  /** The two possible readings, as text for the field. If present, `lamports` is null. */
  readonly choices?: readonly [string, string];
}

const GROUPED_BY_COMMAS = /^\d{1,3}(,\d{3})+\.\d*$|^\d{1,3}(,\d{3}){2,}$/;
const GROUPED_BY_DOTS = /^\d{1,3}(\.\d{3})+,\d*$|^\d{1,3}(\.\d{3}){2,}$/;
/**
 * `2,500` is two and a half or two thousand five hundred, depending on the country. So is `2.500`, because
 * users rarely type trailing zeros of a decimal fraction. `2.512` is read as a decimal, because this page
 * writes it that way. In German, comma and dot are swapped.
 */
const EITHER =
  language === 'de' ? /^0*([1-9]\d{0,2})(?:\.(\d{3})|,(\d\d0))$/ : /^0*([1-9]\d{0,2})(?:,(\d{3})|\.(\d\d0))$/;

/**
 * Replaces a decimal comma with a dot and removes grouping characters. Many phone keyboards offer a comma but
 * no dot.
 */
const normalized = (text: string): string => {
  const bare = text.replace(/\s*sol\s*$/i, '').replaceAll(/[\s'’]/g, '');
  if (GROUPED_BY_COMMAS.test(bare)) return bare.replaceAll(',', '');
  if (GROUPED_BY_DOTS.test(bare)) return bare.replaceAll('.', '').replace(',', '.');
  // No other characters are removed: `1e-7` without its letters would be another amount.
  return /^\d*,\d*$/.test(bare) ? bare.replace(',', '.') : bare;
};

/** Parses the field as typed or pasted. `.5` and `5.` are accepted as incomplete amounts. */
export const readSol = (text: string): ReadSol => {
  const typed = normalized(text);
  if (typed === '') return { lamports: null, problem: null };
  const either = EITHER.exec(text.replace(/\s*sol\s*$/i, '').replaceAll(/[\s'’]/g, ''));
  if (either !== null) {
    const [, whole = '', afterSeparator, afterPoint] = either;
    const large = whole + (afterSeparator ?? afterPoint ?? '');
    // The two readings: with three decimals, and as a whole number.
    const small = solField(BigInt(large) * 1_000_000n);
    return { lamports: null, problem: say('eitherAmount', { small, large }), choices: [small, large] };
  }
  const lamports = parseSol(typed.replace(/\.$/, '').replace(/^\./, '0.'));
  if (lamports === 'too_many_decimals') return { lamports: null, problem: say('tooManyDecimals') };
  if (typeof lamports === 'string' || lamports < 0n) return { lamports: null, problem: say('invalidAmount') };
  return { lamports, problem: null };
};

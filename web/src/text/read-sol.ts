// Reads an amount of SOL as people type it, exact to the lamport; asks where two readings lie a factor of a thousand apart.
import { parseSol } from '../../../src/domain/lamports.ts';

/** What was typed. An empty field is no mistake, only nothing yet: then `lamports` and `problem` are both null. */
export interface ReadSol {
  readonly lamports: bigint | null;
  readonly problem: string | null;
  /** The two amounts that the text may stand for, as text to put into the field; `lamports` is null then. */
  readonly choices?: readonly [string, string];
}

const GROUPED_BY_COMMAS = /^\d{1,3}(,\d{3})+\.\d*$|^\d{1,3}(,\d{3}){2,}$/;
const GROUPED_BY_DOTS = /^\d{1,3}(\.\d{3})+,\d*$|^\d{1,3}(\.\d{3}){2,}$/;
/**
 * `2,500` is two and a half to some and two thousand five hundred to others. `2.500` likewise: nobody types zeros at the end of a
 * decimal fraction, whereas `2.512` is read as the decimal that this page itself writes.
 */
const EITHER = /^0*([1-9]\d{0,2})(?:,(\d{3})|\.(\d\d0))$/;

/** The text with its decimal sign as a dot and without what only groups digits: many phones offer a comma and no dot. */
const normalized = (text: string): string => {
  const bare = text.replace(/\s*sol\s*$/i, '').replaceAll(/[\s'’]/g, '');
  if (GROUPED_BY_COMMAS.test(bare)) return bare.replaceAll(',', '');
  if (GROUPED_BY_DOTS.test(bare)) return bare.replaceAll('.', '').replace(',', '.');
  // Nothing else is left out: `1e-7` without its letters would be another amount.
  return /^\d*,\d*$/.test(bare) ? bare.replace(',', '.') : bare;
};

/** Reads the field as it was typed or pasted; `.5` and `5.` are on their way to an amount and count as one. */
export const readSol = (text: string): ReadSol => {
  const typed = normalized(text);
  if (typed === '') return { lamports: null, problem: null };
  const either = EITHER.exec(text.replace(/\s*sol\s*$/i, '').replaceAll(/[\s'’]/g, ''));
  if (either !== null) {
    const [, whole = '', afterComma, afterDot] = either;
    const digits = afterComma ?? afterDot ?? '';
    const small = `${whole}.${digits}`.replace(/\.?0+$/, '');
    const large = whole + digits;
    return { lamports: null, problem: `${small} or ${large} SOL?`, choices: [small, large] };
  }
  const lamports = parseSol(typed.replace(/\.$/, '').replace(/^\./, '0.'));
  if (lamports === 'too_many_decimals')
    return { lamports: null, problem: 'SOL has 9 decimals. The smallest amount is 0.000000001.' };
  if (typeof lamports === 'string' || lamports < 0n)
    return { lamports: null, problem: 'Enter a valid amount.' };
  return { lamports, problem: null };
};

// Reads an amount of SOL as people type it, exact to the lamport, and says in words why it is none.
import { parseSol } from '../../../src/domain/lamports.ts';

/** What was typed. An empty field is no mistake, only nothing yet: then both are null. */
export interface ReadSol {
  readonly lamports: bigint | null;
  readonly problem: string | null;
}

const GROUPED_BY_COMMAS = /^\d{1,3}(,\d{3})+\.\d*$|^\d{1,3}(,\d{3}){2,}$/;
const GROUPED_BY_DOTS = /^\d{1,3}(\.\d{3})+,\d*$|^\d{1,3}(\.\d{3}){2,}$/;
/** One thousand to some, one to others; whoever types it has the comma turned before the digits come. */
const EITHER = /^0*[1-9]\d*,\d{3}$/;

/**
 * What was typed or pasted, with its decimal sign as a dot and without what only groups digits: many phones offer a comma and no dot.
 * Nothing else is left out: `1e-7` without its letters would be another amount.
 */
export const typedSol = (text: string): string => {
  const bare = text.replace(/\s*sol\s*$/i, '').replaceAll(/[\s'’]/g, '');
  if (GROUPED_BY_COMMAS.test(bare)) return bare.replaceAll(',', '');
  if (GROUPED_BY_DOTS.test(bare)) return bare.replaceAll('.', '').replace(',', '.');
  return /^\d*,\d*$/.test(bare) && !EITHER.test(bare) ? bare.replace(',', '.') : bare;
};

/** Reads the field; `.5` and `5.` are on their way to an amount and count as one. */
export const readSol = (text: string): ReadSol => {
  if (text === '') return { lamports: null, problem: null };
  const lamports = parseSol(text.replace(/\.$/, '').replace(/^\./, '0.'));
  if (lamports === 'too_many_decimals')
    return { lamports: null, problem: 'SOL has nine decimals: 0.000000001 is the smallest amount.' };
  if (typeof lamports === 'string' || lamports < 0n)
    return { lamports: null, problem: 'This is not an amount.' };
  return { lamports, problem: null };
};

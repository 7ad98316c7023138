// Reads an amount of SOL as people type it, exact to the lamport, and says in words why it is none.
import { parseSol } from '../../../src/domain/lamports.ts';

/** What was typed. An empty field is no mistake, only nothing yet: then both are null. */
export interface ReadSol {
  readonly lamports: bigint | null;
  readonly problem: string | null;
}

/** Reads the field; `.5` and `5.` are on their way to an amount and count as one. */
export const readSol = (text: string): ReadSol => {
  if (text === '') return { lamports: null, problem: null };
  const lamports = parseSol(text.replace(/\.$/, '').replace(/^\./, '0.'));
  if (lamports === 'too_many_decimals')
    return { lamports: null, problem: 'SOL has nine decimals: 0.000000001 is the smallest amount.' };
  if (typeof lamports === 'string') return { lamports: null, problem: 'This is not an amount.' };
  return { lamports, problem: null };
};

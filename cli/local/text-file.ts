// Reads the text of a file that the user specified, or of standard input.
import { readFileSync } from 'node:fs';
import { UsageError } from '../usage-error.ts';

/** Explains why a file could not be read. */
export const fileProblem = (file: string, error: unknown): string => {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? `${file} does not exist.` : `${file} cannot be read: ${code}`;
};

/** Reads the text of a file, or of standard input for `-`. Throws `UsageError` if the text cannot be read or is empty. */
export const textOf = (file: string, command: string): string => {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(fileProblem(file, error), command);
  }
  if (text === '') throw new UsageError(`${file === '-' ? 'standard input' : file} is empty.`, command);
  return text;
};

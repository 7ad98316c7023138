// The life of a measuring process: clean-ups that also run on a signal or an error, and lines of progress.
import type { Scope } from '../../test/support/temporary-folder.ts';

const cleanUps: (() => void | Promise<void>)[] = [];

/** Collects clean-ups. `endProcess` runs them, the last one first. */
export const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };

/** Runs all clean-ups and ends the process. */
export const endProcess = async (code: number): Promise<never> => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  process.exit(code);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void endProcess(1));
process.once('uncaughtException', (error) => {
  console.error(error);
  void endProcess(1);
});

/** Writes a line with the time to standard error. */
export const logLine = (text: string): void =>
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);

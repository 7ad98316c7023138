// Lifecycle of a measuring process: cleanups that also run on a signal or an error, and progress lines.
import type { Scope } from '../../test/support/temporary-folder.ts';

const cleanUps: (() => void | Promise<void>)[] = [];

/** Collects cleanups. `endProcess` runs them in reverse order. */
export const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };

/** Runs all cleanups and ends the process. */
export const endProcess = async (code: number): Promise<never> => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  process.exit(code);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void endProcess(1));
process.once('uncaughtException', (error) => {
  console.error(error);
  void endProcess(1);
});

/** Writes a line, prefixed with the time, to standard error. */
export const logLine = (text: string): void =>
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);

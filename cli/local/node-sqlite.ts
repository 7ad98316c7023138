// Loads Node's SQLite module, for the files that several processes share.
import { UsageError } from '../usage-error.ts';

/** Loads SQLite. Throws `UsageError` in older Node versions, which can run all commands that do not sign. */
export const sqlite = (): typeof import('node:sqlite') => {
  // A static import would break every command on Node versions without SQLite.
  const found = process.getBuiltinModule('node:sqlite') as typeof import('node:sqlite') | undefined;
  if (found !== undefined) return found;
  throw new UsageError(`signing requires Node 22.19 or newer; this is ${process.version}`);
};

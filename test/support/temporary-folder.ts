// Gives a test a folder that is removed when the test ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Anything that runs cleanup functions when it ends, such as a test's context. */
export interface Scope {
  readonly after: (cleanUp: () => void | Promise<void>) => void;
}

/**
 * Creates an empty folder in the system's temporary folder. Removes it with its contents when the scope ends.
 */
export const temporaryFolder = (scope: Scope, prefix = 'holdfast-'): string => {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  scope.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
};

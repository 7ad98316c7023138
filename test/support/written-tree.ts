// Writes a tree of small files for a test, so checks run on real files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Scope, temporaryFolder } from './temporary-folder.ts';

/**
 * Creates a temporary folder that contains `files`, given as text by relative path. Removes it when the scope
 * ends.
 */
export const writtenTree = (
  scope: Scope,
  files: Readonly<Record<string, string>>,
  prefix?: string,
): string => {
  const root = temporaryFolder(scope, prefix);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
};

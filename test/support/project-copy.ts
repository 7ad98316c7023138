// A copy of the project's running parts in a separate folder, so that a test may change sources without
// touching the project.
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Scope, temporaryFolder } from './temporary-folder.ts';

const projectFolder = join(import.meta.dirname, '..', '..');
const COPIED = ['src', 'sandbox', 'package.json', 'package-lock.json', 'source-commit.txt'];

/**
 * Copies the running parts; packages are shared. The copy is not a git repository. Returns its folder, which
 * is removed when the scope ends.
 */
export const copyProject = (scope: Scope): string => {
  const folder = temporaryFolder(scope, 'holdfast-copy-');
  for (const name of COPIED) cpSync(join(projectFolder, name), join(folder, name), { recursive: true });
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

/** Changes one byte of the comment that a file starts with; `letter` counts from its first letter. */
export const flipByte = (path: string, letter = 0): void => {
  const bytes = readFileSync(path);
  if (bytes.toString('latin1', 0, 3) !== '// ') throw new Error(`${path} does not start with a comment`);
  bytes[3 + letter]! ^= 1;
  writeFileSync(path, bytes);
};

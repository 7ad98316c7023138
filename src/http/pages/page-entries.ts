// Separates the two entries of the built page: the public page, and the operator console, which only its own
// listener serves.
import type { PageFile } from './web-page-targets.ts';

/** Folder of the operator console below the page's folder. */
export const CONSOLE_FOLDER = 'console/';

export const publicPageFiles = (files: readonly PageFile[]): readonly PageFile[] =>
  files.filter(({ path }) => !path.startsWith(CONSOLE_FOLDER));

/** Returns the files of the operator console, with paths relative to its folder. */
export const operatorConsoleFiles = (files: readonly PageFile[]): readonly PageFile[] =>
  files
    .filter(({ path }) => path.startsWith(CONSOLE_FOLDER))
    .map((file) => ({ ...file, path: file.path.slice(CONSOLE_FOLDER.length) }));

// Separates the two entries of the built page: the public page, and the operator console, which only its own
// listener serves.
import type { PageFile } from './web-page-targets.ts';

/** Folder of the operator console below the page's folder. */
export const CONSOLE_FOLDER = 'console/';

/** Files of the public page. */
export const publicPageFiles = (files: readonly PageFile[]): readonly PageFile[] =>
  files.filter(({ path }) => !path.startsWith(CONSOLE_FOLDER));

/** Files of the operator console, by path below its folder. */
export const operatorConsoleFiles = (files: readonly PageFile[]): readonly PageFile[] =>
  files
    .filter(({ path }) => path.startsWith(CONSOLE_FOLDER))
    .map((file) => ({ ...file, path: file.path.slice(CONSOLE_FOLDER.length) }));

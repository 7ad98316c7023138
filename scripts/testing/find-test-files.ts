// Finds the project's test files: every *.test.ts file in the code folders, in a fixed order.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Folders that contain our code. */
const codeFolders: readonly string[] = [
  'src',
  'client',
  'web',
  'cli',
  'sandbox',
  'demo',
  'bench',
  'scripts',
  'test',
];

/**
 * Folders whose files use several processes and therefore run separately: tests of pages and packages, and
 * tests with long waits.
 */
const apartFolders: readonly string[] = ['test/generators/', 'test/long/', 'test/scale/', 'test/web/'];

/**
 * Folder of the page's tests in German. A process has only one language, so each of these files runs in its own
 * process.
 */
const GERMAN = 'test/german/';

/** Folders that `npm test` leaves to `npm run test:more`. */
const moreFolders: readonly string[] = ['test/guarantees/', ...apartFolders];

/** Folders with the slowest files. They start first, because a slow file at the end would leave cores idle. */
const longFolders: readonly string[] = [
  'test/long/',
  'test/scale/',
  'test/guarantees/',
  'test/life/',
  'test/cli/',
  'test/sandbox/',
  'test/start/',
  'scripts/',
  'test/',
];

/**
 * Returns the paths of all files in the code folders that end with `ending`, relative to `root`, sorted and
 * separated by `/`.
 */
export const findCodeFiles = (root: string, ending = '.ts'): readonly string[] =>
  codeFolders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/') && !path.startsWith('web/dist/'))
    .sort();

/**
 * Lists the identifiers of the guarantees that a test file proves: the capitalized words at the start of its
 * titles, such as `WH-4`.
 */
export const guaranteesIn = (source: string): readonly string[] => {
  const titles = source.matchAll(
    /^ *(?:describe|it|test)\(\s*['"`]((?:[A-Z]+(?:-[A-Z\d]+)+[a-z]?(?:, )?)+)/gm,
  );
  return [...new Set([...titles].flatMap(([, ids = '']) => ids.split(', ').filter((id) => id !== '')))];
};

/**
 * Lists the test files, slowest folders first. `words` selects files by part of their path or by guarantee.
 */
export const findTestFiles = (root: string, words: readonly string[] = []): readonly string[] => {
  const isChosen = (path: string): boolean => {
    if (words.length === 0 || words.some((word) => path.includes(word))) return true;
    const ids = guaranteesIn(readFileSync(join(root, path), 'utf8')).map((id) => id.toUpperCase());
    return words.some((word) => ids.includes(word.toUpperCase()));
  };
  const found = findCodeFiles(root, '.test.ts').filter(isChosen);
  const rank = (path: string): number => {
    const at = longFolders.findIndex((folder) => path.startsWith(folder));
    return at === -1 ? longFolders.length : at;
  };
  return found.toSorted((one, other) => rank(one) - rank(other));
};

/** True if a test file must run in its own process. */
export const needsOwnProcess = (path: string): boolean =>
  [GERMAN, ...apartFolders].some((folder) => path.startsWith(folder));

/** True if only `npm run test:more` runs the file, and not `npm test`. */
export const isOnlyInTestMore = (path: string): boolean =>
  moreFolders.some((folder) => path.startsWith(folder));

// Finds the test files of the project: every *.test.ts in the folders that hold code, in a fixed order.
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The folders that hold our code. */
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

/** Paths of all files below the code folders whose name ends so, relative to `root`, sorted, `/`-separated. */
export const findCodeFiles = (root: string, ending = '.ts'): readonly string[] =>
  codeFolders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/') && !path.startsWith('web/dist/'))
    .sort();

/**
 * Test files, the guarantees first: they are the longest, and starting them last would leave one core idle at the end.
 * With `filters` only those whose path contains one of them.
 */
export const findTestFiles = (root: string, filters: readonly string[] = []): readonly string[] => {
  const isGuarantee = (path: string) => path.startsWith('test/guarantees/');
  const found = findCodeFiles(root, '.test.ts').filter(
    (path) => filters.length === 0 || filters.some((filter) => path.includes(filter)),
  );
  return [...found.filter(isGuarantee), ...found.filter((path) => !isGuarantee(path))];
};

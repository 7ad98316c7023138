// Checks the source files: each published name exists at most once, and every file except tests starts with a
// comment.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLISHED_FILES } from '../../src/operations/verify/published-files.ts';
import { findCodeFiles } from '../testing/find-test-files.ts';
import { type CheckResult, checkResult } from './check-result.ts';

/** File names whose hashes are published. A second file with the same name would make the hash ambiguous. */
const publishedNames: readonly string[] = PUBLISHED_FILES;

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;

/**
 * True for generated files. The statistics exclude them, because their length depends on the number of routes.
 */
const isGenerated = (path: string): boolean => path.startsWith('client/generated/');

const isTestCode = (path: string): boolean => path.includes('.test.') || path.startsWith('test/');

/** Runs the check on the project at `root`. */
export const checkFiles = (root: string): CheckResult => {
  const problems: string[] = [];
  const files = ['.ts', '.tsx', '.mjs']
    .flatMap((ending) => findCodeFiles(root, ending))
    .map((path) => ({
      path,
      text: readFileSync(join(root, path), 'utf8'),
    }));
  for (const { path } of files)
    if (path.endsWith('.tsx') && !path.startsWith('web/'))
      problems.push(`${path}: Node cannot run .tsx files; use them only for the page`);
  for (const name of publishedNames) {
    const holders = files.filter(({ path }) => path.split('/').at(-1) === name).map(({ path }) => path);
    if (holders.length > 1) problems.push(`${name} exists more than once: ${holders.join(', ')}`);
  }
  for (const { path, text } of files.filter((file) => !file.path.includes('.test.'))) {
    const first = text.split('\n').find((line) => !line.startsWith('#!')) ?? '';
    if (!/^\/\/ \S.{18,}/.test(first))
      problems.push(`${path} does not start with a comment that describes it`);
  }
  const sizes = files.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
  const source = sizes
    .filter(({ path }) => !isTestCode(path) && !isGenerated(path) && !path.startsWith('bench/'))
    .sort((a, b) => a.lines - b.lines);
  const total = (list: readonly { lines: number }[]) => list.reduce((sum, { lines }) => sum + lines, 0);
  const lengths = source.map(({ lines }) => lines);
  const longest = source.at(-1);
  return checkResult('files', problems, [
    `${source.length} source files: median ${quantile(lengths, 0.5)} lines, 90 % within ${quantile(lengths, 0.9)}, longest ${longest?.lines ?? 0} (${longest?.path ?? 'none'})`,
    `tests/source ${(total(sizes.filter(({ path }) => isTestCode(path))) / Math.max(1, total(source))).toFixed(2)}`,
  ]);
};

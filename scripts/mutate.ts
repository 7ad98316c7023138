// Makes deliberate errors in source files, one at a time, and reports which of them the nearest tests detect.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readImports, withoutComments } from './checks/read-imports.ts';
import { findCodeFiles } from './testing/find-test-files.ts';
import { runTestFiles } from './testing/run-test-files.ts';

/** One deliberate error: `from`, which occurs once in the file, becomes `to`. */
interface Mutant {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const USAGE = `npm run mutate -- FILE… [--tests 12] [--most 40]

FILE is a source file, whose operators are changed one at a time (at most --most, spread over the file),
or a JSON list of [{ "file", "from", "to" }]. Each error is run against the --tests test files that are
nearest to its file by imports, until one fails. The file is restored after each.`;

/** Replacements within a line that still compile in most places. */
const CHANGES: readonly (readonly [RegExp, string])[] = [
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/ < /, ' <= '],
  [/ <= /, ' < '],
  [/ > /, ' >= '],
  [/ >= /, ' > '],
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/ \?\? .+?(?=[,;)])/, ''],
  [/ \+ (?=\w)/, ' - '],
  [/ - (?=\w)/, ' + '],
  [/\b1n\b/, '2n'],
  [/\btrue\b/, 'false'],
  [/\bfalse\b/, 'true'],
  [/(?<=[(\s])!(?=[\w(])/, ''],
  [/\.some\(/, '.every('],
  [/\.every\(/, '.some('],
  [/\breturn (?=[\w(])[^;]+;$/, 'return undefined as never;'],
  [/^(\s+)(?:await )?[\w.]+\(.*\);$/, '$1;'],
];

const root = join(import.meta.dirname, '..');

/**
 * Lists up to `most` deliberate errors that `CHANGES` allows in a file. Each replaces a complete line that
 * occurs once.
 */
const mutantsOf = (file: string, most: number): Mutant[] => {
  const source = readFileSync(join(root, file), 'utf8');
  const lines = source.split('\n');
  const found = withoutComments(source)
    .split('\n')
    .flatMap((line, index) => {
      if (/^\s*(import|export type|\/\/|\*)/.test(line)) return [];
      return CHANGES.flatMap(([pattern, to]) => {
        const changed = lines[index]!.replace(pattern, to);
        const from = [lines[index - 1], lines[index]].join('\n');
        const isOnce = source.split(from).length === 2;
        return changed === lines[index] || !isOnce
          ? []
          : [{ file, from, to: [lines[index - 1], changed].join('\n') }];
      });
    });
  const step = Math.max(1, found.length / most);
  return Array.from({ length: Math.min(most, found.length) }, (_, index) => found[Math.floor(index * step)]!);
};

/** Maps each file to the files that import it. */
const importersOf = (files: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const importers = new Map<string, string[]>();
  for (const file of files)
    for (const { specifier, isTypeOnly } of readImports(readFileSync(join(root, file), 'utf8'))) {
      if (isTypeOnly || !specifier.startsWith('.')) continue;
      const target = join(dirname(file), specifier);
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  return importers;
};

/** Returns the test files that import `file`, directly or indirectly, nearest first. */
const testsOf = (file: string, importers: ReadonlyMap<string, readonly string[]>): string[] => {
  const seen = new Set([file]);
  for (const path of seen) for (const importer of importers.get(path) ?? []) seen.add(importer);
  return [...seen].filter((path) => path.endsWith('.test.ts'));
};

/** Returns the first test file that fails, or null if all pass. */
const firstFailure = async (tests: readonly string[]): Promise<string | null> => {
  const failed = new AbortController();
  let first: string | null = null;
  await runTestFiles(root, tests, {
    testTimeoutMs: 120_000,
    fileTimeoutMs: 300_000,
    atOnce: 2,
    signal: failed.signal,
    onEnd: ({ path, failures }) => {
      if (failures.length === 0 || first !== null) return;
      first = path;
      failed.abort();
    },
  });
  return first;
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tests: { type: 'string', default: '12' }, most: { type: 'string', default: '40' } },
});
if (positionals.length === 0) {
  console.log(USAGE);
  process.exit(2);
}
const mutants = positionals.flatMap((path): Mutant[] =>
  path.endsWith('.json') ? JSON.parse(readFileSync(path, 'utf8')) : mutantsOf(path, Number(values.most)),
);
const importers = importersOf(findCodeFiles(root));
const unchanged = new Map<string, string>();
let noticed = 0;
for (const [index, { file, from, to }] of mutants.entries()) {
  const path = join(root, file);
  const source = readFileSync(path, 'utf8');
  const tests = testsOf(file, importers).slice(0, Number(values.tests));
  const label = `${index + 1}/${mutants.length} ${file}: ${from.trim().split('\n').at(-1)!.trim().slice(0, 90)}`;
  if (source.split(from).length !== 2) throw new Error(`${label}: must occur exactly once`);
  if (!unchanged.has(file)) unchanged.set(file, (await firstFailure(tests)) ?? '');
  if (unchanged.get(file) !== '')
    throw new Error(`${unchanged.get(file)} fails even without a deliberate error`);
  const restore = () => writeFileSync(path, source);
  const onSignal = () => {
    restore();
    process.exit(130);
  };
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    writeFileSync(
      path,
      source.replace(from, () => to),
    );
    const test = await firstFailure(tests);
    if (test !== null) noticed += 1;
    console.log(
      test === null
        ? `SURVIVED ${label} → ${to.trim().split('\n').at(-1)!.trim()}`
        : `noticed  ${label} (${test})`,
    );
  } finally {
    restore();
    process.removeListener('SIGINT', onSignal).removeListener('SIGTERM', onSignal);
  }
}
console.log(
  `${noticed} of ${mutants.length} errors detected (${((100 * noticed) / Math.max(1, mutants.length)).toFixed(0)} %)`,
);

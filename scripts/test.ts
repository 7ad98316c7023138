// Runs the project's tests and ends with a line of counts. Arguments select files by part of their path or by
// guarantee.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { findTestFiles, isOnlyInTestMore, needsOwnProcess } from './testing/find-test-files.ts';
import { countTests, describeFile, runTestFiles, summaryLine } from './testing/run-test-files.ts';

const root = join(import.meta.dirname, '..');
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const words = process.argv.slice(2);
const onlyMore = words[0] === '--more';
const found = findTestFiles(root, onlyMore ? [] : words);
const paths =
  words.length > 0 && !onlyMore ? found : found.filter((path) => isOnlyInTestMore(path) === onlyMore);
const started = performance.now();
// Files share processes, so Node is not started and modules are not loaded for each file. Most files in `test/`
// wait for blocks or child processes, so more files than cores run concurrently. The pure tests come last, and
// one process begins with them, to use the cores while the others wait. A file that uses several processes runs
// in its own process. Of these files, those in test/web compute the most, so one process begins with them.
const run = (some: readonly string[], inTurn: boolean, alsoFrom: number) =>
  runTestFiles(root, some, {
    // The timeout is only for tests that hang. No test asserts on elapsed time, and a shared machine may be ten
    // times slower for minutes.
    testTimeoutMs: 600_000,
    fileTimeoutMs: 900_000,
    atOnce: inTurn ? Math.min(4, availableParallelism() + 2) : 2,
    inTurn,
    ...(alsoFrom > 0 && { alsoFrom }),
    signal: stop.signal,
    onEnd: (result) => console.log(describeFile(result)),
  });
const [apart, shared] = [paths.filter(needsOwnProcess), paths.filter((path) => !needsOwnProcess(path))];
const results = [
  ...(await run(shared, true, shared.findLastIndex((path) => path.startsWith('test/')) + 1)),
  ...(await run(
    apart,
    false,
    apart.findIndex((path) => path.startsWith('test/web/')),
  )),
];
const skips = results.flatMap(({ path, skips }) =>
  skips.map(({ name, reason }) => `  ${path}: ${name}: ${reason}`),
);
if (skips.length > 0) console.log(`skipped here:\n${skips.join('\n')}`);
const left = found.length - paths.length;
if (left > 0 && !onlyMore) console.log(`${left} files are left to npm run test:more`);
const counts = countTests(results);
console.log(
  `${new Set(results.map(({ path }) => path)).size} of ${paths.length} files in ${((performance.now() - started) / 1000).toFixed(0)} s`,
);
console.log(summaryLine(counts));
process.exitCode = counts.failed > 0 || counts.passed === 0 || stop.signal.aborted ? 1 : 0;

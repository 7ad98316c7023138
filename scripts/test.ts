// Runs every test of the project and closes with one line of counts; words after the command choose files by part of their path.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { findTestFiles } from './testing/find-test-files.ts';
import { countTests, describeFile, runTestFiles, summaryLine } from './testing/run-test-files.ts';

const root = join(import.meta.dirname, '..');
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const paths = findTestFiles(root, process.argv.slice(2));
const started = performance.now();
const results = await runTestFiles(root, paths, {
  testTimeoutMs: 90_000,
  fileTimeoutMs: 240_000,
  // Most tests wait for a cluster's blocks or a child process: two at a time keep two cores busy without starving either.
  atOnce: Math.min(4, Math.max(2, availableParallelism())),
  signal: stop.signal,
  onEnd: (result) => console.log(describeFile(result)),
});
const skips = results.flatMap(({ path, skips }) =>
  skips.map(({ name, reason }) => `  ${path}: ${name}: ${reason}`),
);
if (skips.length > 0) console.log(`skipped here:\n${skips.join('\n')}`);
const counts = countTests(results);
console.log(
  `${results.length} of ${paths.length} files in ${((performance.now() - started) / 1000).toFixed(0)} s`,
);
console.log(summaryLine(counts));
process.exitCode = counts.failed > 0 || counts.passed === 0 || results.length < paths.length ? 1 : 0;

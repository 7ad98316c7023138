// Runs the tests of the project and closes with one line of counts; words after the command choose files by part of their path.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { findTestFiles } from './testing/find-test-files.ts';
import { countTests, describeFile, runTestFiles, summaryLine } from './testing/run-test-files.ts';

const root = join(import.meta.dirname, '..');
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

// Tests of pages, packages, several processes and long waits: they take about as long as all the rest. `npm test` leaves them to
// `npm run test:more`, but for one file that speaks for the page; CI runs both.
const moreFolders: readonly string[] = ['test/generators/', 'test/web/', 'test/scale/'];
const moreFiles: readonly string[] = [
  'scripts/build-page.test.ts',
  'src/store/engine/postgres-leader-election.test.ts',
  'src/store/store-postgres.test.ts',
  'test/cli/cli-habits.test.ts',
  'test/cli/mcp-stdio.test.ts',
  'test/client/guides-run.test.ts',
  'test/client/packed-client.test.ts',
  'test/client/sign-guide.test.ts',
  'test/guarantees/db-1-service.test.ts',
  'test/guarantees/db-1.test.ts',
  'test/guarantees/idem-2.test.ts',
  'test/guarantees/idem-4.test.ts',
  'test/guarantees/idem-5.test.ts',
  'test/guarantees/idem-6.test.ts',
  'test/guarantees/key-1.test.ts',
  'test/guarantees/key-2.test.ts',
  'test/guarantees/mcp-1.test.ts',
  'test/guarantees/mcp-key-1.test.ts',
  'test/guarantees/soak-1.test.ts',
  'test/guarantees/truth-2.test.ts',
  'test/guarantees/tx-1.test.ts',
  'test/guarantees/up-1.test.ts',
  'test/guarantees/upgrade-1.test.ts',
  'test/guarantees/wh-1.test.ts',
  'test/guarantees/wh-events.test.ts',
  'test/guarantees/wh-events-processes.test.ts',
  'test/life/alerts.test.ts',
  'test/life/chain-halts-and-restarts.test.ts',
  'test/life/events.test.ts',
  'test/life/missing-methods.test.ts',
  'test/life/operator-alerts.test.ts',
  'test/life/outage.test.ts',
  'test/life/start.test.ts',
];
const isMore = (path: string): boolean =>
  path !== 'test/web/page.test.ts' &&
  (moreFiles.includes(path) || moreFolders.some((folder) => path.startsWith(folder)));
/** Begun first: at the end one of them would leave all cores but one idle. */
const longestFiles: readonly string[] = [
  'test/life/events.test.ts',
  'src/store/store-postgres.test.ts',
  'src/store/store-sqlite.test.ts',
  'test/guarantees/tx-1.test.ts',
  'test/scale/rolling-restart.test.ts',
  'test/web/page.test.ts',
];
const words = process.argv.slice(2);
const onlyMore = words[0] === '--more';
const found = findTestFiles(root, onlyMore ? [] : words);
const chosen = words.length > 0 && !onlyMore ? found : found.filter((path) => isMore(path) === onlyMore);
const paths = [
  ...chosen.filter((path) => longestFiles.includes(path)),
  ...chosen.filter((path) => !longestFiles.includes(path)),
];
const started = performance.now();
const results = await runTestFiles(root, paths, {
  // For a test that hangs. No test asserts on time, and a machine that others share may be ten times slower for minutes.
  testTimeoutMs: 300_000,
  fileTimeoutMs: 900_000,
  // Most tests wait for a cluster's blocks or a child process; the others of `--more` are several processes each.
  atOnce: onlyMore ? 2 : Math.min(4, availableParallelism() + 2),
  signal: stop.signal,
  onEnd: (result) => console.log(describeFile(result)),
});
const skips = results.flatMap(({ path, skips }) =>
  skips.map(({ name, reason }) => `  ${path}: ${name}: ${reason}`),
);
if (skips.length > 0) console.log(`skipped here:\n${skips.join('\n')}`);
const left = found.length - paths.length;
if (left > 0 && !onlyMore) console.log(`${left} files are left to npm run test:more`);
const counts = countTests(results);
console.log(
  `${results.length} of ${paths.length} files in ${((performance.now() - started) / 1000).toFixed(0)} s`,
);
console.log(summaryLine(counts));
process.exitCode = counts.failed > 0 || counts.passed === 0 || results.length < paths.length ? 1 : 0;

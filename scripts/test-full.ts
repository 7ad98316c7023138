// Runs guarantees with their full counts, either all of them or those selected by identifier or file name, and
// appends the results to docs/full-runs.md.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findTestFiles, guaranteesIn } from './testing/find-test-files.ts';
import { appendRecord, describeMachine, recordLine } from './testing/full-run-record.ts';
import { countTests, describeFile, runTestFiles, summaryLine } from './testing/run-test-files.ts';

const root = join(import.meta.dirname, '..');
const names = process.argv.slice(2);
const idsOf = (path: string): readonly string[] => guaranteesIn(readFileSync(join(root, path), 'utf8'));
const guarantees = findTestFiles(root).filter(
  (path) => path.startsWith('test/scale/') || idsOf(path).length > 0,
);
const filesOf = (name: string): readonly string[] =>
  findTestFiles(root, [name]).filter((path) => guarantees.includes(path));
const unknown = names.filter((name) => filesOf(name).length === 0);

if (unknown.length > 0) {
  console.error(
    `no such guarantee: ${unknown.join(', ')}\navailable: ${[...new Set(guarantees.flatMap(idsOf))].join(', ')}`,
  );
  process.exitCode = 1;
} else {
  process.env.HOLDFAST_TEST_FULL = '1';
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const chosen = names.length === 0 ? guarantees : [...new Set(names.flatMap(filesOf))];
  const image = process.env.HOLDFAST_TEST_STAKE_IMAGE;
  const command = [
    ...(image === undefined ? [] : [`HOLDFAST_TEST_STAKE_IMAGE=${basename(image)}`]),
    'npm run test:full',
    ...(names.length > 0 ? ['--', ...names] : []),
  ].join(' ');
  const machine = describeMachine();
  console.log(
    `${chosen.length} files with full counts, one after the other:\n${chosen.map((path) => `  ${path}`).join('\n')}`,
  );
  const progress = setInterval(
    () => console.log(`  … still running, ${new Date().toISOString().slice(11, 19)} UTC`),
    60_000,
  );
  const results = await runTestFiles(root, chosen, {
    testTimeoutMs: 3 * 3_600_000,
    fileTimeoutMs: 4 * 3_600_000,
    atOnce: 1,
    signal: stop.signal,
    onEnd: (result) => {
      console.log([describeFile(result), ...result.diagnostics.map((line) => `  ${line}`)].join('\n'));
      // An interrupted run has no result to record.
      if (!stop.signal.aborted)
        appendRecord(join(root, 'docs', 'full-runs.md'), [
          recordLine(result, idsOf(result.path), new Date().toISOString(), command, machine),
        ]);
    },
  });
  clearInterval(progress);
  const counts = countTests(results);
  console.log(summaryLine(counts));
  process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}

// Keeps the dated record of full runs: a Markdown table with one row per guarantee and run.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { basename } from 'node:path';
import type { FileResult } from './run-test-files.ts';

const HEADER = `# Full runs

Results of \`npm run test:full\`: one line for each file and run, oldest first. The command adds lines; they are never edited.

| Date (UTC) | Command | Guarantee | Counts | Result | Duration | Machine |
|---|---|---|---|---|---|---|
`;

/** Describes the machine, e.g. `2 × Xeon, 8 GB, linux x64, Node 26.10.0`. */
export const describeMachine = (): string => {
  const processors = cpus();
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  const model = (processors[0]?.model ?? 'unknown processor').replaceAll(/\s+/g, ' ').trim();
  return `${processors.length} × ${model}, ${memoryGb} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();

const duration = (ms: number): string =>
  ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;

/** Formats one row of the table. `date` is ISO 8601. */
export const recordLine = (
  result: FileResult,
  guarantees: readonly string[],
  date: string,
  command: string,
  machine: string,
): string => {
  const name = guarantees.length > 0 ? guarantees.join(', ') : basename(result.path, '.test.ts');
  const { passed, failures, skips, diagnostics } = result;
  const outcome =
    failures.length > 0
      ? `FAILED: ${failures.map((failure) => failure.name).join('; ')}`
      : passed === 0
        ? 'skipped'
        : 'passed';
  const counts = [
    `${passed} of ${passed + failures.length} tests`,
    ...(skips.length > 0 ? [`${skips.length} skipped`] : []),
    ...diagnostics,
  ].join('; ');
  const cells = [
    date.slice(0, 16).replace('T', ' '),
    `\`${command}\``,
    name,
    counts,
    outcome,
    duration(result.durationMs),
    machine,
  ];
  return `| ${cells.map(cell).join(' | ')} |\n`;
};

/** Appends rows to the record at `path`. Creates the record if it does not exist. */
export const appendRecord = (path: string, lines: readonly string[]): void => {
  if (!existsSync(path)) writeFileSync(path, HEADER);
  appendFileSync(path, lines.join(''));
};

// `npm run bench [-- NAME] [--write]`: runs every benchmark, or one, each against its control in the same
// run. `--write` updates docs/benchmarks.md.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../scripts/command-options.ts';
import { asMarkdown, type BenchRow } from './benchmark-row.ts';
import { benchBuildStake } from './build-stake.ts';
import { benchCachedGet } from './cached-get.ts';
import { benchDelegators } from './delegators.ts';
import { benchIndexMemory } from './index-memory.ts';
import { benchMcpCall } from './mcp-call.ts';
import { benchOneShot } from './one-shot.ts';
import { benchPlan } from './plan.ts';
import { benchPortfolio } from './portfolio.ts';
import { benchStartUp } from './start-up.ts';
import { benchStore } from './store.ts';
import { benchUnsignedLatency } from './unsigned-latency.ts';
import { benchUnsignedStake } from './unsigned-stake.ts';
import { benchUpstreamCalls } from './upstream-calls.ts';
import { benchWebhookFanOut } from './webhook-fan-out.ts';
import { benchWorstPlan } from './worst-plan.ts';

/** Prefix of the output line that the parent reads. */
const ROWS = 'rows: ';
const MAX_OUTPUT_BYTES = 1_048_576;

const measurements: readonly (readonly [
  name: string,
  measure: () => Promise<BenchRow | readonly BenchRow[]>,
])[] = [
  ['cached GET', benchCachedGet],
  ['unsigned stake build', benchBuildStake],
  ['unsigned stake over HTTP', benchUnsignedStake],
  ['unsigned stake latency', benchUnsignedLatency],
  ['upstream calls', benchUpstreamCalls],
  ['one-shot stake', benchOneShot],
  ['portfolio summary', benchPortfolio],
  ['plan of a change', benchPlan],
  ['worst plan', benchWorstPlan],
  ['MCP call', benchMcpCall],
  ['start-up', benchStartUp],
  ['index of 200,000 stake accounts', benchIndexMemory],
  ['delegator list', benchDelegators],
  ['durable commits', benchStore],
  ['webhook fan-out', benchWebhookFanOut],
];

const USAGE = `Usage: npm run bench [-- [NAME] [--write]]

Measures every speed line, or those whose names contain NAME, each against its control in the same run. --write puts the table into docs/benchmarks.md; --rows prints it as JSON.
Names: ${measurements.map(([name]) => name).join(', ')}.`;

const { values: options, positionals } = readOptions(USAGE, {
  options: { write: { type: 'boolean', default: false }, rows: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [named] = positionals;
const chosen = measurements.filter(([name]) => named === undefined || name.includes(named));

/**
 * Runs each benchmark in its own process, so the memory and compiled code of one do not affect the next one.
 */
const rowsApart = (name: string): readonly BenchRow[] => {
  const child = spawnSync(process.execPath, [import.meta.filename, name, '--rows'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  const line = child.stdout.split('\n').find((text) => text.startsWith(ROWS));
  if (line === undefined) throw new Error(`${name}: no rows\n${child.stdout}`);
  return JSON.parse(line.slice(ROWS.length)) as BenchRow[];
};

/**
 * Runs in the child. All servers and sockets are closed by then, but the explicit exit ensures that nothing
 * left over delays the parent.
 */
const printRows = async (): Promise<void> => {
  const rows = [await chosen[0]![1]()].flat();
  process.stdout.write(`${ROWS}${JSON.stringify(rows)}\n`, () => process.exit(0));
};

const printTable = (): void => {
  const rows: BenchRow[] = [];
  for (const [index, [name]] of chosen.entries()) {
    console.error(`${index + 1}/${chosen.length} ${name} …`);
    rows.push(...rowsApart(name));
  }
  const machine = `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;
  const table = `${asMarkdown(rows)}\n\nMedians, measured on: ${machine}.`;
  console.log(table);
  if (options.write && named === undefined) writeTable(table);
  process.exitCode = rows.every((row) => row.met) ? 0 : 1;
};

const writeTable = (table: string): void => {
  const path = join(import.meta.dirname, '..', 'docs', 'benchmarks.md');
  const marked = /(<!-- bench:start -->)[\s\S]*(<!-- bench:end -->)/;
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(marked, (_all, start, end) => `${start}\n${table}\n${end}`),
  );
};

if (chosen.length === 0) {
  console.error(`no such measurement: ${named}\navailable: ${measurements.map(([name]) => name).join(', ')}`);
  process.exitCode = 1;
} else if (options.rows) await printRows();
else printTable();

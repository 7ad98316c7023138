// `npm run bench [-- --write]`: measures every speed line against its control in the same run; `--write` puts the table into the README.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { benchBuildStake } from './build-stake.ts';
import { benchCachedGet } from './cached-get.ts';
import { benchIndexMemory } from './index-memory.ts';
import { benchOneShot } from './one-shot.ts';
import { benchPortfolio } from './portfolio.ts';
import { asMarkdown, type BenchRow } from './row.ts';
import { benchStartUp } from './start-up.ts';
import { benchStore } from './store.ts';
import { benchUnsignedLatency } from './unsigned-latency.ts';

const measurements: readonly (readonly [
  name: string,
  measure: () => Promise<BenchRow | readonly BenchRow[]>,
])[] = [
  ['cached GET', benchCachedGet],
  ['unsigned stake build', benchBuildStake],
  ['unsigned stake latency', benchUnsignedLatency],
  ['one-shot stake', benchOneShot],
  ['portfolio summary', benchPortfolio],
  ['start-up', benchStartUp],
  ['index of 1,000,000 stake accounts', benchIndexMemory],
  ['durable commits', benchStore],
];

const rows: BenchRow[] = [];
for (const [index, [name, measure]] of measurements.entries()) {
  console.error(`${index + 1}/${measurements.length} ${name} …`);
  rows.push(...[await measure()].flat());
}
const machine = `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;
const table = `${asMarkdown(rows)}\n\nMedians, measured on: ${machine}.`;
console.log(table);

if (process.argv.includes('--write')) {
  const path = join(import.meta.dirname, '..', 'README.md');
  const marked = /(<!-- bench:start -->)[\s\S]*(<!-- bench:end -->)/;
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(marked, (_all, start, end) => `${start}\n${table}\n${end}`),
  );
}
// Children and sockets of the contestants are closed by now; what still lingers must not keep the table waiting.
process.exit(rows.every((row) => row.met) ? 0 : 1);

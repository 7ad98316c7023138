// `npm run scale -- NAME [--write]`: measures one aspect of scale and prints its table. `model` computes from
// the measured unit costs the resources that a number of wallets needs. `--write` updates docs/scale.md and
// costs.json.

import { join } from 'node:path';
import { readOptions } from '../../scripts/command-options.ts';
import { machineAndTime } from './load-world.ts';
import { measureBoundary } from './measure-boundary.ts';
import { measureIndex } from './measure-index.ts';
import { measureProcesses } from './measure-processes.ts';
import { measureWallets } from './measure-wallets.ts';
import { modelScale } from './model-scale.ts';
import { endProcess, logLine, scope } from './process-scope.ts';
import { type Measurement, readCosts, writeCosts } from './scale-costs.ts';
import { tableOf, writeSection } from './write-section.ts';

const NAMES = ['processes', 'boundary', 'index', 'wallets', 'model'] as const;
const USAGE = `Usage: npm run scale -- NAME [--write] [--note TEXT] [numbers]

NAME is one of:
  processes  mixed load at 1, 2 and 4 processes            --seconds 60
  boundary   registrations and events at one boundary      --registrations 100000 --over-http 2000
  index      stake accounts from a synthetic RPC node      --accounts 2000000 --delegators 300000
  wallets    as many wallets with stakes as fit            --wallets 20000 --most-each 64
  model      what many wallets need, from measured costs   --wallets 10000000
--write puts the table into docs/scale.md and the unit costs into bench/scale/costs.json.`;

const { values: given, positionals } = readOptions(USAGE, {
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    note: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    registrations: { type: 'string', default: '100000' },
    'over-http': { type: 'string', default: '2000' },
    accounts: { type: 'string', default: '2000000' },
    delegators: { type: 'string', default: '300000' },
    wallets: { type: 'string' },
    'most-each': { type: 'string', default: '64' },
  },
});
const name = NAMES.find((one) => one === positionals[0]);
if (name === undefined) {
  console.error(USAGE);
  process.exit(2);
}

const number = (text: string | undefined, otherwise: number): number => Number(text ?? otherwise);

const measurements: Readonly<Record<(typeof NAMES)[number], () => Promise<Measurement>>> = {
  processes: () => measureProcesses(scope, { seconds: Number(given.seconds), say: logLine }),
  boundary: () => {
    const count = Number(given.registrations);
    return measureBoundary(scope, {
      count,
      overHttp: Math.min(count, Number(given['over-http'])),
      say: logLine,
    });
  },
  index: () =>
    measureIndex({ accounts: Number(given.accounts), delegators: Number(given.delegators), say: logLine }),
  wallets: () =>
    measureWallets(scope, {
      wallets: number(given.wallets, 20_000),
      mostEach: Number(given['most-each']),
      say: logLine,
    }),
  model: async () => modelScale(readCosts(), number(given.wallets, 10_000_000)),
};

const { title, head, rows, costs } = await measurements[name]();
const table = tableOf(head, rows);
console.log(`${title}\n\n${table}`);
if (costs !== undefined) console.log(JSON.stringify(costs));
if (given.write) {
  if (costs !== undefined) writeCosts(costs);
  const command = [
    'npm run scale --',
    ...process.argv.slice(2).filter((one) => one !== '--write' && one !== '--note' && one !== given.note),
  ].join(' ');
  const note = given.note === undefined ? '' : `, ${given.note}`;
  writeSection(
    join(import.meta.dirname, '..', '..', 'docs', 'scale.md'),
    name,
    `## ${title[0]!.toUpperCase()}${title.slice(1)}\n\n\`${command}\`, ${machineAndTime()}${note}.\n\n${table}`,
  );
}
await endProcess(0);

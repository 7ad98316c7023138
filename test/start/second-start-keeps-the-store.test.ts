// Checks that a second start next to a running sandbox, even if the sandbox's port is taken, leaves the running
// sandbox's store in place.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../src/compose/open-store.ts';
import { StartError } from '../../src/config/start-error.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { exampleIntent } from '../support/intent-examples.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import { EXAMPLE_OPTIONS } from '../support/store-fixture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writtenTree } from '../support/written-tree.ts';

const { identity } = EXAMPLE_OPTIONS;
const nextChain = { ...identity, genesisHash: 'the next chain' };

/** Starts another process that keeps a store open, like a running service. */
const HOLDER = `
import { openStore } from '${join(import.meta.dirname, '../../src/compose/open-store.ts')}';
import { systemClock } from '${join(import.meta.dirname, '../../src/kernel/clock.ts')}';
import { createLogger } from '${join(import.meta.dirname, '../../src/kernel/log/logger.ts')}';
await openStore({
  dataDir: process.argv[2],
  databaseUrl: undefined,
  identity: JSON.parse(process.argv[3]),
  madeFor: 'sandbox',
  clock: systemClock,
  logger: createLogger('silent'),
});
setInterval(() => {}, 1_000);
console.log('open');
`;

test('the store of a running sandbox is not archived, but it is archived once that sandbox was killed', async (t) => {
  const dataDir = temporaryFolder(t);
  const root = writtenTree(t, { 'holder.ts': HOLDER, 'package.json': '{"type":"module"}' });
  const holder = spawnProcess(t, {
    file: join(root, 'holder.ts'),
    args: [dataDir, JSON.stringify(identity)],
  });
  await holder.output(/open/);
  const start = () =>
    openStore({
      dataDir,
      databaseUrl: undefined,
      identity: nextChain,
      madeFor: 'sandbox',
      clock: systemClock,
      logger: createLogger('silent'),
    });
  const before = readdirSync(dataDir);
  await assert.rejects(
    start(),
    (error) => error instanceof StartError && /another service is using it/.test(error.message),
  );
  assert.deepEqual(readdirSync(dataDir), before);
  await holder.stop('SIGKILL');
  const { store: next, history } = await start();
  assert.match(history, /^new; the records of the last sandbox were moved to .*holdfast\.db\./);
  await next.intents.recordSigned(exampleIntent('sig'), null);
  await next.close();
  assert.equal(readdirSync(dataDir).filter((name) => name.startsWith('holdfast.db.')).length, 1);
});

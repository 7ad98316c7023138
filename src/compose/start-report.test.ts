// Tests that the startup report on a real cluster contains the validator's name and stake, each node's latency,
// and the remaining tasks, and reports missing data as unknown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Config } from '../config/config.ts';
import type { Context } from '../operations/context.ts';
import { startReport } from './start-report.ts';

const config = {
  publicUrl: undefined,
  trustedProxies: [],
  profileFile: undefined,
  dataDir: '/data',
} as unknown as Config;
const well = { hasAlerts: true, isPostgres: false, nodeWarning: undefined };
const ctxWith = (nodes: readonly object[]): Context =>
  ({
    validator: {
      facts: {
        get chain(): never {
          throw new Error('away');
        },
      },
    },
    service: {
      settings: { voteAccount: 'Vote' },
      dependencies: async () => ({ rpc: { ok: true, details: { nodes } } }),
    },
  }) as never;

test('an unresponsive chain causes no delay, its data is reported as unknown, and a second node is suggested if only one is configured', async () => {
  const { validator, rpc } = await startReport(ctxWith([{ ok: true, latencyMs: 41.4 }]), config, well);
  assert.equal(validator, 'vote account Vote; no further data yet');
  assert.equal(rpc, 'node 1 responds in 41 ms; add a second node as a fallback');
  const two = await startReport(
    ctxWith([
      { ok: true, latencyMs: 7 },
      { ok: false, latencyMs: null },
    ]),
    config,
    well,
  );
  assert.equal(two.rpc, 'node 1 responds in 7 ms, node 2 is not responding');
});

test('the backup names the store in use: a file of the data folder, or the database', async () => {
  const backup = async (isPostgres: boolean) =>
    (await startReport(ctxWith([]), config, { ...well, isPostgres })).toDo.at(-1)!;
  assert.match(await backup(false), /^Backup: copy the store in \/data daily/);
  assert.match(await backup(true), /^Backup: dump the database daily with pg_dump/);
  assert.doesNotMatch(await backup(true), /\/data/);
});

test('completed settings are not listed as tasks, but the backup always is', async () => {
  const toDo = async (more: Partial<Config>, facts: Partial<Parameters<typeof startReport>[2]> = {}) =>
    (await startReport(ctxWith([]), { ...config, ...more }, { ...well, ...facts })).toDo.map(
      (line) => line.split(':')[0],
    );
  assert.deepEqual(await toDo({}), ['TLS', 'Profile', 'Backup']);
  assert.deepEqual(await toDo({}, { hasAlerts: false, nodeWarning: 'Node: old' }), [
    ...['Node', 'TLS', 'Alerts', 'Profile', 'Backup'],
  ]);
  assert.deepEqual(await toDo({ publicUrl: 'https://stake.example' }), ['Proxy', 'Profile', 'Backup']);
  assert.deepEqual(
    await toDo({
      publicUrl: 'https://stake.example',
      trustedProxies: ['10.0.0.0/8'],
      profileFile: '/p.json',
    }),
    ['Backup'],
  );
});

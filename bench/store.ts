// Durable commits of the store: recording a signed intent, compared with one-row commits through bare
// node:sqlite on the same file system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '../src/store/engine/sqlite-store.ts';
import { exampleIntent } from '../test/support/intent-examples.ts';
import { EXAMPLE_OPTIONS, storeOf } from '../test/support/store-fixture.ts';
import { type BenchRow, median } from './benchmark-row.ts';

const COMMITS = 2_000;
const GOAL_RATIO = 3;

/** Measures milliseconds per commit: two rows in two tables through the store, compared with one row without the store. */
export const benchStore = async (rounds = 5): Promise<BenchRow> => {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const store = storeOf(await openSqliteStore({ path: join(folder, 'store.db'), ...EXAMPLE_OPTIONS }));
  stack.defer(() => store.close());
  const bare = stack.adopt(new DatabaseSync(join(folder, 'bare.db')), (it) => it.close());
  bare.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (k TEXT PRIMARY KEY, v BLOB) STRICT',
  );
  const insert = bare.prepare('INSERT INTO t VALUES (?, ?)');
  const bytes = new Uint8Array(700);

  const [recording, inserting]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const insertedAtMs = performance.now();
    for (let commit = 0; commit < COMMITS; commit += 1) insert.run(`${round} ${commit}`, bytes);
    inserting.push((performance.now() - insertedAtMs) / COMMITS);
    const recordedAtMs = performance.now();
    for (let commit = 0; commit < COMMITS; commit += 1) {
      const name = `${round} ${commit}`;
      await store.intents.recordSigned(exampleIntent(name, { key: name }), null);
    }
    recording.push((performance.now() - recordedAtMs) / COMMITS);
  }
  const [value, controlValue] = [median(recording), median(inserting)];
  return {
    path: 'recording an intent, durably',
    control: 'a one-row commit on bare node:sqlite',
    value,
    controlValue,
    unit: 'ms',
    goal: `≤ ${GOAL_RATIO}×`,
    met: value / controlValue <= GOAL_RATIO,
  };
};

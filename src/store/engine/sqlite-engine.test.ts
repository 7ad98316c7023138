import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openSqliteEngine } from './sqlite-engine.ts';

const open = async (t: TestContext) => {
  const path = join(temporaryFolder(t), 'engine.db');
  const { db } = openSqliteEngine(path);
  t.after(() => db.destroy());
  await sql`create table n (value integer not null) strict`.execute(db);
  return { db, path };
};

test('every commit is synced to the disk before it is acknowledged', async (t) => {
  const { db } = await open(t);
  const { rows: modes } = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(db);
  const { rows: levels } = await sql<{ synchronous: bigint }>`pragma synchronous`.execute(db);
  assert.deepEqual([modes[0]?.journal_mode, levels[0]?.synchronous], ['wal', 2n]);
});

test('foreign keys are enforced', async (t) => {
  const { db } = await open(t);
  await sql`create table parent (id integer primary key) strict`.execute(db);
  await sql`create table child (id integer references parent (id)) strict`.execute(db);
  await assert.rejects(sql`insert into child values (7)`.execute(db), /FOREIGN KEY/);
});

test('no other write happens between the reads and writes of a transaction', async (t) => {
  const { db, path } = await open(t);
  const other = new DatabaseSync(path, { timeout: 0 });
  t.after(() => other.close());
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ sum: bigint }>`select count(*) as sum from n`.execute(transaction);
    assert.throws(() => other.exec('insert into n values (1)'), /locked/);
    await sql`insert into n values (${rows[0]!.sum})`.execute(transaction);
  });
  other.exec('insert into n values (1)');
});

test('a transaction ended by the engine itself fails with its original error', async (t) => {
  const { db } = await open(t);
  const reason = new Error('disk full');
  const work = db.transaction().execute(async (transaction) => {
    await sql`insert into n values (1)`.execute(transaction);
    // SQLite itself does this after some failures.
    await sql`rollback`.execute(transaction);
    throw reason;
  });
  await assert.rejects(work, (error) => error === reason);
  const { rows } = await sql`select * from n`.execute(db);
  assert.deepEqual(rows, []);
});

test('transactions started concurrently run one after the other', async (t) => {
  const { db } = await open(t);
  await Promise.all(
    Array.from({ length: 50 }, () =>
      db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ last: bigint }>`select coalesce(max(value), 0) as last from n`.execute(
          transaction,
        );
        await Promise.resolve();
        await sql`insert into n values (${rows[0]!.last + 1n})`.execute(transaction);
      }),
    ),
  );
  const { rows } = await sql<{ count: bigint; last: bigint }>`
    select count(distinct value) as count, max(value) as last from n`.execute(db);
  assert.deepEqual({ ...rows[0] }, { count: 50n, last: 50n });
});

test('integers are returned as bigint, exact to 64 bits, and larger ones are refused', async (t) => {
  const { db } = await open(t);
  await sql`insert into n values (${2n ** 63n - 1n})`.execute(db);
  const { rows } = await sql<{ value: bigint }>`select value from n`.execute(db);
  assert.equal(rows[0]?.value, 2n ** 63n - 1n);
  await assert.rejects(async () => sql`insert into n values (${2n ** 63n})`.execute(db));
});

test('statements still run if there are more of them than the cache holds', async (t) => {
  const { db } = await open(t);
  for (let number = 0; number < 600; number += 1)
    await sql`insert into n values (${sql.lit(number)})`.execute(db);
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from n`.execute(db);
  assert.equal(rows[0]?.count, 600n);
});

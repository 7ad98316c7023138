import assert from 'node:assert/strict';
import { closeSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { isAppError } from '../../src/kernel/app-error.ts';
import { openSqliteStore } from '../../src/store/engine/sqlite-store.ts';
import { exampleIntent } from '../support/intent-examples.ts';
import { storeContract } from '../support/store-contract.ts';
import { exampleTransaction } from '../support/store-examples.ts';
import { EXAMPLE_OPTIONS, openStoreAt, openTestStore, storeOf } from '../support/store-fixture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ID = { operation: 'stake', wallet: 'wallet', key: 'key' } as const;

const unavailable = (error: unknown): boolean => isAppError(error, 'STORE_UNAVAILABLE');

const storePath = (t: TestContext): string => join(temporaryFolder(t), 'store.db');

storeContract(async (scope) => {
  const location = join(temporaryFolder(scope), 'store.db');
  return {
    location,
    execute: async (statement) => {
      const database = new DatabaseSync(location);
      database.exec(statement);
      database.close();
    },
  };
});

test('only the user who runs the process can read the store file, whatever the umask', async (t) => {
  const path = storePath(t);
  const before = process.umask(0);
  t.after(() => process.umask(before));
  const { intents } = await openTestStore(t, path);
  await intents.recordSigned(exampleIntent('sig'), null);
  for (const suffix of ['', '-wal', '-shm'])
    assert.equal(statSync(path + suffix).mode & 0o777, 0o600, `store.db${suffix}`);
});

test('a path that is a folder, or whose folder does not exist, causes STORE_UNAVAILABLE', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'store.db'));
  await assert.rejects(openStoreAt(join(folder, 'store.db')), unavailable);
  await assert.rejects(openStoreAt(join(folder, 'missing', 'store.db')), unavailable);
});

test('a file that is not a store causes STORE_UNAVAILABLE and stays unchanged', async (t) => {
  const path = storePath(t);
  writeFileSync(
    path,
    'a letter, not a database, and long enough to be read as a header of one page'.repeat(50),
  );
  const before = statSync(path).size;
  await assert.rejects(openStoreAt(path), unavailable);
  assert.equal(statSync(path).size, before);
});

test('a store damaged on disk causes STORE_UNAVAILABLE and never returns a partial record', async (t) => {
  const path = storePath(t);
  const store = await openTestStore(t, path);
  for (let index = 0; index < 50; index += 1)
    await store.intents.recordSigned(exampleIntent(`sig ${index}`, { key: `key ${index}` }), null);
  await store.transactions.record([exampleTransaction(1)]);
  await store.close();
  const damaged = await openTestStore(t, path);
  // Overwrites every page but the first, which keeps the header and the schema and destroys the rows.
  writeAt(path, 4096, Buffer.alloc(statSync(path).size - 4096, 0xff));
  await assert.rejects(damaged.intents.find({ ...ID, key: 'key 7' }), unavailable);
  await assert.rejects(damaged.intents.recordSigned(exampleIntent('new', { key: 'new' }), null), unavailable);
  await assert.rejects(damaged.transactions.pageWalletHistory('wallet'), unavailable);
});

const writeAt = (path: string, position: number, bytes: Buffer): void => {
  const handle = openSync(path, 'r+');
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
};

test('a store that another process keeps locked for too long causes STORE_UNAVAILABLE, and works again afterwards', async (t) => {
  const path = storePath(t);
  const { intents, close } = storeOf(await openSqliteStore({ path, busyTimeoutMs: 50, ...EXAMPLE_OPTIONS }));
  t.after(close);
  const holder = new DatabaseSync(path);
  t.after(() => holder.close());
  holder.exec('BEGIN IMMEDIATE');
  await assert.rejects(intents.recordSigned(exampleIntent('sig'), null), unavailable);
  assert.equal(await intents.find(ID), null, 'reads work while another connection writes');
  holder.exec('ROLLBACK');
  assert.equal(await intents.recordSigned(exampleIntent('sig'), null), true);
});

test('the error does not describe the file to callers, but its cause does, for the log', async (t) => {
  const path = join(temporaryFolder(t), 'missing', 'store.db');
  await assert.rejects(openStoreAt(path), (error: unknown) => {
    assert.ok(isAppError(error));
    assert.equal(error.retryAfterSeconds, 5);
    assert.ok(!error.message.includes(path) && !error.message.includes('sqlite'));
    assert.ok(error.cause instanceof Error);
    return true;
  });
});

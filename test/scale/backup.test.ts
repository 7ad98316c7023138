// Checks that the backup and restore commands of docs/operate.md work while the store is in use, and that the
// metrics named there exist.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { exampleIntent } from '../support/intent-examples.ts';
import { exampleTransaction } from '../support/store-examples.ts';
import { openStoreAt, openTestStore } from '../support/store-fixture.ts';
import { createTestDatabase } from '../support/store-postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'operate.md'), 'utf8');
const STORED = 500;
const ID = { operation: 'stake', wallet: 'wallet' } as const;

/** The only line of the page that starts with this text. */
const line = (beginning: string): string => {
  const found = page.split('\n').filter((each) => each.startsWith(beginning));
  assert.equal(found.length, 1, beginning);
  return found[0]!;
};

const run = (command: string, cwd: string, env: Record<string, string>): void => {
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  execFileSync('bash', ['-c', command], {
    cwd,
    env: { ...env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};

const fill = async (store: Store): Promise<void> => {
  for (let index = 0; index < STORED; index += 1)
    await store.intents.recordSigned(exampleIntent(`sig ${index}`, { key: `key ${index}` }), null);
  await store.transactions.record(
    Array.from({ length: STORED }, (_, index) => exampleTransaction(index + 1)),
  );
};

/** Keeps writing until stopped, so that the backup is taken during writes. */
const writeOn = (store: Store): (() => Promise<void>) => {
  let stopped = false;
  const writing = (async () => {
    for (let index = 0; !stopped; index += 1) {
      const name = `later ${index}`;
      await store.intents.recordSigned(exampleIntent(name, { key: name }), null);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  return async () => {
    stopped = true;
    await writing;
  };
};

const assertWhole = async (restored: Store): Promise<void> => {
  for (let index = 0; index < STORED; index += 1)
    assert.ok(await restored.intents.find({ ...ID, key: `key ${index}` }), `key ${index}`);
  assert.equal(await restored.transactions.record([exampleTransaction(STORED)]), 0, 'known already');
  assert.equal(await restored.intents.recordSigned(exampleIntent('new', { key: 'new' }), null), true);
};

// Runs before the first test, which blocks the process while commands run.
const database = await createTestDatabase();
after(() => (typeof database === 'string' ? undefined : database.drop()));
const skip = (() => {
  if (typeof database === 'string') return database;
  try {
    execFileSync('pg_restore', ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'no pg_dump and pg_restore on this machine';
  }
})();

test('the embedded store is backed up in use and restored completely, readable by its owner alone', async (t) => {
  const [from, to, cwd] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  const store = await openTestStore(t, join(from, 'holdfast.db'));
  await fill(store);
  const stop = writeOn(store);
  run(line('(umask 077; node -e '), cwd, { HOLDFAST_DATA_DIR: from });
  assert.equal(statSync(join(cwd, 'holdfast.backup.db')).mode & 0o777, 0o600);
  await stop();
  run(line('rm -f "$RESTORED'), cwd, { RESTORED_DATA_DIR: to });
  assert.equal(statSync(join(to, 'holdfast.db')).mode & 0o777, 0o600);
  await assertWhole(await openTestStore(t, join(to, 'holdfast.db')));
});

test('the store in PostgreSQL is backed up in use and restored completely into an empty database', {
  skip,
}, async (t) => {
  const empty = await createTestDatabase();
  if (typeof database === 'string' || typeof empty === 'string') return assert.fail('no database');
  t.after(() => empty.drop());
  const cwd = temporaryFolder(t);
  const store = await openTestStore(t, database.url);
  await fill(store);
  const stop = writeOn(store);
  run(line('pg_dump '), cwd, { DATABASE_URL: database.url });
  await stop();
  run(line('pg_restore '), cwd, { RESTORED_DATABASE_URL: empty.url });
  const restored = await openTestStore(t, empty.url);
  await assertWhole(restored);
  // The check of its owner was restored too.
  const outsider = { genesisHash: 'genesis', voteAccount: 'vote', serverSecretFingerprint: 'another' };
  assert.equal((await openStoreAt(empty.url, { identity: outsider })).outcome, 'foreign');
});

test('the service serves every metric that the page recommends to watch', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(root, 'src', path), 'utf8'))
    .join('');
  const named = new Set(page.match(/\b(?:holdfast|process)_[a-z_]+\b(?=[{`])/g));
  assert.ok(named.size >= 10);
  for (const name of named) assert.ok(sources.includes(`'${name}'`), name);
});

// Checks that the backup and restore commands in docs/operate.md work while the store is in use, and that the
// metrics and the number of connections named there are right.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { migrations } from '../../src/store/migrations/all.ts';
import type { Store } from '../../src/store/store.ts';
import { exampleIntent } from '../support/intent-examples.ts';
import { exampleTransaction } from '../support/store-examples.ts';
import { addsTable, openStoreAt, openTestStore, storeOf } from '../support/store-fixture.ts';
import { createTestDatabase } from '../support/store-postgres.ts';
import { readStore } from '../support/stored-example.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'operate.md'), 'utf8');
const STORED = 500;
const ID = { operation: 'stake', wallet: 'wallet' } as const;

/** Returns the only line of the page that starts with this text. */
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

/** Creates the folder; if root runs the test, another user owns it, like a data folder. Returns the owner. */
const makeForService = (folder: string): number => {
  mkdirSync(folder, { recursive: true });
  if (process.getuid?.() === 0) chownSync(folder, 65_534, 65_534);
  return statSync(folder).uid;
};

const fill = async (store: Store): Promise<void> => {
  for (let index = 0; index < STORED; index += 1)
    await store.intents.recordSigned(exampleIntent(`sig ${index}`, { key: `key ${index}` }), null);
  await store.transactions.record(
    Array.from({ length: STORED }, (_, index) => exampleTransaction(index + 1)),
  );
};

/** Writes until stopped, so the backup is taken while there are writes. */
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

// Created up front, because the tests block the process while they run commands.
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

test('the embedded store is backed up while in use and restored completely, readable only by its owner', async (t) => {
  const [from, to, cwd] = [temporaryFolder(t), join(temporaryFolder(t), 'new'), temporaryFolder(t)];
  const store = await openTestStore(t, join(from, 'holdfast.db'));
  await fill(store);
  const stop = writeOn(store);
  const backup = line('(umask 077; rm -f holdfast.backup.new; ');
  // The backup is daily, so the second one replaces the first.
  for (let day = 0; day < 2; day += 1) run(backup, cwd, { HOLDFAST_DATA_DIR: from });
  assert.equal(statSync(join(cwd, 'holdfast.backup.db')).mode & 0o777, 0o600);
  await stop();
  const owner = makeForService(to);
  run(line('install -d -m 700 "$RESTORED'), cwd, { RESTORED_DATA_DIR: to });
  assert.equal(statSync(join(to, 'holdfast.db')).mode & 0o777, 0o600);
  assert.equal(statSync(join(to, 'holdfast.db')).uid, owner);
  await assertWhole(await openTestStore(t, join(to, 'holdfast.db')));
});

test('the store in PostgreSQL is backed up while in use and restored completely into an empty database', {
  skip,
}, async (t) => {
  const empty = await createTestDatabase();
  if (typeof database === 'string' || typeof empty === 'string') return assert.fail('no database');
  t.after(() => empty.drop());
  const cwd = temporaryFolder(t);
  const store = await openTestStore(t, database.url);
  await fill(store);
  const stop = writeOn(store);
  run(line('(umask 077; pg_dump '), cwd, { DATABASE_URL: database.url });
  await stop();
  run(line('pg_restore '), cwd, { RESTORED_DATABASE_URL: empty.url });
  assert.equal(statSync(join(cwd, 'holdfast.dump')).mode & 0o777, 0o600);
  const restored = await openTestStore(t, empty.url);
  await assertWhole(restored);
  await restored.close();
  // Rolls back by hand: the backup replaces the database in use.
  run(`[ -z "$(${line('psql --quiet ')} 2>&1)" ]`, cwd, { RESTORED_DATABASE_URL: empty.url });
  run(line('pg_restore '), cwd, { RESTORED_DATABASE_URL: empty.url });
  const rolledBack = await openTestStore(t, empty.url);
  assert.equal(await rolledBack.intents.find({ ...ID, key: 'new' }), null);
  await assertWhole(rolledBack);
  // The stored identity of the owner was restored as well.
  const outsider = { genesisHash: 'genesis', voteAccount: 'vote', serverSecretFingerprint: 'another' };
  assert.equal((await openStoreAt(empty.url, { identity: outsider })).outcome, 'foreign');
});

const FIXTURE = join(root, 'test', 'fixtures', 'store-1.0.0', 'holdfast.db');

test('data of version 1.0.0 is upgraded, used and rolled back with the commands in the guide', async (t) => {
  const [from, cwd, origin, clones] = Array.from({ length: 4 }, () => temporaryFolder(t)) as [
    ...[string, string, string, string],
  ];
  const data = { HOLDFAST_DATA_DIR: from, RESTORED_DATA_DIR: from };
  const git = (folder: string, command: string) => {
    const identity = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', HOME: folder };
    run(command, folder, { ...data, ...identity });
  };
  const commit = (version: string) => {
    writeFileSync(join(origin, 'version'), version);
    const author = '-c user.name=a -c user.email=a@example.com';
    git(origin, `git add -A && git ${author} commit -qm ${version}`);
  };
  git(origin, 'git init -q -b main');
  commit('1.0.0');
  git(clones, `git clone -q ${origin} code`);
  const code = join(clones, 'code');
  const version = () => readFileSync(join(code, 'version'), 'utf8');
  copyFileSync(FIXTURE, join(from, 'holdfast.db'));
  const place = join(from, 'holdfast.db');
  const read = async () => {
    const store = await openTestStore(t, place);
    const found = await readStore(store);
    await store.close();
    return found;
  };
  const released = await read();

  git(code, line('git rev-parse HEAD > '));
  commit('1.1.0');
  run(line('(umask 077; rm -f holdfast.backup.new; '), cwd, data);
  git(code, line('umask 022 && git pull --ff-only'));
  assert.equal(version(), '1.1.0');
  const upgraded = storeOf(
    await openStoreAt(place, { migrations: [...migrations, addsTable('0002-later')] }),
  );
  await upgraded.intents.recordSigned(exampleIntent('later', { key: 'later' }), null);
  await upgraded.close();
  assert.notEqual((await openStoreAt(place)).outcome, 'open', 'the old version refuses the new tables');

  git(code, line('git checkout --detach '));
  assert.equal(version(), '1.0.0');
  run(line('install -d -m 700 "$RESTORED'), cwd, data);
  assert.deepEqual(await read(), released);
  const back = await openTestStore(t, place);
  assert.equal(await back.intents.find({ ...ID, key: 'later' }), null);
});

test('the server secret can be moved to another machine, where only its owner can read it', (t) => {
  const [from, to, there] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  writeFileSync(join(from, 'server-secret'), 'secret', { mode: 0o600 });
  makeForService(there);
  for (const folder of [there, join(to, 'not', 'there', 'yet')]) {
    run(line('install -D -m 600 server-secret'), from, { RESTORED_DATA_DIR: folder });
    assert.equal(readFileSync(join(folder, 'server-secret'), 'utf8'), 'secret');
    const { mode, uid } = statSync(join(folder, 'server-secret'));
    assert.deepEqual([mode & 0o777, uid], [0o600, statSync(folder).uid]);
  }
});

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(root, 'src', path), 'utf8'))
  .join('');

test('the page counts the connections to PostgreSQL, one for each elected task', () => {
  const words = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  const tasks = sources.match(/(?<!const )\brunElected\(/g)?.length ?? 0;
  const engine = readFileSync(join(root, 'src', 'store', 'engine', 'postgres-engine.ts'), 'utf8');
  const pool = Number(/^const MAX_CONNECTIONS = (\d+);$/m.exec(engine)?.[1]);
  const text = page.replaceAll(/\s+/g, ' ');
  assert.match(
    text,
    new RegExp(`at most ${pool} per process, plus one for each of the ${words[tasks]} elected tasks`),
  );
  assert.match(
    text,
    new RegExp(`leaves room for ${words[Math.floor((100 - 3) / (pool + tasks))]} processes`),
  );
});

test('the service serves every metric that the page recommends watching', () => {
  const named = new Set(page.match(/\b(?:holdfast|process)_[a-z_]+\b(?=[{`])/g));
  assert.ok(named.size >= 10);
  for (const name of named) assert.ok(sources.includes(`'${name}'`), name);
});

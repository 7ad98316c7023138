import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { exampleIntent } from '../../test/support/intent-examples.ts';
import { addsTable, EXAMPLE_OPTIONS, openStoreAt, storeOf } from '../../test/support/store-fixture.ts';
import { createTestDatabase, executeOn } from '../../test/support/store-postgres.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { Secret } from '../config/secret-settings.ts';
import { StartError } from '../config/start-error.ts';
import { systemClock } from '../kernel/clock.ts';
import { migrations } from '../store/migrations/all.ts';
import { type OpenStoreOptions, openStore } from './open-store.ts';

const { identity } = EXAMPLE_OPTIONS;
const nextChain = { ...identity, genesisHash: 'the next chain' };
const ID = { operation: 'stake', wallet: 'wallet', key: 'key' } as const;

type Place = Pick<OpenStoreOptions, 'dataDir' | 'databaseUrl'>;

/** Opens the store as at startup, captures its log, and closes it after the test. */
const start = async (t: TestContext, options: Place & Partial<OpenStoreOptions>) => {
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const { store } = await openStore({ identity, madeFor: 'sandbox', clock: systemClock, logger, ...options });
  t.after(() => store.close());
  return { store, log: lines.join('') };
};

const refused =
  (...parts: RegExp[]) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof StartError, String(error));
    for (const part of [...parts, /[Nn]othing was changed|the store was not changed/])
      assert.match(error.message, part);
    return true;
  };

const database = await createTestDatabase();
if (typeof database !== 'string') after(() => database.drop());

const places = {
  'the embedded store': {
    skip: false,
    make: async (t: TestContext): Promise<Place> => ({ dataDir: temporaryFolder(t), databaseUrl: undefined }),
    locationOf: ({ dataDir }: Place) => join(dataDir, 'holdfast.db'),
  },
  'the store on PostgreSQL': {
    skip: typeof database === 'string' && database,
    make: async (t: TestContext): Promise<Place> => {
      const { url } = database as Exclude<typeof database, string>;
      await executeOn(url, 'drop schema if exists holdfast cascade');
      return { dataDir: temporaryFolder(t), databaseUrl: new Secret(url) };
    },
    locationOf: ({ databaseUrl }: Place) => databaseUrl!.reveal(),
  },
} as const;

for (const [name, { skip, make, locationOf }] of Object.entries(places)) {
  test(`${name}: the next startup finds the records of the previous one`, { skip }, async (t) => {
    const place = await make(t);
    const { store } = await start(t, place);
    await store.intents.recordSigned(exampleIntent('sig'), null);
    await store.close();
    const next = await start(t, place);
    assert.ok(await next.store.intents.find(ID));
    assert.equal(next.log, '');
  });

  test(`${name}: a sandbox on a new chain archives the old sandbox's store and logs its new location`, {
    skip,
  }, async (t) => {
    const place = await make(t);
    const { store } = await start(t, place);
    await store.intents.recordSigned(exampleIntent('sig'), null);
    await store.close();
    const next = await start(t, { ...place, identity: nextChain });
    assert.match(next.log, /"archive":".*holdfast.*its store was archived/);
    assert.equal(await next.store.intents.find(ID), null);
  });

  test(`${name}: startup on a real cluster never archives its store`, { skip }, async (t) => {
    const place = await make(t);
    const { store } = await start(t, { ...place, madeFor: 'real' });
    await store.intents.recordSigned(exampleIntent('sig'), null);
    await store.close();
    for (const [member, words] of [
      ['genesisHash', /another cluster/],
      ['voteAccount', /another vote account/],
      ['serverSecretFingerprint', /another server secret/],
    ] as const) {
      const other = { ...identity, [member]: 'another' };
      await assert.rejects(start(t, { ...place, madeFor: 'real', identity: other }), refused(words));
    }
    assert.ok(await (await start(t, { ...place, madeFor: 'real' })).store.intents.find(ID));
  });

  test(`${name}: a sandbox never archives a real cluster's store`, { skip }, async (t) => {
    const place = await make(t);
    await (await start(t, { ...place, madeFor: 'real' })).store.close();
    await assert.rejects(
      start(t, { ...place, identity: nextChain }),
      refused(/belongs to a real cluster/, /HOLDFAST_RPC_URL/),
    );
  });

  test(`${name}: startup on a real cluster archives a sandbox’s store`, { skip }, async (t) => {
    const place = await make(t);
    await (await start(t, place)).store.close();
    const { store, log } = await start(t, { ...place, madeFor: 'real', identity: nextChain });
    assert.match(log, /its store was archived/);
    await store.close();
    assert.equal((await start(t, { ...place, madeFor: 'real', identity: nextChain })).log, '');
  });

  test(`${name}: with another server secret no store is archived, whether on the same chain, another chain or a new sandbox`, {
    skip,
  }, async (t) => {
    const place = await make(t);
    await (await start(t, place)).store.close();
    for (const chain of [identity, nextChain])
      for (const madeFor of ['real', 'sandbox'] as const)
        await assert.rejects(
          start(t, { ...place, madeFor, identity: { ...chain, serverSecretFingerprint: 'another' } }),
          refused(/another server secret/),
        );
  });

  test(`${name}: startup with the RPC URL of a running sandbox archives no store`, { skip }, async (t) => {
    const place = await make(t);
    await (await start(t, place)).store.close();
    const other = { ...identity, voteAccount: 'another' };
    await assert.rejects(
      start(t, { ...place, madeFor: 'real', identity: other }),
      refused(/another vote account/),
    );
    assert.equal((await start(t, { ...place, madeFor: 'real' })).log, '');
  });

  test(`${name}: a store of a later version is refused on a real cluster and archived in a sandbox`, {
    skip,
  }, async (t) => {
    for (const madeFor of ['real', 'sandbox'] as const) {
      const place = await make(t);
      const later = { migrations: [...migrations, addsTable('9999-later')], madeFor };
      await storeOf(await openStoreAt(locationOf(place), later)).close();
      if (madeFor === 'real')
        await assert.rejects(start(t, { ...place, madeFor }), refused(/a later version \(9999-later\)/));
      else assert.match((await start(t, { ...place, madeFor })).log, /archived/);
    }
  });

  test(`${name}: a store from before 1.0.0 is refused with the same message on a real cluster and in a sandbox`, {
    skip,
  }, async (t) => {
    for (const madeFor of ['real', 'sandbox'] as const) {
      const place = await make(t);
      const unreleased = { migrations: [addsTable('0001-intents')], madeFor };
      await storeOf(await openStoreAt(locationOf(place), unreleased)).close();
      for (const next of ['real', 'sandbox'] as const)
        await assert.rejects(
          start(t, { ...place, madeFor: next, identity: nextChain }),
          refused(
            /created by a development version from before Holdfast 1\.0\.0/,
            /use another (HOLDFAST_DATA_DIR|database)/,
          ),
        );
    }
  });
}

test('only the newest archive of a sandbox’s store is kept, and unrelated files are not removed', async (t) => {
  const dataDir = temporaryFolder(t);
  const path = join(dataDir, 'holdfast.db');
  const archiveOf = (hour: number) => `${path}.2026-11-23T0${hour}-00-00.000Z`;
  const madeAt = async (file: string, madeFor: 'sandbox' | 'real') =>
    storeOf(await openStoreAt(file, { madeFor })).close();
  for (const hour of [1, 2]) await madeAt(archiveOf(hour), 'sandbox');
  await madeAt(archiveOf(3), 'real');
  writeFileSync(archiveOf(4), 'no database');
  const early = new DatabaseSync(archiveOf(5));
  early.exec('create table identity (name text primary key, value text not null)');
  early.close();
  await madeAt(`${path}.mine`, 'sandbox');
  const foreign = [archiveOf(3), archiveOf(4), archiveOf(5), `${path}.mine`];
  await (await start(t, { dataDir, databaseUrl: undefined })).store.close();
  const { log } = await start(t, { dataDir, databaseUrl: undefined, identity: nextChain });
  const [, newest] = /"archive":"([^"]+)","removed":2/.exec(log) ?? assert.fail(log);
  const left = readdirSync(dataDir).map((name) => join(dataDir, name));
  assert.deepEqual(left.filter((file) => file.startsWith(`${path}.`)).sort(), [...foreign, newest].sort());
});

test('a start on a real cluster removes no files', async (t) => {
  const dataDir = temporaryFolder(t);
  const place = { dataDir, databaseUrl: undefined };
  const older = join(dataDir, 'holdfast.db.2026-11-23T01-00-00.000Z');
  await storeOf(await openStoreAt(older, { madeFor: 'sandbox' })).close();
  await (await start(t, place)).store.close();
  const { log } = await start(t, { ...place, madeFor: 'real', identity: nextChain });
  assert.match(log, /"removed":0.*its store was archived/);
  assert.ok(existsSync(older));
});

test('with PostgreSQL, no files are stored in the data folder', {
  skip: places['the store on PostgreSQL'].skip,
}, async (t) => {
  const place = await places['the store on PostgreSQL'].make(t);
  await start(t, place);
  assert.deepEqual(readdirSync(place.dataDir), []);
});

test('an unreachable database is reported in plain language, without its password', async (t) => {
  const databaseUrl = new Secret('postgres://user:pass-word@127.0.0.1:1/holdfast');
  await assert.rejects(start(t, { dataDir: temporaryFolder(t), databaseUrl }), (error: unknown) => {
    assert.ok(error instanceof StartError);
    assert.match(
      error.message,
      /the database of DATABASE_URL cannot be used: .*ECONNREFUSED.*Check that PostgreSQL is running/,
    );
    assert.doesNotMatch(error.message, /pass-word/);
    return true;
  });
});

test('files that another user owns, for instance after a restore as root, are reported with the commands that mend it', async (t) => {
  const dataDir = temporaryFolder(t);
  const file = join(dataDir, 'holdfast.db');
  writeFileSync(file, '', { mode: 0o400 });
  // Nothing is denied to root, so the test continues as another user.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    const uid = process.geteuid?.();
    const commands = `chown -R ${uid} '${dataDir}' && chmod -R u+rwX '${dataDir}'`;
    await assert.rejects(start(t, { dataDir, databaseUrl: undefined }), (error: unknown) => {
      assert.ok(refused(/EACCES/, /owner or mode/)(error));
      assert.ok((error as StartError).message.includes(`run as root: ${commands}\n`));
      assert.doesNotMatch((error as StartError).message, /restore it/);
      return true;
    });
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

test('a data folder that cannot be created is reported in plain language', async (t) => {
  const file = join(temporaryFolder(t), 'file');
  writeFileSync(file, '');
  await assert.rejects(start(t, { dataDir: join(file, 'data'), databaseUrl: undefined }), refused(/ENOTDIR/));
  assert.ok(existsSync(file));
});

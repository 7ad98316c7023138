import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { isAppError } from '../../src/kernel/app-error.ts';
import { openPostgresEngine } from '../../src/store/engine/postgres-engine.ts';
import { archivePostgresStore } from '../../src/store/engine/postgres-store.ts';
import { until } from '../support/index-fixture.ts';
import { exampleIntent } from '../support/intent-examples.ts';
import { storeContract } from '../support/store-contract.ts';
import { exampleTransaction } from '../support/store-examples.ts';
import { EXAMPLE_OPTIONS, openStoreAt, openTestStore } from '../support/store-fixture.ts';
import { createTestDatabase, executeOn, type TestDatabase } from '../support/store-postgres.ts';
import { startTcpProxy } from '../support/store-tcp-proxy.ts';

const ID = { operation: 'stake', wallet: 'wallet', key: 'key' } as const;
const unavailable = (error: unknown): boolean => isAppError(error, 'STORE_UNAVAILABLE');

const registerTests = ({ url }: TestDatabase): void => {
  const emptied = async (): Promise<string> => {
    await executeOn(url, 'drop schema if exists holdfast cascade');
    return url;
  };

  storeContract(async () => ({
    location: await emptied(),
    execute: (statement) => executeOn(url, `set search_path to holdfast; ${statement}`),
  }));

  test('replicas that open a new store concurrently set it up once and record each transaction once', async (t) => {
    const location = await emptied();
    const stores = await Promise.all(Array.from({ length: 5 }, () => openTestStore(t, location)));
    const records = Array.from({ length: 250 }, (_, index) => exampleTransaction(index + 1));
    const added = await Promise.all(
      stores.map(({ transactions }, index) =>
        transactions.record(index % 2 ? records : records.toReversed()),
      ),
    );
    assert.equal(
      added.reduce((sum, count) => sum + count),
      records.length,
    );
  });

  test('if the server stops in the middle of any call, the error is STORE_UNAVAILABLE, and calls work again once it is back', async (t) => {
    const proxy = await startTcpProxy(t, 5432);
    const store = await openTestStore(t, proxied(await emptied(), proxy.port));
    await store.intents.recordSigned(exampleIntent('before', { key: 'before' }), null);
    const underWay = Array.from({ length: 30 }, (_, index) =>
      store.intents.recordSigned(exampleIntent(`sig ${index}`, { key: `key ${index}` }), null),
    );
    proxy.cut();
    for (const { reason } of (await Promise.allSettled(underWay)).filter((end) => end.status === 'rejected'))
      assert.ok(unavailable(reason), String(reason));
    await assert.rejects(store.intents.find(ID), unavailable);
    await assert.rejects(store.transactions.statistics(0), unavailable);
    await assert.rejects(store.check(new AbortController().signal), unavailable);
    proxy.mend();
    assert.ok(await store.intents.find({ ...ID, key: 'before' }));
    assert.equal(await store.intents.recordSigned(exampleIntent('after', { key: 'after' }), null), true);
    // All connections were lost, and the pool must have removed them.
    const many = Array.from({ length: 25 }, () => store.intents.find({ ...ID, key: 'after' }));
    assert.ok((await Promise.all(many)).every((found) => found !== null));
  });

  test('while the server is silent, calls fail without waiting for it, and work again on new connections once it responds', async (t) => {
    const proxy = await startTcpProxy(t, 5432);
    const engine = openPostgresEngine(proxied(await emptied(), proxy.port), EXAMPLE_OPTIONS.logger, 100);
    t.after(() => engine.close());
    const call = () => sql`select 1`.execute(engine.db);
    await Promise.all(Array.from({ length: 10 }, call));
    proxy.silence();
    await assert.rejects(call(), /Query read timeout/);
    for (let calls = 0; calls < 50; calls += 1) await assert.rejects(call(), /PostgreSQL does not respond/);
    proxy.mend();
    await until(() => call().catch(() => null), 'the server');
    await Promise.all(
      Array.from({ length: 10 }, () => engine.db.transaction().execute((db) => sql`select 1`.execute(db))),
    );
  });

  test('other sessions are not affected when the server ends one between two statements', async (t) => {
    const store = await openTestStore(t, await emptied());
    await Promise.all(Array.from({ length: 10 }, () => store.intents.find(ID)));
    await executeOn(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    const found = await Promise.allSettled(Array.from({ length: 10 }, () => store.intents.find(ID)));
    for (const end of found) if (end.status === 'rejected') assert.ok(unavailable(end.reason));
    assert.equal(await store.intents.find(ID), null);
  });

  test('an archived store keeps everything under its new name, and a new store takes its place', async (t) => {
    const store = await openTestStore(t, await emptied());
    await store.intents.recordSigned(exampleIntent('sig'), null);
    await store.close();
    const name = 'holdfast_2026-11-21T06-26-31.000Z';
    t.after(() => executeOn(url, `drop schema if exists "${name}" cascade`));
    await archivePostgresStore(url, name, pino({ level: 'silent' }));
    const identity = { ...EXAMPLE_OPTIONS.identity, genesisHash: 'the next chain' };
    const fresh = await openTestStore(t, url, { identity });
    assert.equal(await fresh.intents.find(ID), null);
    await executeOn(url, `select 1 / (select count(*)::int from "${name}".intents where key = 'key')`);
  });

  test('a server configured not to wait for its disk still does so for the store’s commits', async (t) => {
    await emptied();
    await executeOn(url, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`);
    t.after(() =>
      executeOn(url, `alter database ${new URL(url).pathname.slice(1)} reset synchronous_commit`),
    );
    const store = await openTestStore(t, url);
    // The trigger refuses writes in a session that would not wait for the disk.
    await executeOn(
      url,
      `set search_path to holdfast;
       create function refuse_unsafe() returns trigger language plpgsql as $$
       begin
         if current_setting('synchronous_commit') <> 'on' then raise exception 'not durable'; end if;
         return new;
       end $$;
       create trigger durable before insert on intents for each row execute function refuse_unsafe()`,
    );
    assert.equal(await store.intents.recordSigned(exampleIntent('sig'), null), true);
  });
};

const proxied = (url: string, port: number): string => {
  const through = new URL(url);
  through.port = String(port);
  return through.href;
};

const database = await createTestDatabase();
if (typeof database === 'string') test('store on PostgreSQL', { skip: database });
else {
  after(() => database.drop());
  registerTests(database);
}

test('if the server never existed, the error is STORE_UNAVAILABLE and does not describe the server to callers', async (t) => {
  const closed = await startTcpProxy(t, 5432);
  closed.cut();
  const url = `postgres://user:pass-word@127.0.0.1:${closed.port}/nothing`;
  await assert.rejects(openStoreAt(url), (error: unknown) => {
    assert.ok(isAppError(error, 'STORE_UNAVAILABLE'));
    assert.ok(!/127|user|pass-word/.test(error.message));
    assert.ok(!/pass-word/.test(String((error.cause as Error).message)));
    return true;
  });
});

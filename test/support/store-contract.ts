// Contract tests, run on every engine, for the store as a whole: its identity, its migrations, and the errors
// of an unavailable store.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { isAppError } from '../../src/kernel/app-error.ts';
import type { Migration } from '../../src/store/engine/migrate.ts';
import { migrations } from '../../src/store/migrations/all.ts';
import type { StoreIdentity } from '../../src/store/store.ts';
import { exampleIntent } from './intent-examples.ts';
import { delegatorsContract } from './store-contract-delegators.ts';
import { intentLogContract } from './store-contract-intents.ts';
import { outboxContract } from './store-contract-outbox.ts';
import { policiesContract } from './store-contract-policies.ts';
import { samplesContract } from './store-contract-samples.ts';
import { settledRewardsContract } from './store-contract-settled.ts';
import { transactionRecordsContract } from './store-contract-transactions.ts';
import { watchedAccountsContract } from './store-contract-watched.ts';
import { webhooksContract } from './store-contract-webhooks.ts';
import { exampleTransaction } from './store-examples.ts';
import { addsTable, EXAMPLE_OPTIONS, openStoreAt, openTestStore } from './store-fixture.ts';
import type { MakeVenue } from './store-venue.ts';

const { identity } = EXAMPLE_OPTIONS;
const ID = { operation: 'stake', wallet: 'wallet', key: 'key' } as const;

const failsWith =
  (code: 'STORE_UNAVAILABLE' | 'UPSTREAM_UNAVAILABLE') =>
  (error: unknown): boolean =>
    isAppError(error, code);

export const storeContract = (makeVenue: MakeVenue): void => {
  test('a new store belongs to the identity that opens it first, and other identities are refused with an error that states the difference', async (t) => {
    const { location } = await makeVenue(t);
    await openTestStore(t, location);
    await openTestStore(t, location);
    for (const name of Object.keys(identity) as (keyof StoreIdentity)[])
      assert.deepEqual(await openStoreAt(location, { identity: { ...identity, [name]: 'another' } }), {
        outcome: 'foreign',
        differs: [name],
        madeFor: 'real',
      });
    const outsider = { genesisHash: 'a', voteAccount: 'b', serverSecretFingerprint: 'c' };
    const refused = await openStoreAt(location, { identity: outsider, madeFor: 'sandbox' });
    assert.deepEqual(refused, { outcome: 'foreign', differs: Object.keys(identity), madeFor: 'real' });
    await openTestStore(t, location);
  });

  test('opening a store again changes nothing, and keeps its purpose', async (t) => {
    const { location } = await makeVenue(t);
    const store = await openTestStore(t, location, { madeFor: 'sandbox' });
    await store.intents.recordSigned(exampleIntent('sig'), null);
    await store.close();
    const again = await openTestStore(t, location, { madeFor: 'real' });
    assert.ok(await again.intents.find(ID));
    const refused = await openStoreAt(location, { identity: { ...identity, genesisHash: 'another' } });
    assert.deepEqual(refused, { outcome: 'foreign', differs: ['genesisHash'], madeFor: 'sandbox' });
  });

  test('a store of the previous version gets the missing migrations in order, each once, and keeps its rows', async (t) => {
    const { location } = await makeVenue(t);
    const store = await openTestStore(t, location);
    await store.intents.recordSigned(exampleIntent('sig'), null);
    await store.close();
    const order: string[] = [];
    const later = [...migrations, addsTable('0002-next'), addsTable('0003-last')].map((migration) => ({
      ...migration,
      up: async (...parts: Parameters<Migration['up']>) => {
        order.push(migration.name);
        await migration.up(...parts);
      },
    }));
    const now = await openTestStore(t, location, { migrations: later });
    assert.deepEqual(order, ['0002-next', '0003-last']);
    assert.equal((await now.intents.find(ID))?.submission.signature, 'sig');
    await openTestStore(t, location, { migrations: later });
    assert.equal(order.length, 2);
  });

  test('a store from before 1.0.0 is refused, with and without recorded migrations, and left unchanged', async (t) => {
    const { location, execute } = await makeVenue(t);
    const unreleased = { migrations: [addsTable('0001-intents')] };
    await (await openTestStore(t, location, unreleased)).close();
    const other = { identity: { ...identity, voteAccount: 'another' } };
    assert.deepEqual(await openStoreAt(location, other), { outcome: 'unreleased' });
    assert.deepEqual(await openStoreAt(location), { outcome: 'unreleased' });
    await (await openTestStore(t, location, unreleased)).close();
    await execute('delete from migrations');
    assert.deepEqual(await openStoreAt(location), { outcome: 'unreleased' });
  });

  test('a store of a later version is refused with the names of its unknown migrations, and left unchanged', async (t) => {
    const { location } = await makeVenue(t);
    const later = [...migrations, addsTable('9998-later'), addsTable('9999-latest')];
    const store = await openTestStore(t, location, { migrations: later });
    await store.intents.recordSigned(exampleIntent('sig'), null);
    assert.deepEqual(await openStoreAt(location, { identity: { ...identity, voteAccount: 'another' } }), {
      outcome: 'newer',
      unknownMigrations: ['9998-later', '9999-latest'],
      differs: ['voteAccount'],
      madeFor: 'real',
    });
    const again = await openTestStore(t, location, { migrations: later });
    assert.ok(await again.intents.find(ID));
  });

  test('a migration that fails halfway leaves nothing behind, and neither do the migrations before it', async (t) => {
    const { location } = await makeVenue(t);
    await (await openTestStore(t, location)).close();
    const broken: Migration = {
      name: '9999-broken',
      up: async (db) => {
        await sql`create table half (n integer)`.execute(db);
        await sql`create table half (n integer)`.execute(db);
      },
    };
    const first = addsTable('9998-good');
    await assert.rejects(
      openStoreAt(location, { migrations: [...migrations, first, broken] }),
      failsWith('STORE_UNAVAILABLE'),
    );
    const again = await openTestStore(t, location);
    await again.check(new AbortController().signal);
    // If the failed attempt had left its table behind, this attempt would fail too.
    await openTestStore(t, location, { migrations: [...migrations, first] });
  });

  for (const wasAsked of [true, false])
    test(`a closed store that ${wasAsked ? 'was' : 'was never'} used causes STORE_UNAVAILABLE, for probes as for every other caller`, async (t) => {
      const store = await openTestStore(t, (await makeVenue(t)).location);
      const { signal } = new AbortController();
      if (wasAsked) await store.check(signal);
      await store.close();
      await store.close();
      await assert.rejects(store.check(signal), failsWith('STORE_UNAVAILABLE'));
      await assert.rejects(store.intents.find(ID), failsWith('STORE_UNAVAILABLE'));
      await assert.rejects(store.transactions.statistics(0), failsWith('STORE_UNAVAILABLE'));
      await assert.rejects(store.counters.all(), failsWith('STORE_UNAVAILABLE'));
    });

  test('a probe ends when its caller aborts', async (t) => {
    const store = await openTestStore(t, (await makeVenue(t)).location);
    const reason = new Error('too slow');
    await assert.rejects(store.check(AbortSignal.abort(reason)), (error) => error === reason);
  });

  test('a read that a healthy store cannot execute counts as a failed query, not as an unavailable store', async (t) => {
    const venue = await makeVenue(t);
    const store = await openTestStore(t, venue.location);
    await venue.execute('drop table transactions');
    await assert.rejects(store.transactions.statistics(0), failsWith('UPSTREAM_UNAVAILABLE'));
    await assert.rejects(store.transactions.record([exampleTransaction(1)]), failsWith('STORE_UNAVAILABLE'));
    assert.equal(await store.intents.find(ID), null, 'everything else still works');
  });

  intentLogContract(makeVenue);
  transactionRecordsContract(makeVenue);
  samplesContract(makeVenue);
  settledRewardsContract(makeVenue);
  policiesContract(makeVenue);
  watchedAccountsContract(makeVenue);
  delegatorsContract(makeVenue);
  webhooksContract(makeVenue);
  outboxContract(makeVenue);
};

// UPGRADE-1: data written by version 1.0.0 opens unchanged with both database engines.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTestStore } from '../support/store-fixture.ts';
import { createTestDatabase, executeOn } from '../support/store-postgres.ts';
import { fillStore, readStore } from '../support/stored-example.ts';
import { type Scope, temporaryFolder } from '../support/temporary-folder.ts';

const fixture = join(import.meta.dirname, '..', 'fixtures', 'store-1.0.0');

const database = await createTestDatabase();

const engines = {
  SQLite: {
    skip: false as string | false,
    place: async (t: Scope): Promise<string> => {
      const path = join(temporaryFolder(t), 'holdfast.db');
      copyFileSync(join(fixture, 'holdfast.db'), path);
      return path;
    },
  },
  PostgreSQL: {
    skip: typeof database === 'string' && database,
    place: async (t: Scope): Promise<string> => {
      const { url, drop } = database as Exclude<typeof database, string>;
      t.after(drop);
      await executeOn(url, readFileSync(join(fixture, 'postgres.sql'), 'utf8'));
      return url;
    },
  },
} as const;

for (const [name, { skip, place }] of Object.entries(engines))
  test(`UPGRADE-1 ${name}: data written by version 1.0.0 is read like data written by this version`, {
    skip,
  }, async (t) => {
    const own = await openTestStore(t);
    await fillStore(own);
    const released = await openTestStore(t, await place(t));
    assert.deepEqual(await readStore(released), await readStore(own));
    assert.equal((await released.intents.unsettled()).length, 1);
  });

// Writes the fixture of this version's store: a SQLite file and a PostgreSQL dump. Run it once per release:
// node scripts/run.mjs scripts/write-store-fixture.ts
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../client/version.ts';
import { openStoreAt, storeOf } from '../test/support/store-fixture.ts';
import { createTestDatabase } from '../test/support/store-postgres.ts';
import { fillStore } from '../test/support/stored-example.ts';

const folder = join(import.meta.dirname, '..', 'test', 'fixtures', `store-${VERSION}`);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const write = async (location: string): Promise<void> => {
  const store = storeOf(await openStoreAt(location));
  await fillStore(store);
  await store.close();
};

await write(join(folder, 'holdfast.db'));
const database = await createTestDatabase();
if (typeof database === 'string') throw new Error(database);
try {
  await write(database.url);
  const dump = execFileSync('pg_dump', ['--no-owner', '--inserts', '--schema=holdfast', database.url], {
    encoding: 'utf8',
  });
  // Removes settings and psql commands that other servers do not accept.
  const statements = dump
    .split('\n')
    .filter((line) => !/^(\\|--|SET |SELECT pg_catalog\.set_config|$)/.test(line));
  writeFileSync(join(folder, 'postgres.sql'), `${statements.join('\n')}\n`);
} finally {
  await database.drop();
}

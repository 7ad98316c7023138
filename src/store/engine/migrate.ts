// Migrates a store's tables and binds the store to its owner, in one transaction under one lock.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ColumnTypes, Database, Engine } from '../schema.ts';
import type { StoreIdentity, StoreOwner, StoreRefusal } from '../store.ts';

/** The engine's column types as SQL fragments. */
export type SqlTypes = Readonly<Record<keyof ColumnTypes, RawBuilder<unknown>>>;

/** A migration. */
export interface Migration {
  /** A number and a word. Never changes, because the store records it. */
  readonly name: string;
  readonly up: (db: Kysely<Database>, types: SqlTypes) => Promise<void>;
}

/** The owner of the store, and the migrations to apply. */
interface PreparationOptions extends StoreOwner {
  readonly migrations: readonly Migration[];
  /** Milliseconds since the Unix epoch, recorded with each migration. */
  readonly nowMs: number;
}

/**
 * Prepares the store. Returns null if the store may be used, otherwise the reason why not. In that case,
 * nothing in the store was changed.
 */
export const prepareStore = async (
  engine: Engine,
  options: PreparationOptions,
): Promise<StoreRefusal | null> => {
  try {
    await engine.db.transaction().execute((db) => prepare(engine, db, options));
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
};

/** Thrown inside the transaction to roll it back. */
class Refused extends Error {
  readonly refusal: StoreRefusal;

  constructor(refusal: StoreRefusal) {
    super(refusal.outcome);
    this.refusal = refusal;
  }
}

const prepare = async (
  engine: Engine,
  db: Kysely<Database>,
  { identity, madeFor, migrations, nowMs }: PreparationOptions,
): Promise<void> => {
  await engine.lockSchema(db);
  const types = sqlTypes(engine.types);
  const { text, integer, tableOptions } = types;
  await sql`create table if not exists identity (name ${text} primary key, value ${text} not null) ${tableOptions}`.execute(
    db,
  );
  await sql`
    create table if not exists migrations (name ${text} primary key, applied_at_ms ${integer} not null) ${tableOptions}`.execute(
    db,
  );
  const stored = new Map(
    (await db.selectFrom('identity').selectAll().execute()).map(({ name, value }) => [name, value]),
  );
  const applied = (await db.selectFrom('migrations').select('name').execute()).map(({ name }) => name);
  // Before 1.0.0, the first migration had another name, or migrations were not recorded.
  if (stored.size > 0 && !applied.includes(migrations[0]!.name)) throw new Refused({ outcome: 'unreleased' });
  const differs = (Object.keys(identity) as (keyof StoreIdentity)[]).filter(
    (name) => stored.has(name) && stored.get(name) !== identity[name],
  );
  const owner = stored.get('madeFor') as StoreOwner['madeFor'];
  const unknownMigrations = applied.filter((name) => !migrations.some((known) => known.name === name));
  if (unknownMigrations.length > 0)
    throw new Refused({ outcome: 'newer', unknownMigrations, differs, madeFor: owner });
  if (differs.length > 0) throw new Refused({ outcome: 'foreign', differs, madeFor: owner });

  for (const migration of migrations) {
    if (applied.includes(migration.name)) continue;
    await migration.up(db, types);
    await db
      .insertInto('migrations')
      .values({ name: migration.name, applied_at_ms: BigInt(nowMs) })
      .execute();
  }
  await db
    .insertInto('identity')
    .values(Object.entries({ ...identity, madeFor }).map(([name, value]) => ({ name, value })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
};

const sqlTypes = (types: ColumnTypes): SqlTypes => ({
  text: sql.raw(types.text),
  integer: sql.raw(types.integer),
  real: sql.raw(types.real),
  bytes: sql.raw(types.bytes),
  identity: sql.raw(types.identity),
  tableOptions: sql.raw(types.tableOptions),
});

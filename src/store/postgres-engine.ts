// The shared engine: PostgreSQL, for replicas that serve one validator together; all tables lie in a schema of their own.
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from '../kernel/logger.ts';
import type { ColumnTypes, Database, Engine } from './schema.ts';

/** The schema that holds every table. */
export const POSTGRES_SCHEMA = 'holdfast';

/** How long a statement may take on the server, ms: no statement of ours needs a second. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** How much longer this side waits, ms: for a server, or a network, that says nothing at all. */
const ANSWER_GRACE_MS = 2_000;
const CONNECT_TIMEOUT_MS = 3_000;
const MAX_CONNECTIONS = 10;
/** A connection whose server vanished without a word is given up no later than this. */
const MAX_CONNECTION_AGE_SECONDS = 300;
/** "Hold" as a number: any constant that no other program locks in the same database. */
const SCHEMA_LOCK = 0x48_6f_6c_64n;

const types: ColumnTypes = {
  // By bytes, as SQLite sorts: pages look the same on both engines, whatever the database's language.
  text: 'text collate "C"',
  integer: 'bigint',
  real: 'double precision',
  bytes: 'bytea',
  tableOptions: '',
};

const INT8 = 20;

/** Connects on first use: a server that is away is told by the statements, not here. */
export const openPostgresEngine = (
  url: string,
  logger: Logger,
  statementTimeoutMs: number = STATEMENT_TIMEOUT_MS,
): Engine => {
  const pool = new pg.Pool({
    connectionString: withSessionSettings(url, statementTimeoutMs),
    application_name: 'holdfast',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    maxLifetimeSeconds: MAX_CONNECTION_AGE_SECONDS,
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  // Without listeners the end of a connection, idle or between two statements, would end the process.
  pool.on('error', ({ message }) => logger.warn({ reason: message }, 'a connection to PostgreSQL ended'));
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    name: 'postgres',
    types,
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }),
    lockSchema: async (db) => {
      await sql`select pg_advisory_xact_lock(${SCHEMA_LOCK})`.execute(db);
      if (!(await schemaExists(db))) await sql`create schema ${sql.id(POSTGRES_SCHEMA)}`.execute(db);
    },
  };
};

/**
 * Settings of every connection, sent while it is made. An acknowledged write is on disk, also where the server was told not to
 * wait for that. The operator's own `options` come later and win.
 */
const withSessionSettings = (url: string, statementTimeoutMs: number): string => {
  const whole = new URL(url);
  const settings = {
    search_path: POSTGRES_SCHEMA,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    synchronous_commit: 'on',
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const given = whole.searchParams.get('options');
  whole.searchParams.set('options', [...options, ...(given ? [given] : [])].join(' '));
  return whole.href;
};

// Asked first: creating it "if not exists" needs rights that a schema made by an administrator spares us.
const schemaExists = async (db: Kysely<Database>): Promise<boolean> => {
  const { rows } = await sql<{ known: boolean }>`
    select to_regnamespace(${POSTGRES_SCHEMA}) is not null as known`.execute(db);
  return rows[0]?.known === true;
};

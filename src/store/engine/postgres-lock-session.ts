// A PostgreSQL session that may hold one advisory lock. The server releases the lock if it receives nothing for
// the length of the lease.
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../schema.ts';
import { POSTGRES_SCHEMA, withSessionSettings } from './postgres-engine.ts';

/**
 * Durations, in ms. For up to `askEveryMs + 2 × responseWithinMs`, a process may believe that it still holds a
 * lock that it has lost. This must be shorter than `leaseMs` by at least the time that work takes to end.
 */
export interface LeaseTimes {
  /** Time after which the server ends a silent session and releases its lock. */
  readonly leaseMs: number;
  /** Time between two heartbeats of the holder. */
  readonly askEveryMs: number;
  /** Time after which an unanswered heartbeat counts as lost. */
  readonly responseWithinMs: number;
  /** Time between two attempts to acquire the lock. */
  readonly tryEveryMs: number;
}

/**
 * Durations in use. If the holder vanishes, the server releases the lock after 8 s, and another process
 * acquires it within 1 s. If the holder is killed, its connection closes and the takeover takes up to 1 s.
 */
export const LEASE_TIMES: LeaseTimes = {
  leaseMs: 8_000,
  askEveryMs: 2_000,
  responseWithinMs: 2_000,
  tryEveryMs: 1_000,
};

/** A session that can hold the lock. It is unusable after a rejection. */
export interface LockSession {
  /** Tries to acquire the lock. Returns true if this session now holds it. */
  readonly tryAcquire: () => Promise<boolean>;
  /** True while the server considers this session the holder. */
  readonly holds: () => Promise<boolean>;
  /** Ends the session and releases the lock. Never rejects. */
  readonly end: () => Promise<void>;
}

/** Maximum wait for a session to end, in ms. The server may be unreachable. */
const END_WITHIN_MS = 500;

/**
 * Computes the advisory lock id of a name: a 64-bit hash that is unlikely to collide with locks of other
 * programs in the same database.
 */
export const lockNumber = (name: string): bigint =>
  createHash('sha256').update(`holdfast leadership\0${POSTGRES_SCHEMA}\0${name}`).digest().readBigInt64BE();

/** Opens a session. Rejects if the server does not respond within `responseWithinMs`. */
export const openLockSession = async (
  url: string,
  name: string,
  { leaseMs, responseWithinMs }: LeaseTimes,
  clock: Pick<Clock, 'sleep'>,
): Promise<LockSession> => {
  const lock = lockNumber(name);
  const client = new pg.Client({
    connectionString: withSessionSettings(url, {
      idle_session_timeout: leaseMs,
      statement_timeout: responseWithinMs,
      // The server closes the connection if the client does not acknowledge data for this long.
      tcp_user_timeout: leaseMs,
    }),
    application_name: 'holdfast leadership',
    connectionTimeoutMillis: responseWithinMs,
    query_timeout: responseWithinMs,
    keepAlive: true,
  });
  // The next query reports the error. Without a listener, it would crash the process.
  client.on('error', () => {});
  await client.connect();
  const isTrue = async (text: string): Promise<boolean> => {
    const { rows } = await client.query<{ yes: boolean }>(text, [lock.toString()]);
    return rows[0]?.yes === true;
  };
  return {
    tryAcquire: () => isTrue('select pg_try_advisory_lock($1) as yes'),
    // Compares session ids, because a pooler may run the next query in another session.
    holds: () =>
      isTrue(
        `select exists (
           select 1 from pg_locks
           where locktype = 'advisory' and granted and pid = pg_backend_pid() and objsubid = 1
             and database = (select oid from pg_database where datname = current_database())
             and (classid::bigint << 32) | objid::bigint = $1::bigint
         ) as yes`,
      ),
    end: () => Promise.race([client.end().catch(() => undefined), clock.sleep(END_WITHIN_MS)]),
  };
};

/**
 * Lists the names whose lock no session of this database holds. Uses a connection from the pool, because a new
 * connection may be refused for the same reason as the lock.
 */
export const namesWithoutHolder = async (
  db: Kysely<Database>,
  names: readonly string[],
): Promise<readonly string[]> => {
  const { rows } = await sql<{ lock: bigint }>`
    select (classid::bigint << 32) | objid::bigint as lock from pg_locks
    where locktype = 'advisory' and granted and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  const held = new Set(rows.map(({ lock }) => lock));
  return names.filter((name) => !held.has(lockNumber(name)));
};

// A PostgreSQL session that may hold one advisory lock: the server lets go of it when it hears nothing for the length of the lease.
import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import { POSTGRES_SCHEMA, withSessionSettings } from './postgres-engine.ts';

/** Lengths of time, ms; `askEveryMs + 2 × answerWithinMs` is what a holder may be wrong for, and less than `leaseMs` by what work may take to end. */
export interface LeaseTimes {
  /** The server ends a session that is silent for so long, and its lock with it. */
  readonly leaseMs: number;
  /** Between two heartbeats of the holder. */
  readonly askEveryMs: number;
  /** A heartbeat that is not answered by then counts as lost. */
  readonly answerWithinMs: number;
  /** Between two attempts of those who do not hold it. */
  readonly tryEveryMs: number;
}

/** Holder gone without a word: 8 s until the server lets go, 1 s until somebody asks. Killed: its connection ends with it, so 1 s. */
export const LEASE_TIMES: LeaseTimes = {
  leaseMs: 8_000,
  askEveryMs: 2_000,
  answerWithinMs: 2_000,
  tryEveryMs: 1_000,
};

/** A session. After a rejection it is useless. */
export interface LockSession {
  /** True when this session holds the lock from now on. */
  readonly tryAcquire: () => Promise<boolean>;
  /** True while the server still counts the lock as this session's. */
  readonly holds: () => Promise<boolean>;
  /** Ends the session and lets go of the lock. Never rejects. */
  readonly end: () => Promise<void>;
}

/** How long the end of a session is waited for, ms: the server may be out of reach. */
const END_WITHIN_MS = 500;

/** The advisory lock of a name: 64 bits that no other program in the same database comes upon. */
export const lockNumber = (name: string): bigint =>
  createHash('sha256').update(`holdfast leadership\0${POSTGRES_SCHEMA}\0${name}`).digest().readBigInt64BE();

/** Connects. Rejects when the server does not answer within `answerWithinMs`. */
export const openLockSession = async (
  url: string,
  name: string,
  { leaseMs, answerWithinMs }: LeaseTimes,
  clock: Pick<Clock, 'sleep'>,
): Promise<LockSession> => {
  const lock = lockNumber(name);
  const client = new pg.Client({
    connectionString: withSessionSettings(url, {
      idle_session_timeout: leaseMs,
      statement_timeout: answerWithinMs,
      // The server's own search for dead clients, for a lock whose holder's last query it is still answering.
      tcp_user_timeout: leaseMs,
    }),
    application_name: 'holdfast leadership',
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
    keepAlive: true,
  });
  // Reported by the next query; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  const isTrue = async (text: string): Promise<boolean> => {
    const { rows } = await client.query<{ yes: boolean }>(text, [lock.toString()]);
    return rows[0]?.yes === true;
  };
  return {
    tryAcquire: () => isTrue('select pg_try_advisory_lock($1) as yes'),
    // Asked by number and not only by being connected: behind a pooler the next query may meet another session.
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

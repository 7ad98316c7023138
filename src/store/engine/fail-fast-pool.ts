// Wraps the PostgreSQL connection pool, so a server that stopped responding delays few callers and leaves no
// unusable connection behind.
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';

/** Messages of the driver if the server does not respond in time. A full pool has another message. */
const TIMEOUTS = /^(Query read timeout|timeout expired|Connection terminated due to connection timeout)$/;

const noResponse = () => new Error('PostgreSQL does not respond');

/**
 * Wraps `pool`. After a timeout, calls fail at once until the server responds to a probe, which runs in the
 * background. A connection on which a response is missing is closed, because the driver would queue the next
 * queries behind the lost one.
 */
export const failFastPool = (pool: pg.Pool): PostgresPool => {
  let isSilent = false;
  let isProbing = false;

  const fail = (error: unknown): never => {
    if (error instanceof pg.DatabaseError) isSilent = false;
    else if (TIMEOUTS.test((error as Error).message)) isSilent = true;
    throw error;
  };

  const checkOut = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect().catch(fail);
    let isUnusable = false;
    const query = async (text: string, values: unknown[]) => {
      if (isUnusable) throw noResponse();
      try {
        const result = await client.query(text, values);
        isSilent = false;
        return result;
      } catch (error) {
        isUnusable = !(error instanceof pg.DatabaseError);
        return fail(error);
      }
    };
    return {
      query: query as unknown as PostgresPoolClient['query'],
      release: (destroy) => client.release(isUnusable || destroy === true),
    };
  };

  const probe = async (): Promise<void> => {
    if (isProbing) return;
    isProbing = true;
    try {
      const client = await checkOut();
      await client.query('select 1', []).finally(() => client.release());
    } catch {
      // The next call starts the next probe.
    } finally {
      isProbing = false;
    }
  };

  return {
    options: pool.options,
    connect: async () => {
      if (!isSilent) return checkOut();
      void probe();
      throw noResponse();
    },
    end: () => pool.end(),
  };
};

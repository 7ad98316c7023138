// Creates a PostgreSQL database on this machine for one test file and drops it afterwards, or returns the
// reason why there is none.
import { randomBytes } from 'node:crypto';
import pg from 'pg';

const SERVER = 'postgres://postgres@127.0.0.1:5432';
const CONNECT_TIMEOUT_MS = 2_000;

/** Runs a statement in the database at `url`. */
export const executeOn = async (url: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

export interface TestDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** Creates a database, or returns the reason why the tests that need one cannot run. */
export const createTestDatabase = async (): Promise<TestDatabase | string> => {
  const name = `holdfast_test_${randomBytes(6).toString('hex')}`;
  const maintenance = `${SERVER}/postgres`;
  try {
    await executeOn(maintenance, `create database ${name}`);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return `the PostgreSQL part was not run: no usable server on 127.0.0.1:5432 (${code ?? message})`;
  }
  return {
    url: `${SERVER}/${name}`,
    drop: () => executeOn(maintenance, `drop database if exists ${name} with (force)`),
  };
};

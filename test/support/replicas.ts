// Several service processes on one PostgreSQL and one Redis, like an operator's replicas, or the reason why
// they cannot run here.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox-options.ts';
import { REDIS_URL, redisMissing } from './redis-server.ts';
import { QUICK_SANDBOX } from './sandbox-fixture.ts';
import { settingsFor, startService, type TestService } from './service-fixture.ts';
import { createTestDatabase } from './store-postgres.ts';
import { type Scope, temporaryFolder } from './temporary-folder.ts';

export interface ReplicaWorld {
  readonly sandbox: Sandbox;
  readonly databaseUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Starts one more process. Kills it when the scope ends. */
  readonly start: (own?: Readonly<Record<string, string>>) => Promise<TestService>;
}

/** Returns the reason why replicas cannot run on this machine, or undefined if they can. */
export const replicasMissing = async (): Promise<string | undefined> => {
  const database = await createTestDatabase();
  if (typeof database === 'string') return database;
  await database.drop();
  return redisMissing();
};

/**
 * Creates a sandbox, an empty database, and a server secret that all replicas share. Removes all of them when
 * the scope ends.
 */
export const openReplicaWorld = async (
  scope: Scope,
  {
    sandbox: options = {},
    settings = {},
  }: {
    sandbox?: SandboxOptions;
    settings?: Readonly<Record<string, string>>;
  } = {},
): Promise<ReplicaWorld> => {
  const cleanUps: (() => void | Promise<void>)[] = [];
  // The processes end first, then their dependencies.
  const whole: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
  scope.after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });
  const database = await createTestDatabase();
  if (typeof database === 'string') throw new Error(database);
  whole.after(() => database.drop());
  const sandbox = await startSandbox({ ...QUICK_SANDBOX, ...options });
  whole.after(() => sandbox.close());
  const folder = temporaryFolder(whole);
  const shared = {
    ...settingsFor(sandbox),
    DATABASE_URL: database.url,
    REDIS_URL,
    HOLDFAST_SERVER_SECRET: randomBytes(32).toString('hex'),
    ...settings,
  };
  let started = 0;
  return {
    sandbox,
    databaseUrl: database.url,
    settings: shared,
    start: (own = {}) => {
      started += 1;
      return startService(whole, { ...shared, ...own }, join(folder, `replica-${started}`));
    },
  };
};

// Opens what an earlier version wrote (test/fixtures/upgrade-66821e1): a copy of its data, a chain that stands where its chain stood, and this version's service on both.
import { chmodSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Address } from '@solana/kit';
import pg from 'pg';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { type App, startApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { Secret } from '../../src/config/secret-settings.ts';
import type { PageFile } from '../../src/http/pages/web-page-targets.ts';
import { createLogger } from '../../src/kernel/logger.ts';
import { patience } from './patience.ts';
import { QUICK_SANDBOX } from './sandbox-fixture.ts';
import { type ScriptedAnswer, type ScriptedRpc, startScriptedRpc } from './scripted-rpc.ts';
import { createSteerableClock, type SteerableClock } from './steerable-clock.ts';
import { createTestDatabase, executeOn } from './store-postgres.ts';
import { type Scope, temporaryFolder } from './temporary-folder.ts';
import { type TestWallet, walletOfSeed } from './wallets.ts';

/** The engines that the earlier version's data is kept for. */
export type UpgradeEngine = 'sqlite' | 'postgres';

/** A request as it was made to the earlier version, with what came back; no status: the service was killed before it answered. */
export interface RecordedRequest {
  readonly name: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly key?: string;
  readonly status?: number;
  readonly answer?: Readonly<Record<string, unknown>>;
  /** Of one that was not answered: what was broadcast. */
  readonly signature?: string;
}

/** A webhook as its registrant knows it. */
interface RecordedWebhook {
  readonly id: string;
  readonly secret: string;
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What is remembered outside the store. */
export interface UpgradeFacts {
  readonly takenAtMs: number;
  /** Origin of every callback. */
  readonly receiver: string;
  readonly wallets: Readonly<Record<string, { readonly walletAddress: string; readonly seedByte: number }>>;
  readonly requests: readonly RecordedRequest[];
  readonly webhooks: Readonly<Record<'active' | 'later' | 'gone' | 'deleted' | 'rotated', RecordedWebhook>>;
  readonly offer: {
    readonly id: string;
    readonly data: { readonly stakeAccountAddress: string; readonly walletAddress: string };
  };
  readonly received: readonly { readonly path: string; readonly id: string; readonly type: string }[];
  /** What the page kept in a browser's localStorage under `holdfast-transaction`; beside the SQLite folder alone. */
  readonly browser?: Readonly<Record<'confirmed' | 'reviewed' | 'sent', string>>;
}

interface RecordedChain {
  readonly genesisHash: string;
  readonly epoch: number;
  readonly slot: number;
  readonly blockHeight: number;
  readonly accounts: readonly {
    readonly address: string;
    readonly lamports: number;
    readonly data: string;
    readonly owner: string;
  }[];
  readonly histories: Readonly<Record<string, readonly { readonly signature: string }[]>>;
  readonly statuses: Readonly<Record<string, unknown>>;
  readonly transactions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const fixtures = join(import.meta.dirname, '..', 'fixtures', 'upgrade-66821e1');
const read = (engine: UpgradeEngine, name: string) => readFileSync(join(fixtures, engine, name), 'utf8');

/** What was recorded beside the data of an engine. */
export const upgradeFacts = (engine: UpgradeEngine): UpgradeFacts =>
  JSON.parse(read(engine, 'facts.json')) as UpgradeFacts;

/** A wallet of the recording. */
export const recordedWallet = (facts: UpgradeFacts, name: string): TestWallet =>
  walletOfSeed(new Uint8Array(32).fill(facts.wallets[name]!.seedByte));

/** A copy of the earlier version's data. */
export interface UpgradeData {
  readonly dataDir: string;
  /** Absent: the store is in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Runs a statement beside the service and gives its rows as arrays of values. */
  readonly query: (statement: string) => Promise<readonly (readonly unknown[])[]>;
}

/** Copies the data; a string says why it cannot be opened here. */
export const copyUpgradeData = async (scope: Scope, engine: UpgradeEngine): Promise<UpgradeData | string> => {
  const dataDir = temporaryFolder(scope);
  const copy = (name: string): string => {
    const path = join(dataDir, name);
    cpSync(join(fixtures, engine, name), path);
    chmodSync(path, 0o600);
    return path;
  };
  copy('server-secret');
  if (engine === 'sqlite') {
    const path = copy('holdfast.db');
    return {
      dataDir,
      databaseUrl: undefined,
      query: async (statement) => {
        using database = new DatabaseSync(path, { timeout: 10_000 });
        const prepared = database.prepare(statement);
        prepared.setReturnArrays(true);
        return prepared.all() as unknown as readonly (readonly unknown[])[];
      },
    };
  }
  const database = await createTestDatabase();
  if (typeof database === 'string') return database;
  scope.after(database.drop);
  const { url } = database;
  await executeOn(url, read(engine, 'dump.sql'));
  return {
    dataDir,
    databaseUrl: url,
    query: async (statement) => {
      const client = new pg.Client({ connectionString: url, options: '-c search_path=holdfast' });
      await client.connect();
      try {
        const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' });
        return rows;
      } finally {
        await client.end();
      }
    },
  };
};

/** Its height lies this far above the recording's: what was signed there and had not landed never will. */
const HEIGHT_ABOVE = 250;
/** A boundary and the blocks of its EpochRewards window. */
const BLOCKS_PER_EPOCH = 4;

/** A running chain that goes on where the recorded one stood. */
interface RestoredChain {
  readonly sandbox: Sandbox;
  /** The sandbox, with the recorded genesis hash and history. */
  readonly rpc: ScriptedRpc;
}

/** Starts it: same epoch, same accounts, later slots; it ends with the scope. */
export const restoreChain = async (scope: Scope, engine: UpgradeEngine): Promise<RestoredChain> => {
  const chain = JSON.parse(read(engine, 'chain.json')) as RecordedChain;
  const epochs = Math.ceil((chain.blockHeight + HEIGHT_ABOVE) / BLOCKS_PER_EPOCH);
  const sandbox = await startSandbox({ ...QUICK_SANDBOX, startEpoch: chain.epoch - epochs });
  scope.after(() => sandbox.close());
  await sandbox.advanceEpochs(epochs);
  for (const { address, lamports, data, owner } of chain.accounts)
    await sandbox.setAccount({
      ...{ address, owner, lamports: BigInt(lamports) },
      data: Buffer.from(data, 'base64'),
    });
  // The recorded slots must be finalized.
  while (sandbox.slot() <= chain.slot + 1) await sandbox.nextBlock(patience());
  const rpc = await startScriptedRpc(async ({ method, params }) => {
    if (method === 'getGenesisHash') return { result: chain.genesisHash };
    if (method === 'getTransaction') {
      const recorded = chain.transactions[params[0]]?.[params[1]?.encoding ?? 'json'];
      if (recorded !== undefined) return { result: recorded };
    }
    const answer = await ask(sandbox.rpcUrl, method, params);
    if (!answer || typeof answer === 'string' || !('result' in answer)) return answer;
    if (method === 'getSignatureStatuses') {
      const { context, value } = answer.result as { context: object; value: unknown[] };
      const known = (params[0] as string[]).map((one, at) => value[at] ?? chain.statuses[one] ?? null);
      return { result: { context, value: known } };
    }
    if (method === 'getSignaturesForAddress')
      return { result: withHistory(chain, answer.result, ...(params as HistoryQuery)) };
    return answer;
  });
  scope.after(async () => rpc[Symbol.asyncDispose]());
  return { sandbox, rpc };
};

const ask = async (url: string, method: string, params: readonly unknown[]): Promise<ScriptedAnswer> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: patience(),
  })
    .then((it) => it.json() as Promise<{ result?: unknown; error?: never }>)
    .catch(() => null);
  // At the end of a test the cluster may go before the service.
  if (answer === null) return 'reset';
  return answer.error === undefined ? { result: answer.result } : { error: answer.error };
};

type HistoryQuery = [
  address: string,
  options?: { readonly before?: string; readonly until?: string; readonly limit?: number },
];

/** The live rows, then the recorded ones, as one page. */
const withHistory = (
  { histories }: RecordedChain,
  live: unknown,
  ...[address, options]: HistoryQuery
): readonly unknown[] => {
  const { before, until, limit = 1_000 } = options ?? {};
  const recorded = histories[address] ?? [];
  const from = before === undefined ? 0 : recorded.findIndex(({ signature }) => signature === before) + 1;
  const to = until === undefined ? -1 : recorded.findIndex(({ signature }) => signature === until);
  const older = recorded.slice(from, to < 0 ? undefined : to);
  return [...(live as unknown[]), ...older].slice(0, limit);
};

/** This version's service on the copied data; closed by the caller. `page`: its files, where the page is opened. */
export const startUpgraded = async (
  data: UpgradeData,
  { sandbox, rpc }: RestoredChain,
  { page = null, clock }: { page?: readonly PageFile[] | null; clock: SteerableClock },
): Promise<App> => {
  const { config } = loadConfig({
    PORT: '0',
    HOLDFAST_DATA_DIR: data.dataDir,
    HOLDFAST_RATE_LIMIT: '1000000',
    HOLDFAST_RPC_URL: rpc.url,
    HOLDFAST_VOTE_ACCOUNT: sandbox.voteAccount,
    HOLDFAST_MEMO: sandbox.memo,
    HOLDFAST_DONATION_ADDRESS: sandbox.donationAddress,
    HOLDFAST_ONE_SHOT_LOOPBACK: 'on',
    HOLDFAST_SUBMIT: 'any',
    HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  });
  return startApp({
    config,
    cluster: {
      endpoints: [{ httpUrl: rpc.url, wsUrl: sandbox.wsUrl }],
      voteAccount: sandbox.voteAccount as Address,
      memo: sandbox.memo,
      donationAddress: sandbox.donationAddress as Address,
    },
    givenServerSecret: undefined,
    databaseUrl: data.databaseUrl === undefined ? undefined : new Secret(data.databaseUrl),
    page,
    logger: createLogger(process.env.LOG_LEVEL ?? 'silent'),
    clock,
  });
};

/** A clock that shows the moment of the recording: what is pruned by age is as old as it was then. */
export const clockOf = ({ takenAtMs }: UpgradeFacts): SteerableClock => {
  const clock = createSteerableClock();
  clock.skip(takenAtMs - Date.now());
  return clock;
};

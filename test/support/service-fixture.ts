// Runs the real service on a sandbox, either as a separate process that tests can kill and restart, or inside
// the test's process, which starts faster.
import { join } from 'node:path';
import type { Address } from '@solana/kit';
import { createHttpClient, type HttpClient } from '../../demo/http-client.ts';
import type { Send } from '../../demo/send-with-rate-limit.ts';
import { DEFAULT_BUSY_NETWORK } from '../../sandbox/blocks/background-load.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox-options.ts';
import { type App, startApp } from '../../src/app.ts';
import { openPage } from '../../src/compose/open-page.ts';
import type { ServedCluster } from '../../src/compose/service-settings.ts';
import { loadConfig, type SandboxCluster } from '../../src/config/config.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { patience } from './patience.ts';
import { QUICK_SANDBOX } from './sandbox-fixture.ts';
import { type SpawnedProcess, spawnProcess } from './spawned-process.ts';
import { type Scope, temporaryFolder } from './temporary-folder.ts';

export interface RunningService {
  readonly url: string;
  readonly client: HttpClient;
  readonly dataDir: string;
}

export interface TestService extends RunningService {
  readonly process: SpawnedProcess;
}

export interface ServiceHere extends RunningService {
  readonly app: App;
}

/**
 * Returns settings that make the service treat `sandbox` as a real cluster, use its providers if given, and
 * allow one-shot calls over loopback.
 */
export const settingsFor = (
  sandbox: Pick<Sandbox, 'rpcUrl' | 'wsUrl' | 'voteAccount' | 'memo' | 'donationAddress'> &
    Partial<Pick<Sandbox, 'stakewizUrl' | 'jitoUrl' | 'profileFile'>>,
) => ({
  HOLDFAST_STAKEWIZ_URL: sandbox.stakewizUrl ?? '',
  HOLDFAST_JITO_URL: sandbox.jitoUrl ?? '',
  HOLDFAST_PROFILE_FILE: sandbox.profileFile ?? '',
  HOLDFAST_RPC_URL: sandbox.rpcUrl,
  HOLDFAST_WS_URL: sandbox.wsUrl,
  HOLDFAST_VOTE_ACCOUNT: sandbox.voteAccount,
  HOLDFAST_MEMO: sandbox.memo,
  HOLDFAST_DONATION_ADDRESS: sandbox.donationAddress,
  HOLDFAST_ONE_SHOT_LOOPBACK: 'on',
  HOLDFAST_RATE_LIMIT: '1000000',
  LOG_LEVEL: 'info',
});

/**
 * Waits longer than the demo's client, because a submission may take 90 s on a machine ten times slower than
 * most.
 */
const sendPatiently: Send = (url, init) => fetch(url, { ...init, signal: patience() });

/** Starts `src/main.ts` and waits until it is ready. Kills the process when the scope ends. */
export const startService = async (
  scope: Scope,
  settings: Readonly<Record<string, string>>,
  dataDir: string = temporaryFolder(scope),
): Promise<TestService> => {
  const process = spawnProcess(scope, {
    file: 'src/main.ts',
    env: { PORT: '0', HOLDFAST_DATA_DIR: dataDir, ...settings },
  });
  const [, url] = await process.output(/Holdfast is ready: (\S+)/);
  return { url: url!, client: createHttpClient(url!, sendPatiently), process, dataDir };
};

let builtPage: ReturnType<typeof openPage> | undefined;

/** Runs the sandbox that `src/main.ts` starts when no cluster is set, but inside this process. */
const startOwnSandbox = async (
  { epochSeconds, slotMs, busy, ...given }: SandboxCluster,
  opened: AsyncDisposableStack,
): Promise<ServedCluster> => {
  const sandbox = opened.use(
    await startSandbox({ epochSeconds, slotMs, ...(busy && { busyNetwork: DEFAULT_BUSY_NETWORK }) }),
  );
  const { rpcUrl, wsUrl, controlUrl, stakewizUrl, jitoUrl, profileFile } = sandbox;
  return {
    endpoints: [{ httpUrl: rpcUrl, wsUrl }],
    voteAccount: sandbox.voteAccount as Address,
    memo: given.memo ?? sandbox.memo,
    donationAddress: given.donationAddress ?? (sandbox.donationAddress as Address),
    controlUrl,
    providers: { stakewizUrl, jitoUrl, profileFile },
  };
};

/**
 * Starts the service inside this process, as `src/main.ts` would with these settings. Closes it when the scope
 * ends.
 */
export const startServiceHere = async (
  scope: Scope,
  settings: Readonly<Record<string, string>>,
  dataDir: string = temporaryFolder(scope),
  clock: Clock = systemClock,
): Promise<ServiceHere> => {
  const { config, secrets } = loadConfig({ PORT: '0', HOLDFAST_DATA_DIR: dataDir, ...settings });
  const logger = createLogger('silent');
  builtPage ??= openPage(join(import.meta.dirname, '..', '..'), logger);
  await using opened = new AsyncDisposableStack();
  const cluster: ServedCluster =
    config.cluster.kind === 'sandbox'
      ? await startOwnSandbox(config.cluster, opened)
      : {
          ...config.cluster,
          endpoints: secrets.rpcEndpoints!.reveal(),
          sendRpcUrl: secrets.sendRpcUrl?.reveal(),
          providers: {
            stakewizUrl: secrets.stakewizUrl?.reveal(),
            jitoUrl: secrets.jitoUrl?.reveal(),
            profileFile: config.profileFile,
          },
        };
  const app = opened.adopt(
    await startApp({
      config,
      cluster,
      givenServerSecret: secrets.serverSecret,
      databaseUrl: secrets.databaseUrl,
      redisUrl: secrets.redisUrl,
      operatorUrls: { webhook: secrets.operatorWebhookUrl, notify: secrets.operatorNotifyUrl },
      page: await builtPage,
      logger,
      clock,
    }),
    (it) => it.close(),
  );
  const owned = opened.move();
  scope.after(() => owned.disposeAsync());
  return { url: app.url, client: createHttpClient(app.url, sendPatiently), app, dataDir };
};

/** The service and the sandbox that all tests of a file share. */
export interface SharedService<Service extends RunningService = RunningService> {
  readonly sandbox: Sandbox;
  readonly service: Service;
}

interface Hooks {
  before(run: () => Promise<void>): void;
  after(run: () => Promise<void>): void;
}

interface SharedOptions {
  readonly sandbox?: SandboxOptions;
  readonly settings?: Readonly<Record<string, string>>;
}

const shareService =
  <Service extends RunningService>(
    start: (scope: Scope, settings: Readonly<Record<string, string>>) => Promise<Service>,
  ) =>
  (hooks: Hooks, options: SharedOptions = {}): (() => SharedService<Service>) => {
    const cleanUps: (() => void | Promise<void>)[] = [];
    let shared: SharedService<Service> | undefined;
    // Starts both in one hook, because root hooks do not wait for each other.
    hooks.before(async () => {
      const sandbox = await startSandbox({ ...QUICK_SANDBOX, ...options.sandbox });
      cleanUps.push(() => sandbox.close());
      const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
      shared = { sandbox, service: await start(scope, { ...settingsFor(sandbox), ...options.settings }) };
    });
    hooks.after(async () => {
      for (const cleanUp of cleanUps.reverse()) await cleanUp();
    });
    return () => {
      if (!shared) throw new Error('the shared service is not running yet');
      return shared;
    };
  };

/** Starts one sandbox and one service inside this process for all tests of a file. */
export const sharedService = shareService(startServiceHere);

/** Starts the service in a separate process, for tests that read its output or measure it. */
export const sharedServiceProcess = shareService(startService);

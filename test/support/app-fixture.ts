// Runs the service inside the test's process, with a clock that the test controls and an RPC node whose calls
// it can count and cut off.
import type { Address } from '@solana/kit';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox-options.ts';
import { type App, type AppOptions, startApp } from '../../src/app.ts';
import type { ProviderPlaces } from '../../src/compose/open-validator.ts';
import { loadConfig } from '../../src/config/config.ts';
import { Secret } from '../../src/config/secret-settings.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { type RpcCounter, startRpcCounter } from './rpc-counter.ts';
import { QUICK_SANDBOX } from './sandbox-fixture.ts';
import { createRunningClock, type SteerableClock } from './steerable-clock.ts';
import { type Scope, temporaryFolder } from './temporary-folder.ts';

/** A service and the controls of its environment. */
export interface TestApp {
  readonly app: App;
  readonly sandbox: Sandbox;
  readonly rpc: RpcCounter;
  readonly clock: SteerableClock;
}

/**
 * Starts the service and its environment, and closes both when the scope ends. `places` replaces the sandbox's
 * providers, `settings` the usual settings, and `databaseUrl` the embedded store. `page` is the page to serve,
 * by default none.
 */
export const startTestApp = async (
  scope: Scope,
  {
    options = {},
    places = () => ({}),
    clock = createRunningClock(),
    settings = {},
    databaseUrl,
    page,
  }: {
    options?: SandboxOptions;
    places?: (sandbox: Sandbox) => ProviderPlaces;
    clock?: SteerableClock;
    settings?: Readonly<Record<string, string>>;
    databaseUrl?: string;
    page?: AppOptions['page'];
  } = {},
): Promise<TestApp> => {
  const closing: (() => unknown)[] = [];
  const dataDir = temporaryFolder(scope);
  scope.after(async () => {
    for (const close of closing.reverse()) await close();
  });
  const sandbox = await startSandbox({ ...QUICK_SANDBOX, ...options });
  closing.push(() => sandbox.close());
  const rpc = await startRpcCounter(sandbox.rpcUrl);
  closing.push(() => rpc.close());
  const { config, secrets } = loadConfig({
    PORT: '0',
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_RATE_LIMIT: '1000000',
    HOLDFAST_RPC_URL: rpc.url,
    HOLDFAST_VOTE_ACCOUNT: sandbox.voteAccount,
    HOLDFAST_MEMO: sandbox.memo,
    HOLDFAST_DONATION_ADDRESS: sandbox.donationAddress,
    ...settings,
  });
  const { stakewizUrl, jitoUrl, profileFile } = sandbox;
  const app = await startApp({
    config,
    cluster: {
      endpoints: [{ httpUrl: rpc.url, wsUrl: sandbox.wsUrl }],
      voteAccount: sandbox.voteAccount as Address,
      memo: sandbox.memo,
      donationAddress: sandbox.donationAddress as Address,
      providers: { stakewizUrl, jitoUrl, profileFile, ...places(sandbox) },
    },
    givenServerSecret: undefined,
    databaseUrl: databaseUrl === undefined ? undefined : new Secret(databaseUrl),
    operatorUrls: { webhook: secrets.operatorWebhookUrl, notify: secrets.operatorNotifyUrl },
    ...(page === undefined ? {} : { page }),
    logger: createLogger('silent'),
    clock,
  });
  closing.push(() => app.close());
  return { app, sandbox, rpc, clock };
};

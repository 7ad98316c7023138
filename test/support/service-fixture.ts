// Runs the real service as a process of its own on a sandbox that outlives it, so that tests can kill and restart it.

import { createHttpClient, type HttpClient } from '../../demo/http-client.ts';
import type { Send } from '../../demo/patient-send.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox-options.ts';
import { patience } from './patience.ts';
import { QUICK_SANDBOX } from './sandbox-fixture.ts';
import { type SpawnedProcess, spawnProcess } from './spawned-process.ts';
import { type Scope, temporaryFolder } from './temporary-folder.ts';

/** A running service. */
export interface TestService {
  readonly url: string;
  readonly client: HttpClient;
  readonly process: SpawnedProcess;
  readonly dataDir: string;
}

/** The settings that make the service serve `sandbox` as it would a real cluster, its providers where named, with one-shot over loopback allowed. */
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

/** A submission may take 90 s and the machine ten times slower than most, so longer than the demo's client waits. */
const sendPatiently: Send = (url, init) => fetch(url, { ...init, signal: patience() });

/** Starts `src/main.ts` and waits until it is ready. Killed when the scope ends. */
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

/** A service and its sandbox for all tests of a file. */
export interface SharedService {
  readonly sandbox: Sandbox;
  readonly service: TestService;
}

/** One sandbox and one service for all tests of a file; `hooks` are `node:test`'s `before` and `after`. One hook each: root hooks do not wait for each other. */
export const sharedService = (
  hooks: { before(run: () => Promise<void>): void; after(run: () => Promise<void>): void },
  options: { sandbox?: SandboxOptions; settings?: Readonly<Record<string, string>> } = {},
): (() => SharedService) => {
  const cleanUps: (() => void | Promise<void>)[] = [];
  let shared: SharedService | undefined;
  hooks.before(async () => {
    const sandbox = await startSandbox({ ...QUICK_SANDBOX, ...options.sandbox });
    cleanUps.push(() => sandbox.close());
    const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
    shared = {
      sandbox,
      service: await startService(scope, { ...settingsFor(sandbox), ...options.settings }),
    };
  });
  hooks.after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });
  return () => {
    if (!shared) throw new Error('the shared service is not running yet');
    return shared;
  };
};

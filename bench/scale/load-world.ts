// Prepares the environment of a load test: a sandbox in a separate process, funded wallets, webhooks, the paths
// to read, and the measurements of a process.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { SandboxState } from '../../sandbox/sandbox-options.ts';
import type { TestService } from '../../test/support/service-fixture.ts';
import { type SpawnedProcess, spawnProcess } from '../../test/support/spawned-process.ts';
import type { Scope } from '../../test/support/temporary-folder.ts';
import { newWallet, type TestWallet } from '../../test/support/wallets.ts';
import { callJson } from './mixed-load.ts';

/** Values measured at one time. */
export interface Sample {
  readonly atMs: number;
  readonly [figure: string]: number;
}

/** A sandbox in a separate process. */
export interface LoadChain {
  readonly chain: SpawnedProcess;
  /** The sandbox. `wallet` owns two of its stake accounts. */
  readonly sandbox: SandboxState & { readonly wallet: string };
}

const FILL_WITHIN_MS = 1_200_000;

/** Starts a sandbox with this many stake accounts. Kills it when the scope ends. */
export const startLoadChain = async (
  scope: Scope,
  {
    accounts,
    accountsEach = 2,
    epochSeconds,
  }: { readonly accounts: number; readonly accountsEach?: number; readonly epochSeconds: number },
): Promise<LoadChain> => {
  const chain = spawnProcess(scope, {
    file: 'test/support/soak-sandbox.ts',
    args: [accounts, epochSeconds, accountsEach].map(String),
    keepsInput: true,
  });
  const [line] = await chain.output(/^\{.*\}$/m, AbortSignal.timeout(FILL_WITHIN_MS));
  return { chain, sandbox: JSON.parse(line) };
};

/** Creates wallets with 2,000 SOL each. */
export const fundWallets = (controlUrl: string, count: number): Promise<readonly TestWallet[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const wallet = newWallet();
      const { walletAddress } = wallet;
      const body = { walletAddress, lamports: '2000000000000' };
      const answer = await callJson(`${controlUrl}/airdrop`, { body });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return wallet;
    }),
  );

/** Events to which the webhooks of a load subscribe. */
const EVENTS = ['withdraw_ready', 'epoch_complete', 'stake_activated', 'stake_deactivated'];

export interface LoadWebhook {
  readonly walletAddress: string;
  readonly secret: string;
}

/** Registers one webhook for each wallet, at `<receiver>/<number>`. Returns the webhooks by path. */
export const registerWebhooks = async (
  serviceUrl: string,
  receiverUrl: string,
  wallets: readonly TestWallet[],
): Promise<ReadonlyMap<string, LoadWebhook>> => {
  const registered = new Map<string, LoadWebhook>();
  for (const [at, { walletAddress }] of wallets.entries()) {
    const body = { walletAddress, callbackUrl: `${receiverUrl}/${at}`, events: EVENTS };
    const answer = await callJson(`${serviceUrl}/api/v1/webhooks`, { body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    registered.set(`/${at}`, { walletAddress, secret: answer.body.secret });
  }
  return registered;
};

/** Reads the paths of all GET operations from the service's OpenAPI document. */
export const readPaths = async (serviceUrl: string): Promise<readonly string[]> => {
  const { body } = await callJson(`${serviceUrl}/openapi.json`, { method: 'GET' });
  const reads = Object.entries(body.paths as Record<string, object>)
    .filter(([path, methods]) => 'get' in methods && !path.startsWith('/sandbox'))
    .map(([path]) => path);
  assert.ok(reads.length > 15, reads.join());
  return reads;
};

/** Returns settings with which a service writes its measurements to `file`. */
export const probeSettings = (file: string): Readonly<Record<string, string>> => ({
  SOAK_PROBE_FILE: file,
  NODE_OPTIONS: `--import=${join(import.meta.dirname, '..', '..', 'test', 'support', 'soak-probe.ts')}`,
});

export const readProbe = (file: string): readonly Sample[] => {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    // The last line of a killed process may be incomplete.
    return lines.flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as Sample] : []));
  } catch {
    return [];
  }
};

/** Reads the resident memory, CPU time and number of open descriptors of another process. Returns an empty object without `/proc`. */
export const processFigures = (pid: number): Record<string, number> => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const rss = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
    // The process name in parentheses may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const cpuMs = (Number(fields[11]) + Number(fields[12])) * 10;
    return { rss, cpuMs, descriptors: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return {};
  }
};

/** Returns a function that reads a metric of the service, summed over its labels. */
export const metricsOf = async ({ process }: TestService) => {
  const [, url] = await process.output(/Metrics\s+(\S+)/);
  return async (name: string): Promise<number> => {
    const text = await (await fetch(url!)).text();
    const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))];
    return values.reduce((sum, [, value]) => sum + Number(value), 0);
  };
};

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/**
 * Returns the medians of two fifths of the samples: the fifth after the warm-up (30 % to 50 %) and the last
 * one.
 */
export const mediansAtStartAndEnd = (
  samples: readonly Sample[],
  figure: string,
): readonly [number, number] => {
  const values = samples.flatMap((sample) => sample[figure] ?? []);
  const at = (share: number) => Math.floor(values.length * share);
  return [median(values.slice(at(0.3), at(0.5))), median(values.slice(at(0.8)))];
};

export const formatFigure = (value: number, unit = ''): string =>
  `${Number(value.toPrecision(3)).toLocaleString('en')}${unit === '' ? '' : ` ${unit}`}`;

/** Describes this machine and the time, for a table of measurements. */
export const machineAndTime = (): string =>
  `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.versions.node}`;

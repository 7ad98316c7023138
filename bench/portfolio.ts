// The portfolio summary of 50 accounts. A read from the chain is compared with its slowest upstream call over
// the same delayed connection. For a read from the index, CPU time and reads are measured.
import { readFileSync } from 'node:fs';
import { STAKE_PROGRAM } from '../sandbox/epochs/delegation-bytes.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import type { Sandbox } from '../sandbox/sandbox-options.ts';
import { settingsFor, startService, type TestService } from '../test/support/service-fixture.ts';
import { stakeAccountBytes } from '../test/support/stake-account-bytes.ts';
import type { Scope } from '../test/support/temporary-folder.ts';
import { fundedWallet, newWallet } from '../test/support/wallets.ts';
import { type BenchRow, median } from './benchmark-row.ts';
import { type ScanLine, startScanLine } from './slow-rpc-proxy.ts';

const ACCOUNTS = 50;
const LINE_MS = 40;
const EXTRA_MS = 5;
const CPU_GOAL_MICROSECONDS = 500;
const SOL = 1_000_000_000n;

const writeAccounts = async (sandbox: Sandbox, wallet: string): Promise<void> => {
  for (let account = 0; account < ACCOUNTS; account += 1) {
    const delegation = {
      voteAccount: sandbox.voteAccount,
      stakeLamports: SOL * BigInt(account + 1),
      activationEpoch: 700n,
      deactivationEpoch: 2n ** 64n - 1n,
    };
    await sandbox.setAccount({
      address: newWallet().walletAddress,
      lamports: SOL * BigInt(account + 2),
      data: stakeAccountBytes({ wallet, delegation }),
      owner: STAKE_PROGRAM,
    });
  }
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
};

/** Makes the service's slowest call: a filtered scan for the wallet's accounts. */
const slowestCall = (line: ScanLine, sandbox: Sandbox, wallet: string) => async (): Promise<void> => {
  const response = await fetch(line.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getProgramAccounts',
      params: [
        STAKE_PROGRAM,
        {
          encoding: 'base64',
          commitment: 'confirmed',
          withContext: true,
          filters: [
            { dataSize: 200 },
            { memcmp: { offset: 44, bytes: wallet, encoding: 'base58' } },
            { memcmp: { offset: 124, bytes: sandbox.voteAccount, encoding: 'base58' } },
          ],
        },
      ],
    }),
  });
  await response.arrayBuffer();
};

// The kernel counts CPU time in hundredths of a second, which is precise enough for hundreds of requests.
const TICK_MICROSECONDS = 10_000;

const cpuMicroseconds = ({ process: { child } }: TestService): number => {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
};

const cpuOf = async (service: TestService, path: string, requests: number): Promise<number> => {
  const before = cpuMicroseconds(service);
  for (let request = 0; request < requests; request += 1)
    await (await fetch(service.url + path)).arrayBuffer();
  return (cpuMicroseconds(service) - before) / requests;
};

const indexIs = async (service: TestService, ready: boolean): Promise<void> => {
  for (;;) {
    const { dependencies } = await service.client.get('/ready');
    if (dependencies.index.ok === ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const latencyRow = async (
  scope: Scope,
  sandbox: Sandbox,
  wallet: string,
  { rounds, withIndex }: { rounds: number; withIndex: boolean },
): Promise<BenchRow> => {
  const line = await startScanLine(sandbox.rpcUrl, { delayMs: LINE_MS, refusesWholeScans: !withIndex });
  scope.after(() => line.close());
  const service = await startService(scope, { ...settingsFor(sandbox), HOLDFAST_RPC_URL: line.url });
  await indexIs(service, withIndex);
  const summary = () => service.client.get(`/api/v1/stake/summary/${wallet}`);
  const control = slowestCall(line, sandbox, wallet);
  for (let warm = 0; warm < 5; warm += 1) await Promise.all([summary(), control()]);
  const { accounts } = await summary();
  if (accounts.length !== ACCOUNTS) throw new Error(`${accounts.length} accounts instead of ${ACCOUNTS}`);
  const [own, controls]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    own.push(await timed(summary));
    controls.push(await timed(control));
  }
  const [value, controlValue] = [median(own), median(controls)];
  await service.process.stop();
  return {
    path: withIndex ? 'portfolio summary, 50 accounts, from the index' : 'portfolio summary, 50 accounts',
    control: `slowest upstream call of ${LINE_MS} ms`,
    value,
    controlValue,
    unit: 'ms',
    goal: `≤ 1.15× + ${EXTRA_MS} ms`,
    met: value <= 1.15 * controlValue + EXTRA_MS,
  };
};

const cpuRow = async (
  scope: Scope,
  sandbox: Sandbox,
  wallet: string,
  requests: number,
): Promise<BenchRow> => {
  const line = await startScanLine(sandbox.rpcUrl, { delayMs: 0, refusesWholeScans: false });
  scope.after(() => line.close());
  const service = await startService(scope, {
    ...settingsFor(sandbox),
    HOLDFAST_RPC_URL: line.url,
    LOG_LEVEL: 'warn',
  });
  await indexIs(service, true);
  const summary = `/api/v1/stake/summary/${wallet}`;
  const balance = `/api/v1/wallet/balance/${wallet}`;
  await cpuOf(service, summary, requests);
  await cpuOf(service, balance, requests);
  const asked = line.walletReads(wallet);
  const values = [await cpuOf(service, summary, requests)];
  const reads = (line.walletReads(wallet) - asked) / requests;
  const controls = [await cpuOf(service, balance, requests)];
  for (let round = 0; round < 2; round += 1) {
    values.push(await cpuOf(service, summary, requests));
    controls.push(await cpuOf(service, balance, requests));
  }
  await service.process.stop();
  const [value, controlValue] = [median(values), median(controls)];
  return {
    path: `portfolio summary from the index, CPU (${reads.toFixed(2)} reads)`,
    control: 'wallet balance, one read',
    value,
    controlValue,
    unit: 'µs CPU',
    goal: `≤ ${CPU_GOAL_MICROSECONDS} µs beyond the one read, 1 read`,
    met: value - controlValue <= CPU_GOAL_MICROSECONDS && reads <= 1.01,
  };
};

/** Returns three rows: a summary from the chain, one from the index, and the cost of the index. */
export const benchPortfolio = async ({ rounds = 40, requests = 400 } = {}): Promise<BenchRow[]> => {
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.adopt(await startSandbox({ epochSeconds: 0 }), (it) => it.close());
  const scope: Scope = { after: (cleanUp) => stack.defer(async () => cleanUp()) };
  const { walletAddress } = await fundedWallet(sandbox, 10);
  await writeAccounts(sandbox, walletAddress);
  return [
    await latencyRow(scope, sandbox, walletAddress, { rounds, withIndex: false }),
    await latencyRow(scope, sandbox, walletAddress, { rounds, withIndex: true }),
    await cpuRow(scope, sandbox, walletAddress, requests),
  ];
};

// Latency of an unsigned stake: one build compared with one plain RPC read over the same delayed connection,
// alternating.
import { startSandbox } from '../sandbox/sandbox.ts';
import { settingsFor, startService } from '../test/support/service-fixture.ts';
import { fundedWallet } from '../test/support/wallets.ts';
import { type BenchRow, median } from './benchmark-row.ts';
import { startDelayedRpc } from './delayed-rpc.ts';

const LINE_MS = 40;
const GOAL_EXTRA_MS = 3;

/**
 * Measures both latencies in milliseconds. The sandbox runs in this process, so both contestants use the same
 * one.
 */
export const benchUnsignedLatency = async (rounds = 60): Promise<BenchRow> => {
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.adopt(await startSandbox({ epochSeconds: 0 }), (it) => it.close());
  const line = stack.adopt(await startDelayedRpc(sandbox.rpcUrl, LINE_MS), (it) => it.close());
  const scope = { after: (cleanUp: () => void | Promise<void>) => stack.defer(async () => cleanUp()) };
  const service = await startService(scope, { ...settingsFor(sandbox), HOLDFAST_RPC_URL: line.url });
  const { walletAddress } = await fundedWallet(sandbox, 100);
  const read = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'getMultipleAccounts',
    params: [[walletAddress], { encoding: 'base64' }],
  });
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const startedAtMs = performance.now();
    await work();
    return performance.now() - startedAtMs;
  };
  const build = () => service.client.post('/api/v1/stake/transaction', { walletAddress, amountSol: 2 });
  const roundTrip = async () =>
    (
      await fetch(line.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: read })
    ).text();
  // Warms up, because code is still being compiled during the first requests.
  for (let warm = 0; warm < 100; warm += 1) await Promise.all([build(), roundTrip()]);
  const [builds, roundTrips]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    builds.push(await timed(build));
    roundTrips.push(await timed(roundTrip));
  }
  const [value, controlValue] = [median(builds), median(roundTrips)];
  return {
    path: 'unsigned stake, latency',
    control: `one RPC round trip of ${LINE_MS} ms`,
    value,
    controlValue,
    unit: 'ms',
    goal: `≤ 1.1 round trips + ${GOAL_EXTRA_MS} ms`,
    met: value <= 1.1 * controlValue + GOAL_EXTRA_MS,
  };
};

// Number of RPC calls per response, and in total, including background work, at one request per hour, per
// minute and per second.
import { startTestApp, type TestApp } from '../test/support/app-fixture.ts';
import { createRunningClock, type SteerableClock } from '../test/support/steerable-clock.ts';
import { fundedWallet } from '../test/support/wallets.ts';
import type { BenchRow } from './benchmark-row.ts';

/** Speed-up factor of the service's clock and of the chain's blocks. */
const FACTOR = 20;
const SLOT_MS = 400;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

interface World {
  readonly rpc: TestApp['rpc'];
  readonly clock: SteerableClock;
  readonly ask: () => Promise<void>;
}

/** Counts the calls during `durationMs` with one request every `everyMs`, starting immediately. */
const callsOf = async ({ rpc, clock, ask }: World, durationMs: number, everyMs: number): Promise<number> => {
  const from = rpc.methods().length;
  const untilMs = clock.now() + durationMs;
  for (let dueMs = clock.now(); dueMs < untilMs; dueMs += everyMs) {
    await clock.sleep(Math.max(0, dueMs - clock.now()));
    await ask();
  }
  await clock.sleep(Math.max(0, untilMs - clock.now()));
  const methods = rpc.methods().slice(from);
  const counts = Object.groupBy(methods, (method) => method);
  const counted = Object.entries(counts).map(([method, calls]) => `${method} ${calls?.length}`);
  console.error(
    `  in ${durationMs / 1_000} s, with a request every ${everyMs / 1_000} s: ${counted.join(', ')}`,
  );
  return methods.length;
};

/** Returns the minimum of several attempts, because background work also makes calls. */
const fewestCalls = async ({ rpc, clock, ask }: World, pauseMs: number): Promise<number> => {
  let fewest = Number.POSITIVE_INFINITY;
  for (let left = 10; left > 0; left -= 1) {
    await clock.sleep(pauseMs);
    const from = rpc.methods().length;
    await ask();
    fewest = Math.min(fewest, rpc.methods().length - from);
  }
  return fewest;
};

const calls = (
  path: string,
  control: string,
  [value, controlValue]: readonly [number, number],
  goal: string,
  met = true,
): BenchRow => ({ path, control, value, controlValue, unit: 'calls', goal, met });

/** Returns five rows: one response, warm and cold, and one hour at three rates. Takes five minutes. */
export const benchUpstreamCalls = async (): Promise<BenchRow[]> => {
  await using stack = new AsyncDisposableStack();
  const clock = createRunningClock(FACTOR);
  const { app, rpc, sandbox } = await startTestApp(
    { after: (close) => stack.defer(async () => close()) },
    { clock, options: { slotMs: SLOT_MS / FACTOR } },
  );
  const { walletAddress } = await fundedWallet(sandbox, 100);
  const body = JSON.stringify({ walletAddress, amountSol: 2 });
  const headers = { 'content-type': 'application/json' };
  const ask = async (): Promise<void> => {
    const response = await fetch(`${app.url}/api/v1/stake/transaction`, { method: 'POST', headers, body });
    if (response.status !== 200) throw new Error(await response.text());
    await response.arrayBuffer();
  };
  const world: World = { rpc, clock, ask };
  // Waits for the index scans, the sampler and the limits that are read once at startup.
  await callsOf(world, MINUTE_MS, MINUTE_MS / 6);
  const warm = await fewestCalls(world, 100);
  const cold = await fewestCalls(world, 30_000);
  const second = await callsOf(world, 2 * MINUTE_MS, 1_000);
  const minute = await callsOf(world, 10 * MINUTE_MS, MINUTE_MS);
  const hour = await callsOf(world, HOUR_MS, HOUR_MS);
  const all = (rate: string) =>
    `all calls in an hour, including background work, with one unsigned stake ${rate}`;
  return [
    calls('unsigned stake, calls per response, warm', 'one read', [warm, 1], '1', warm === 1),
    calls(
      'unsigned stake, calls per response, cold',
      'one read and one blockhash',
      [cold, 2],
      '2',
      cold <= 2,
    ),
    calls(all('an hour'), 'responses', [hour, 1], 'printed'),
    calls(all('a minute'), 'responses', [minute * 6, 60], 'printed'),
    calls(all('a second'), 'responses', [second * 30, 3_600], 'printed'),
  ];
};

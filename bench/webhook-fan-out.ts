// Webhook fan-out from stored events to stored attempts, compared with a keep-alive loop of `undici.request`
// that posts the same number of bodies and stores nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { systemClock } from '../src/kernel/clock.ts';
import { deliveryWorld } from '../test/support/delivery-fixture.ts';
import { spawnProcess } from '../test/support/spawned-process.ts';
import { createTestDatabase } from '../test/support/store-postgres.ts';
import type { Scope } from '../test/support/temporary-folder.ts';
import { type BenchRow, median } from './benchmark-row.ts';

/** Goal: minimum number of durable deliveries per second. */
const GOAL_RATE = 100;
const REGISTRATIONS = 500;
const EVENTS_EACH = 2;
const DELIVERIES = REGISTRATIONS * EVENTS_EACH;
const CONNECTIONS = 64;
const WARM_ROUNDS = 2;

const DATA = `{"walletAddress":"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU","epoch":812,"late":false,"portfolio":{"accounts":3,"activeSol":12.5,"activatingSol":0,"deactivatingSol":2.25}}`;

/** CPU time of this process in µs. On a shared machine, wall-clock time would include other processes. */
const cpuUs = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Makes one measurement of the CPU time per delivery in µs and of the deliveries per second. */
type Measure = () => Promise<{ readonly us: number; readonly perSecond: number }>;

const measured = (beforeUs: number, startedAtMs: number) => ({
  us: (cpuUs() - beforeUs) / DELIVERIES,
  perSecond: (DELIVERIES * 1_000) / (performance.now() - startedAtMs),
});

/**
 * Measures CPU time per request, in µs, of a plain loop over 64 connections. The loop neither composes nor
 * signs anything (which takes about 5 µs per delivery), so the ratio shows the full cost of a webhook beyond a
 * POST. PostgreSQL's own CPU time is not counted on either side.
 */
const plainLoop = (scope: Scope, url: string): Measure => {
  const dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  scope.after(() => dispatcher.close());
  const body = `{"id":"evt_00000000000000000000000000000000","type":"epoch_complete","timestamp":"2026-11-21T12:00:00.000Z","data":${DATA}}`;
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'evt_00000000000000000000000000000000',
    'webhook-timestamp': '1795262400',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  return async () => {
    let left = DELIVERIES;
    const post = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const response = await request(url, { dispatcher, method: 'POST', headers, body });
        await response.body.dump();
      }
    };
    const [beforeUs, startedAtMs] = [cpuUs(), performance.now()];
    await Promise.all(Array.from({ length: CONNECTIONS }, post));
    return measured(beforeUs, startedAtMs);
  };
};

/**
 * Measures CPU time per delivery, in µs, of a warmed-up service. Recording the events before each round is not
 * counted.
 */
const fanOut = async (scope: Scope, url: string, location: string): Promise<Measure> => {
  const world = await deliveryWorld(scope, { clock: systemClock, location });
  const ids: string[] = [];
  for (let count = 0; count < REGISTRATIONS; count += 1) ids.push(await world.register(url));
  let round = 0;
  return async () => {
    round += 1;
    const atMs = Date.now();
    await world.store.outbox.record(
      ids.flatMap((registrationId) =>
        Array.from({ length: EVENTS_EACH }, (_, event) => ({
          id: `evt_${registrationId.slice(0, 26)}${String(round * EVENTS_EACH + event).padStart(6, '0')}`,
          registrationId,
          type: 'epoch_complete' as const,
          atMs: atMs - EVENTS_EACH + event,
          data: DATA,
          expiresAtMs: null,
        })),
      ),
    );
    const [beforeUs, startedAtMs] = [cpuUs(), performance.now()];
    const loop = world.start();
    await world.settledCount(round * DELIVERIES);
    const once = measured(beforeUs, startedAtMs);
    await loop.close();
    const delivered = world.settled.filter(({ attempt }) => attempt.outcome === 'delivered').length;
    if (delivered !== round * DELIVERIES)
      throw new Error(`${delivered} of ${round * DELIVERIES} were delivered`);
    return once;
  };
};

const compare = async (
  path: string,
  rounds: number,
  [fanOutOnce, loopOnce]: readonly [Measure, Measure],
): Promise<BenchRow> => {
  // Warm-up rounds are not counted, because code is still being compiled during them.
  for (let round = 0; round < WARM_ROUNDS; round += 1) {
    await loopOnce();
    await fanOutOnce();
  }
  const [fanOutUs, loopUs, rates]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    // The order of the contestants alternates.
    if (round % 2 === 0) loopUs.push((await loopOnce()).us);
    const { us, perSecond } = await fanOutOnce();
    fanOutUs.push(us);
    rates.push(perSecond);
    if (round % 2 === 1) loopUs.push((await loopOnce()).us);
  }
  const [value, controlValue] = [median(fanOutUs), median(loopUs)];
  return {
    path,
    control: 'undici.request keep-alive loop without storage',
    value,
    controlValue,
    unit: 'µs CPU',
    goal: `≥ ${GOAL_RATE} a second (${Math.floor(median(rates))})`,
    met: median(rates) >= GOAL_RATE,
  };
};

/**
 * Measures CPU time per delivery in µs, for claiming an event, signing and sending it, and storing the result.
 * Adds a row for PostgreSQL if a server is running.
 */
export const benchWebhookFanOut = async (rounds = 11): Promise<readonly BenchRow[]> => {
  await using stack = new AsyncDisposableStack();
  const scope: Scope = { after: (cleanUp) => stack.defer(async () => cleanUp()) };
  const receiver = spawnProcess(scope, { file: 'bench/discarding-receiver.ts' });
  const [, port] = await receiver.output(/port (\d+)/);
  const url = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const loop = plainLoop(scope, url);
  const embedded = await fanOut(scope, url, join(folder, 'bench.db'));
  const rows = [await compare('webhook fan-out, durable', rounds, [embedded, loop])];
  const database = await createTestDatabase();
  if (typeof database === 'string') return rows;
  stack.defer(() => database.drop());
  const shared = await fanOut(scope, url, database.url);
  return [...rows, await compare('webhook fan-out, durable on PostgreSQL', rounds, [shared, loop])];
};

// RES-1: bodies over 64 KiB and headers over 16 KiB are refused, and thousands of slow connections do not
// block other clients.
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { Pool } from 'undici';
import { WALLET } from '../support/http-operations.ts';
import { exchangeRaw, openSocket, rawGet } from '../support/http-raw.ts';
import { spawnProcess } from '../support/spawned-process.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const SLOW_CONNECTIONS = FULL ? 10_000 : 1_000;
const NORMAL_REQUESTS = FULL ? 10_000 : 1_000;

const percentile99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;

/**
 * Sends requests one after another on each of four connections. Returns the durations of those with a 200
 * response.
 */
const askNormally = async (port: string): Promise<number[]> => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 4, pipelining: 1 });
  const durations: number[] = [];
  const caller = async (): Promise<void> => {
    for (let count = 0; count < NORMAL_REQUESTS / 4; count += 1) {
      const start = performance.now();
      const { statusCode, body } = await pool.request({ path: `/read/${WALLET}`, method: 'GET' });
      await body.dump();
      assert.equal(statusCode, 200);
      durations.push(performance.now() - start);
    }
  };
  await Promise.all([caller(), caller(), caller(), caller()]);
  await pool.close();
  return durations;
};

// Starts of slow requests: nothing, half a request line, unfinished headers, or an unfinished body.
const BEGINNINGS = [
  '',
  'GET /read/x HT',
  'GET /read/x HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
  'POST /build HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{',
];

/**
 * Opens connections and keeps them open until `close`. If the server closes one (after 10 s without headers),
 * opens another.
 */
const openSlowly = async (port: string) => {
  const open = new Set<Socket>();
  let closing = false;
  const add = async (index: number): Promise<void> => {
    const socket = await openSocket(Number(port));
    if (closing) return void socket.destroy();
    open.add(socket);
    socket.on('close', () => {
      open.delete(socket);
      if (!closing) void add(index).catch(() => undefined);
    });
    socket.resume().write(BEGINNINGS[index % BEGINNINGS.length] ?? '');
  };
  for (let from = 0; from < SLOW_CONNECTIONS; from += 100)
    await Promise.all(Array.from({ length: 100 }, (_, at) => add(from + at)));
  const dribble = setInterval(() => {
    for (const socket of open) if (socket.writable) socket.write('x');
  }, 2_000);
  return {
    open: () => [...open].filter(({ readyState }) => readyState === 'open').length,
    close: () => {
      closing = true;
      clearInterval(dribble);
      for (const socket of open) socket.destroy();
    },
  };
};

test(`RES-1 every normal request is answered while ${SLOW_CONNECTIONS} slow connections each send byte by byte`, async (t) => {
  const child = spawnProcess(t, { file: 'test/support/http-child.ts' });
  const [, port = ''] = await child.output(/port (\d+)/);
  await askNormally(port);
  const alone = await askNormally(port);
  const slow = await openSlowly(port);
  t.after(slow.close);
  assert.ok(slow.open() >= SLOW_CONNECTIONS * 0.9, `${slow.open()} are open`);
  const crowded = await askNormally(port);
  assert.equal(crowded.length, alone.length);
  // With fewer open connections, the test would not load the server enough.
  assert.ok(slow.open() >= SLOW_CONNECTIONS * 0.9, `${slow.open()} are still open`);
  const [before, during] = [percentile99(alone), percentile99(crowded)];
  t.diagnostic(
    `p99 ${before.toFixed(2)} ms alone, ${during.toFixed(2)} ms crowded, ratio ${(during / before).toFixed(2)} (goal: at most 2)`,
  );
});

test('RES-1 a header block over 16 KiB and a body over 64 KiB are refused, and slightly smaller ones are accepted', async (t) => {
  const child = spawnProcess(t, { file: 'test/support/http-child.ts' });
  const port = Number((await child.output(/port (\d+)/))[1]);
  const withHeader = (bytes: number) =>
    exchangeRaw(port, rawGet('/health', [`X-Fill: ${'x'.repeat(bytes)}`]));
  assert.equal((await withHeader(16 * 1024)).status, 431);
  assert.equal((await withHeader(16 * 1024 - 100)).status, 200);
  const withBody = (bytes: number) =>
    exchangeRaw(
      port,
      `POST /act HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n{}${' '.repeat(bytes - 2)}`,
    );
  assert.equal((await withBody(64 * 1024 + 1)).status, 413);
  assert.equal((await withBody(64 * 1024)).status, 200);
});

// KEY-1: what 100 one-shot requests leave of their keys in the memory of the process that served them.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { countInMemory } from './key-1-memory.ts';

const REQUESTS = 100;
// Keys that may stay. One text: the HTTP parser's read buffer still holds the last body. One seed: a full collection that strikes while
// a key is in native use promotes its handle, which the process's own later collection then frees.
const MOST_BASE58_KEYS = 2;
const MOST_SEEDS = 1;
const skip = process.platform === 'linux' ? false : 'reads /proc/<pid>/mem, which only Linux has';

interface TestKey {
  readonly seed: Buffer;
  readonly secretKey: string;
  readonly walletAddress: string;
}

const newKey = (): TestKey => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url');
  const publicBytes = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  return {
    seed,
    secretKey: encodeBase58(Buffer.concat([seed, publicBytes])),
    walletAddress: encodeBase58(publicBytes),
  };
};

const post = (url: string, body: string, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    sent
      .on('error', reject)
      .on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)));
    sent.end(body);
  });

/** A one-shot server in a process of its own: how to start it, where it prints its address, where keys go. */
interface OneShotServer {
  readonly args: readonly string[];
  readonly path: string;
}

const startServer = async ({ args, path }: OneShotServer): Promise<{ child: ChildProcess; url: string }> => {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return { child, url: `${line.trim()}${path}` };
};

/** Sends the keys, `concurrency` at a time, then counts how many of them are left in the server's memory. */
const leftInMemory = async (server: OneShotServer, concurrency: number) => {
  const keys = Array.from({ length: REQUESTS }, newKey);
  const { child, url } = await startServer(server);
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  try {
    const statuses = await Promise.all(
      keys.map(({ walletAddress, secretKey }) =>
        post(url, JSON.stringify({ walletAddress, secretKey, amountSol: 1.5 }), agent),
      ),
    );
    assert.deepEqual([...new Set(statuses)], [200]);
    const needles = [...keys.map(({ secretKey }) => Buffer.from(secretKey)), ...keys.map(({ seed }) => seed)];
    const counts = countInMemory(child.pid!, needles);
    const distinct = (some: readonly number[]) => some.filter((count) => count > 0).length;
    return { base58Keys: distinct(counts.slice(0, REQUESTS)), seeds: distinct(counts.slice(REQUESTS)) };
  } finally {
    agent.destroy();
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
};

const entry = new URL('./key-1-server.ts', import.meta.url).pathname;

describe('KEY-1: keys in memory after one-shot requests', { skip }, () => {
  for (const concurrency of [1, 10]) {
    test(`at most ${MOST_BASE58_KEYS} base58 keys and ${MOST_SEEDS} seed are left of ${REQUESTS}, ${concurrency} at a time`, async () => {
      const left = await leftInMemory({ args: [entry, 'careful'], path: '/' }, concurrency);
      assert.ok(left.base58Keys <= MOST_BASE58_KEYS && left.seeds <= MOST_SEEDS, JSON.stringify(left));
    });
  }

  test('the same scan finds most keys of a naive server, so it would find ours', async () => {
    const left = await leftInMemory({ args: [entry, 'naive'], path: '/' }, 1);
    assert.ok(left.base58Keys >= 50 && left.seeds >= 50, JSON.stringify(left));
  });
});

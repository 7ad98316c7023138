// KEY-1: counts the secret keys that 100 one-shot requests leave in the memory of the process that served them.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { getBase58Encoder } from '@solana/kit';
import { countInMemory } from '../support/keys-in-memory.ts';
import { sharedServiceProcess } from '../support/service-fixture.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import { fundedWallet, newWallet, type TestWallet } from '../support/wallets.ts';

const REQUESTS = 100;
// Maximum number of keys that may remain in memory. As text: those of the last body, which the HTTP parser's
// read buffer still holds. As a seed: one, because a full collection during a native call promotes its handle.
// The next full collection frees that seed, and promotes at most one other.
const MAX_BASE58_KEYS = 2;
const MAX_SEEDS = 1;
/** Number of requests in one packet. The read buffer then holds all their bodies. */
const PACKET_REQUESTS = 5;

const skip = process.platform === 'linux' ? false : 'reads /proc/<pid>/mem, which exists only on Linux';

/** A one-shot server in a separate process. */
interface OneShotServer {
  readonly pid: number;
  readonly url: string;
}

const post = (url: string, body: string, agent: Agent): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', agent, headers });
    sent.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.end(body);
  });

const bodyOf = ({ walletAddress, secretKey }: TestWallet): string =>
  JSON.stringify({ walletAddress, secretKey, amountSol: 1.5 });

/** Sends each wallet's secret key, `concurrency` at a time. */
const sendApart =
  (concurrency: number) =>
  async (url: string, wallets: readonly TestWallet[]): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
    try {
      const responses = await Promise.all(wallets.map((wallet) => post(url, bodyOf(wallet), agent)));
      for (const { status, text } of responses) assert.equal(status, 200, text);
    } finally {
      agent.destroy();
    }
  };

/** Sends the requests of `PACKET_REQUESTS` wallets at a time in one packet. */
const sendPipelined = async (url: string, wallets: readonly TestWallet[]): Promise<void> => {
  const { hostname, port, pathname, host } = new URL(url);
  for (let at = 0; at < wallets.length; at += PACKET_REQUESTS) {
    const bodies = wallets.slice(at, at + PACKET_REQUESTS).map(bodyOf);
    const socket = connect({ host: hostname, port: Number(port) });
    try {
      socket.write(
        bodies
          .map(
            (body) =>
              `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
          )
          .join(''),
      );
      let text = '';
      for await (const chunk of socket.setEncoding('utf8')) {
        text += chunk;
        const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
        assert.ok(
          statuses.every((status) => status === '200'),
          text,
        );
        if (statuses.length === bodies.length) break;
      }
    } finally {
      socket.destroy();
    }
  }
};

/** Sends each wallet's secret key, then counts how many are left in the server's memory. */
const leftInMemory = async (
  { pid, url }: OneShotServer,
  wallets: readonly TestWallet[],
  sendAll: (url: string, wallets: readonly TestWallet[]) => Promise<void>,
) => {
  await sendAll(url, wallets);
  const texts = wallets.map(({ secretKey }) => Buffer.from(secretKey));
  const seeds = wallets.map(({ secretKey }) =>
    Buffer.from(getBase58Encoder().encode(secretKey).slice(0, 32)),
  );
  const counts = countInMemory(pid, [...texts, ...seeds]);
  const distinct = (some: readonly number[]) => some.filter((count) => count > 0).length;
  return {
    base58Keys: distinct(counts.slice(0, wallets.length)),
    seeds: distinct(counts.slice(wallets.length)),
  };
};

const assertFewLeft = (
  { base58Keys, seeds }: { base58Keys: number; seeds: number },
  mostBase58Keys = MAX_BASE58_KEYS,
): void =>
  assert.ok(
    base58Keys <= mostBase58Keys && seeds <= MAX_SEEDS,
    `left: ${base58Keys} base58 keys, ${seeds} seeds`,
  );

const newWallets = (): TestWallet[] => Array.from({ length: REQUESTS }, newWallet);

describe('KEY-1: secret keys in memory after one-shot requests', { skip }, () => {
  const start = async (
    t: { after(run: () => void | Promise<void>): void },
    handling: 'careful' | 'naive',
  ): Promise<OneShotServer> => {
    const server = spawnProcess(t, { file: 'test/support/key-server.ts', args: [handling] });
    const [url] = await server.output(/http:\S+/);
    return { pid: server.child.pid!, url: url! };
  };

  for (const concurrency of [1, 10]) {
    test(`after ${REQUESTS} requests to a minimal server, ${concurrency} at a time, at most ${MAX_BASE58_KEYS} base58 keys and ${MAX_SEEDS} seed remain in memory`, async (t) => {
      assertFewLeft(await leftInMemory(await start(t, 'careful'), newWallets(), sendApart(concurrency)));
    });
  }

  test(`${PACKET_REQUESTS} requests in one packet leave at most their own keys`, async (t) => {
    const left = await leftInMemory(await start(t, 'careful'), newWallets(), sendPipelined);
    assertFewLeft(left, PACKET_REQUESTS);
  });

  test('the same scan finds most keys in a naive server, so it would also find keys in this service', async (t) => {
    const { base58Keys, seeds } = await leftInMemory(await start(t, 'naive'), newWallets(), sendApart(1));
    assert.ok(base58Keys >= 50 && seeds >= 50, `found: ${base58Keys} base58 keys, ${seeds} seeds`);
  });

  describe('the service itself', () => {
    const shared = sharedServiceProcess({ before, after });

    test(`the service keeps at most ${MAX_BASE58_KEYS} base58 keys and ${MAX_SEEDS} seed after ${REQUESTS} one-shot stakes, 10 at a time`, async () => {
      const { sandbox, service } = shared();
      const wallets = await Promise.all(Array.from({ length: REQUESTS }, () => fundedWallet(sandbox, 2)));
      const server = { pid: service.process.child.pid!, url: `${service.url}/api/v1/stake` };
      assertFewLeft(await leftInMemory(server, wallets, sendApart(10)));
    });
  });
});

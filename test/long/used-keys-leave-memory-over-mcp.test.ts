// KEY-1 over MCP: counts the secret keys that one-shot calls leave in the service's memory, with both protocol
// versions and over the older transport (HTTP+SSE).
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { getBase58Encoder } from '@solana/kit';
import { countInMemory } from '../support/keys-in-memory.ts';
import { type McpEra, mcpHeaders, toolMessage } from '../support/mcp-rpc.ts';
import { openMcpStream } from '../support/mcp-stream.ts';
import { sharedServiceProcess } from '../support/service-fixture.ts';
import { fundedWallet, type TestWallet } from '../support/wallets.ts';

// `modern` is the protocol version that current agents use. The older transports share the code that reads
// bodies, so fewer requests are enough for them.
const REQUESTS =
  process.env.HOLDFAST_TEST_FULL === '1'
    ? { modern: 100, legacy: 40, stream: 40 }
    : { modern: 40, legacy: 20, stream: 20 };
// The same limits as in KEY-1 over REST: the parser's read buffer holds the last body, and a garbage collection
// during its native call may promote one key.
const MAX_BASE58_KEYS = 2;
const MAX_SEEDS = 1;

const skip = process.platform === 'linux' ? false : 'reads /proc/<pid>/mem, which exists only on Linux';

const post = (url: URL, body: string, headers: Record<string, string>, agent: Agent): Promise<string> =>
  new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    sent.on('error', reject).on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve(`${answer.statusCode} ${text}`));
    });
    sent.end(body);
  });

const argumentsOf = ({ walletAddress, secretKey }: TestWallet): string =>
  JSON.stringify({ walletAddress, secretKey, amountSol: 1.5 });

describe('MCP-KEY-1: secret keys in memory after one-shot calls over MCP', { skip }, () => {
  const shared = sharedServiceProcess({ before, after });
  const wallets = (length: number): Promise<TestWallet[]> =>
    Promise.all(Array.from({ length }, () => fundedWallet(shared().sandbox, 2)));

  const assertFewLeft = (used: readonly TestWallet[]): void => {
    const texts = used.map(({ secretKey }) => Buffer.from(secretKey));
    const seeds = used.map(({ secretKey }) => Buffer.from(getBase58Encoder().encode(secretKey).slice(0, 32)));
    const counts = countInMemory(shared().service.process.child.pid!, [...texts, ...seeds]);
    const distinct = (some: readonly number[]) => some.filter((count) => count > 0).length;
    const [base58Keys, left] = [distinct(counts.slice(0, used.length)), distinct(counts.slice(used.length))];
    assert.ok(
      base58Keys <= MAX_BASE58_KEYS && left <= MAX_SEEDS,
      `left: ${base58Keys} base58 keys, ${left} seeds`,
    );
  };

  for (const era of ['modern', 'legacy'] as const satisfies readonly McpEra[])
    test(`${era}: at most ${MAX_BASE58_KEYS} base58 keys and ${MAX_SEEDS} seed of ${REQUESTS[era]} stay, 10 at a time`, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 10 });
      try {
        const used = await wallets(REQUESTS[era]);
        const responses = await Promise.all(
          used.map((wallet, id) =>
            post(
              new URL('/mcp', shared().service.url),
              toolMessage(era, 'stake', argumentsOf(wallet), id),
              mcpHeaders(era, 'tools/call', 'stake'),
              agent,
            ),
          ),
        );
        for (const answer of responses) assert.match(answer, /^200 [\s\S]*stakeAccountAddress/);
        assertFewLeft(used);
      } finally {
        agent.destroy();
      }
    });

  test(`older stream: at most ${MAX_BASE58_KEYS} base58 keys and ${MAX_SEEDS} seed of ${REQUESTS.stream} stay, 10 at a time`, async (t) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 10 });
    t.after(() => agent.destroy());
    const used = await wallets(REQUESTS.stream);
    const { endpoint, response } = await openMcpStream(t, shared().service.url);
    for (let first = 0; first < REQUESTS.stream; first += 10)
      await Promise.all(
        used.slice(first, first + 10).map(async (wallet, at) => {
          const id = first + at;
          const answered = response(id);
          const headers = { 'content-type': 'application/json' };
          const taken = await post(
            endpoint,
            toolMessage('legacy', 'stake', argumentsOf(wallet), id),
            headers,
            agent,
          );
          assert.match(taken, /^202 /);
          assert.ok((await answered).result.structuredContent.stakeAccountAddress);
        }),
      );
    assertFewLeft(used);
  });
});

// Tests that the documents describe this server: its public address, its routes, and no features that it lacks.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Address } from '@solana/kit';
import { request } from 'undici';
import { agentCard, parseLlmsIndex, serverJson } from '../../../test/support/discovery-schemas.ts';
import { startTestServer, WALLET } from '../../../test/support/http-operations.ts';
import { createOpenApiDocument } from '../openapi/openapi.ts';
import { allRoutes } from '../routes/all-routes.ts';
import { discoveryDocuments } from '../routes/discovery-routes.ts';
import { createAgentCard } from './agent-card.ts';
import type { DiscoveryFacts } from './discovery-facts.ts';
import { createServerJson } from './discovery-server-json.ts';
import { createLlmsFull } from './llms-full.ts';
import { createLlmsIndex } from './llms-index.ts';

const PUBLIC_URL = 'https://stake.example.com';
const MCP = [{ path: '/mcp' }, { path: '/mcp/sse' }];
const ACTIONS = [{ path: '/actions.json' }, { path: '/api/actions/{name}' }];

const factsOf = (more: Partial<DiscoveryFacts> = {}): DiscoveryFacts => ({
  publicUrl: PUBLIC_URL,
  clusterName: () => 'mainnet-beta',
  voteAccount: WALLET as Address,
  routes: allRoutes,
  mounts: [],
  tools: [],
  ...more,
});
const fullOf = (facts: DiscoveryFacts): string =>
  createLlmsFull(facts, createOpenApiDocument(facts.routes, facts.publicUrl));

const serverAt = async (t: TestContext, publicUrl: string) => {
  const server = await startTestServer({ config: { publicUrl } });
  t.after(() => server.close());
  return async (path: string): Promise<Response> => fetch(server.url + path);
};

describe('the address', () => {
  it('is the public one in every link, whatever the bound address', async (t) => {
    const get = await serverAt(t, `${PUBLIC_URL}/`);
    for (const { path, needs } of discoveryDocuments.filter((document) => document.needs === undefined)) {
      const response = await get(path);
      assert.equal(response.status, 200, `${path} ${needs}`);
      const text = await response.text();
      assert.ok(!text.includes('127.0.0.1') && !text.includes(`${PUBLIC_URL}//`), path);
    }
  });

  it('determines the reverse-DNS name of the MCP server, which is `localhost` for IP addresses and hosts without dots', () => {
    const name = (publicUrl: string) => createServerJson(factsOf({ publicUrl, mounts: MCP })).name;
    assert.equal(name(PUBLIC_URL), 'com.example.stake/holdfast');
    for (const url of ['http://127.0.0.1:3000', 'http://[::1]:3000', 'http://localhost:3000'])
      assert.equal(name(url), 'localhost/holdfast');
  });
});

describe('a document', () => {
  it('is sent in an encoding that the client accepts, and not sent again to a client that already has it', async (t) => {
    const server = await startTestServer();
    t.after(() => server.close());
    const ask = async (path: string, headers: Record<string, string>) => {
      const { statusCode, headers: sent, body } = await request(server.url + path, { headers });
      return { statusCode, sent, bytes: Buffer.from(await body.arrayBuffer()) };
    };
    for (const path of ['/docs', '/docs/reference/stake', '/openapi.json', '/llms-full.txt']) {
      const plain = await ask(path, {});
      assert.equal(plain.sent['content-encoding'], undefined);
      for (const [coding, unpack] of Object.entries({ br: brotliDecompressSync, gzip: gunzipSync })) {
        const { sent, bytes } = await ask(path, { 'accept-encoding': coding });
        assert.deepEqual([sent['content-encoding'], sent.vary], [coding, 'Accept-Encoding'], path);
        assert.ok(bytes.length * 2 < plain.bytes.length, `${path}: ${bytes.length} of ${plain.bytes.length}`);
        assert.deepEqual(unpack(bytes), plain.bytes);
      }
      const again = await ask(path, { 'if-none-match': String(plain.sent.etag) });
      assert.deepEqual([again.statusCode, again.bytes.length], [304, 0]);
    }
  });
});

describe('the error codes in Markdown', () => {
  it('have their params, also without a reason', async (t) => {
    const server = await startTestServer();
    t.after(() => server.close());
    const { body } = await request(`${server.url}/docs/guides/errors.md`);
    assert.match(
      await body.text(),
      /### STAKE_NOT_DELEGATED\n\n.+\n\nStatus \d+: .+\.\n- without a reason: address\n/,
    );
  });
});

describe('routes that are not mounted', () => {
  it('are neither served nor mentioned', async (t) => {
    const get = await serverAt(t, PUBLIC_URL);
    for (const path of ['/server.json', '/actions.json']) assert.equal((await get(path)).status, 404, path);
    for (const text of [createLlmsIndex(factsOf()), fullOf(factsOf())]) {
      assert.ok(!/^## (MCP server|Solana Actions)$/m.test(text));
      assert.ok(!text.includes(`${PUBLIC_URL}/mcp`));
    }
    const card = agentCard.parse(createAgentCard(factsOf()));
    assert.deepEqual([card.url, card.preferredTransport], [`${PUBLIC_URL}/openapi.json`, 'OPENAPI']);
  });

  it('one-shot routes that the operator turned off are neither offered nor mentioned in warnings', () => {
    const routes = allRoutes.filter(({ carriesSecretKey }) => carriesSecretKey !== true);
    const facts = factsOf({ routes, mounts: ACTIONS });
    assert.match(fullOf(factsOf()), /\*\*One-shot\.\*\*/);
    assert.doesNotMatch(fullOf(facts), /One-shot|`POST \/api\/v1\/stake`/);
    assert.match(fullOf(facts), /\*\*Unsigned \(recommended\)\.\*\*/);
    assert.ok(createAgentCard(facts).skills.every(({ id }) => id !== 'stake'));
  });
});

describe('mounted routes', () => {
  const tools = [{ name: 'check_balance', description: 'Reads\n  a balance.', operation: 'balance' }];
  const facts = factsOf({
    mounts: [...MCP, ...ACTIONS],
    tools,
    sourceUrl: 'https://github.com/example/holdfast',
  });

  it('all appear in both texts for models and on the card, whatever the settings', () => {
    const [index, full] = [createLlmsIndex(facts), fullOf(facts)];
    const card = createAgentCard(facts);
    for (const { operation, method, path } of allRoutes) {
      assert.ok(index.includes(`\`${method} ${path}\``), path);
      assert.ok(full.includes(`### ${operation.summary}\n\n\`${method} ${path}\``), path);
      assert.ok(card.skills.some(({ id }) => id === operation.name));
    }
    assert.equal(card.skills.length, allRoutes.length);
  });

  it('each tool and each action is described on one line', () => {
    const full = fullOf(facts);
    assert.ok(full.includes('- `check_balance` (operation `balance`): Reads a balance.'));
    assert.ok(full.includes('`GET` and `POST /api/actions/withdraw`'));
    const { sections } = parseLlmsIndex(createLlmsIndex(facts));
    assert.ok(sections.some(({ title, links }) => title === 'MCP server' && links.length === 2));
  });

  it('the card and server.json match their schemas, with the repository and an icon over HTTPS', () => {
    const card = agentCard.parse(createAgentCard(facts));
    assert.deepEqual([card.url, card.preferredTransport], [`${PUBLIC_URL}/mcp`, 'MCP']);
    const server = serverJson.parse(createServerJson(facts));
    assert.deepEqual(server.repository, { url: 'https://github.com/example/holdfast', source: 'github' });
    assert.equal(server.icons?.[0]?.src, `${PUBLIC_URL}/icon.svg`);
    const plain = factsOf({
      ...facts,
      publicUrl: 'http://127.0.0.1:3000',
      sourceUrl: 'https://git.example/x',
    });
    const local = serverJson.parse(createServerJson(plain));
    assert.deepEqual([local.icons, local.repository], [undefined, undefined]);
  });
});

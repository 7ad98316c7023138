// The documents by which the service is found: each is what its specification asks for, every link in them leads somewhere, and they leave nothing out.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ActionsJson } from '@solana/actions-spec';
import { transactionKinds } from '../../src/domain/transaction/transaction-kinds.ts';
import {
  agentCard,
  mayCrawl,
  olderAgentCard,
  parseLlmsIndex,
  serverJson,
} from '../support/discovery-schemas.ts';
import { operationsOf } from '../support/http-fuzz.ts';
import { patience } from '../support/patience.ts';
import { sharedService } from '../support/service-fixture.ts';

const shared = sharedService({ before, after });
const DOCUMENTS: Readonly<Record<string, RegExp>> = {
  '/docs': /^text\/html/,
  '/openapi.json': /^application\/json/,
  '/llms.txt': /^text\/plain; charset=utf-8$/,
  '/llms-full.txt': /^text\/plain; charset=utf-8$/,
  '/.well-known/agent-card.json': /^application\/json/,
  '/.well-known/agent.json': /^application\/json/,
  '/server.json': /^application\/json/,
  '/.well-known/mcp/server.json': /^application\/json/,
  '/.well-known/mcp/catalog.json': /^application\/json/,
  '/mcp/server-card': /^application\/mcp-server-card\+json$/,
  '/actions.json': /^application\/json/,
  '/robots.txt': /^text\/plain/,
  '/sitemap.xml': /^application\/xml/,
  '/icon.svg': /^image\/svg\+xml$/,
};

const get = (path: string, init: RequestInit = {}) =>
  fetch(new URL(path, shared().service.url), { ...init, signal: patience() });
const textOf = async (path: string) => (await get(path)).text();
const jsonOf = async (path: string) => (await get(path)).json();
const openApi = async () => (await jsonOf('/openapi.json')) as Parameters<typeof operationsOf>[0];

/** Status of what a link leads to; MCP's endpoints are asked in their own way. */
const follow = async (link: string): Promise<number> => {
  const url = new URL(link);
  if (url.pathname === '/mcp') {
    const answer = await get(link, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    await answer.body?.cancel();
    return answer.status;
  }
  const answer = await get(link);
  if (url.hash !== '') assert.match(await answer.text(), new RegExp(`id="${url.hash.slice(1)}"`), link);
  else await answer.body?.cancel();
  return answer.status;
};

const followAll = async (links: readonly string[]): Promise<void> => {
  assert.ok(links.length > 0);
  for (const link of new Set(links)) {
    assert.ok(link.startsWith(`${shared().service.url}/`), link);
    assert.equal(await follow(link), 200, link);
  }
};

describe('every document', () => {
  for (const [path, type] of Object.entries(DOCUMENTS))
    test(`${path} is served to pages of any origin, as what it is, and never kept without asking`, async () => {
      const answer = await get(path, { headers: { origin: 'https://any.example' } });
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('content-type') ?? '', type);
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      assert.equal(answer.headers.get('cache-control'), 'no-cache');
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
      const body = await answer.text();
      assert.ok(!body.includes('undefined') && !body.includes('[object'), 'nothing was left unfilled');
      if (type.source.includes('json')) assert.ok(!('_meta' in JSON.parse(body)));
    });

  test('is listed where language models look first', async () => {
    const { sections } = parseLlmsIndex(await textOf('/llms.txt'));
    const listed = sections.flatMap(({ links }) => links.map(({ url }) => new URL(url).pathname));
    for (const path of Object.keys(DOCUMENTS))
      if (path !== '/llms.txt' && path !== '/icon.svg') assert.ok(listed.includes(path), path);
  });
});

describe('llms.txt', () => {
  test('has the form of llmstxt.org, and every link in it leads to something', async () => {
    const { title, summary, sections } = parseLlmsIndex(await textOf('/llms.txt'));
    assert.equal(title, 'Holdfast');
    assert.match(summary, /^Native SOL staking/);
    assert.equal(sections.at(-1)?.title, 'Optional');
    await followAll(
      sections.flatMap(({ links }) => links.map(({ url }) => url)).filter((url) => !url.endsWith('/mcp/sse')),
    );
  });

  test('links every operation of the OpenAPI document', async () => {
    const { sections } = parseLlmsIndex(await textOf('/llms.txt'));
    const linked = sections.flatMap(({ links }) => links.map(({ url }) => new URL(url).hash));
    for (const { operationId } of operationsOf(await openApi()))
      assert.ok(linked.includes(`#${operationId}`), operationId);
  });
});

describe('llms-full.txt', () => {
  test('holds every operation with every member that it takes and every status with which it can answer', async () => {
    const full = await textOf('/llms-full.txt');
    const sections = full.split(/^### /m);
    const operations = operationsOf(await openApi());
    assert.ok(operations.length > 20);
    for (const { operationId, method, parameters, body, responses } of operations) {
      const section = sections.find((text) => text.includes(`\` (operation \`${operationId}\``));
      assert.ok(section, operationId);
      const [, path] = new RegExp(`^\`${method} (/\\S*)\``, 'm').exec(section) ?? [];
      assert.ok(path, operationId);
      for (const name of [
        // A document may name a parameter of the path otherwise, where two routes differ by that alone.
        ...[...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter),
        ...parameters.filter((parameter) => parameter.in !== 'path').map((parameter) => parameter.name),
        ...Object.keys((body?.properties ?? {}) as object),
      ])
        assert.ok(section.includes(`- \`${name}\` (`), `${operationId}.${name}`);
      for (const status of Object.keys(responses ?? {}))
        assert.ok(section.includes(status), `${operationId} ${status}`);
    }
  });

  test('holds every error code, every action with its members, and every tool that the MCP server lists', async () => {
    const full = await textOf('/llms-full.txt');
    const document = JSON.parse(await textOf('/openapi.json'));
    const codes: string[] = document.components.schemas.ErrorBody.properties.errorCode.enum;
    for (const code of codes) assert.match(full, new RegExp(`^- \`${code}\` \\(\\d{3}\\): `, 'm'));
    for (const name of transactionKinds) assert.ok(full.includes(`POST /api/actions/${name}\``), name);
    const answer = await get('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    // One message, as JSON or as an event.
    const { result } = JSON.parse((await answer.text()).replace(/^[\s\S]*?(?=\{)/, '')) as {
      result: { tools: { name: string }[] };
    };
    const names = result.tools.map(({ name }) => name);
    assert.ok(names.length >= 20, `${names.length} tools`);
    for (const name of names) assert.ok(full.includes(`- \`${name}\` (operation`), name);
  });

  test('names this cluster and this validator, and no other', async () => {
    const full = await textOf('/llms-full.txt');
    assert.ok(full.includes(`\`${shared().sandbox.voteAccount}\``));
    assert.ok(full.includes('- Cluster: custom'));
  });
});

describe('agent cards', () => {
  test('fit A2A 1.0 and 0.3, claim no A2A interface, and say where the skills are really reached', async () => {
    const card = agentCard.parse(await jsonOf('/.well-known/agent-card.json'));
    const older = olderAgentCard.parse(await jsonOf('/.well-known/agent.json'));
    assert.deepEqual(card.supportedInterfaces, []);
    assert.match(card.description, /speaks no A2A protocol/);
    for (const { transport } of older.additionalInterfaces ?? [])
      assert.ok(!['JSONRPC', 'GRPC', 'HTTP+JSON'].includes(transport), transport);
    assert.ok(older.additionalInterfaces?.some(({ url }) => url === older.url));
    assert.deepEqual(card.skills, older.skills);
    const [reached] = card.capabilities.extensions ?? [];
    assert.equal(reached?.required, false);
    const links = JSON.stringify(card).match(/https?:\/\/[^"\s]+/g) ?? [];
    await followAll([...links, older.url].filter((url) => !url.endsWith('/mcp/sse')));
  });

  test('have one skill for each operation, under its name', async () => {
    const card = agentCard.parse(await jsonOf('/.well-known/agent-card.json'));
    assert.deepEqual(
      card.skills.map(({ id }) => id).toSorted(),
      operationsOf(await openApi())
        .map(({ operationId }) => operationId)
        .toSorted(),
    );
  });
});

describe('server.json', () => {
  test("fits the registry's schema at both places, and names endpoints that answer", async () => {
    const server = serverJson.parse(await jsonOf('/server.json'));
    assert.deepEqual(await jsonOf('/.well-known/mcp/server.json'), server);
    assert.deepEqual(
      server.remotes.map(({ type }) => type),
      ['streamable-http', 'sse'],
    );
    await followAll([server.remotes[0]!.url, server.websiteUrl as string]);
    const { entries } = (await jsonOf('/.well-known/mcp/catalog.json')) as {
      entries: { type: string; url: string }[];
    };
    assert.equal(entries.length, 1);
    const card = await get(entries[0]!.url);
    assert.equal(card.headers.get('content-type'), entries[0]!.type);
    const { $schema, ...facts } = (await card.json()) as Record<string, unknown>;
    assert.match(String($schema), /\/v1\/server-card\.schema\.json$/);
    assert.deepEqual({ ...facts, $schema: server.$schema }, server);
    const stream = new AbortController();
    const sse = await fetch(server.remotes[1]!.url, {
      headers: { accept: 'text/event-stream' },
      signal: stream.signal,
    });
    assert.equal(sse.status, 200);
    assert.match(sse.headers.get('content-type') ?? '', /^text\/event-stream/);
    stream.abort();
  });
});

describe('crawlers', () => {
  test('may read the pages and documents, and nothing that acts, costs a call, or is about one wallet', async () => {
    const robots = await textOf('/robots.txt');
    for (const path of ['/', ...Object.keys(DOCUMENTS)]) assert.ok(mayCrawl(robots, path), path);
    assert.ok(mayCrawl(robots, '/api/v1/validator/apy'));
    for (const { method, path } of operationsOf(await openApi()))
      if (method !== 'GET' || path.includes('{')) assert.ok(!mayCrawl(robots, path), `${method} ${path}`);
    for (const path of ['/mcp', '/mcp/sse', '/api/actions/stake', '/health'])
      assert.ok(!mayCrawl(robots, path), path);
  });

  test('find the site map from robots.txt, and everything in it is there and may be read', async () => {
    const robots = await textOf('/robots.txt');
    const place = /^Sitemap: (\S+)$/m.exec(robots)?.[1] as string;
    const map = await (await get(place)).text();
    assert.match(
      map,
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">/,
    );
    const places = [...map.matchAll(/<url><loc>([^<]+)<\/loc><\/url>/g)].map(([, url]) => url as string);
    assert.ok(places.length >= 4);
    await followAll(places);
    for (const url of places) assert.ok(mayCrawl(robots, new URL(url).pathname), url);
  });
});

test('actions.json has rules alone', async () => {
  const { rules, ...rest } = (await jsonOf('/actions.json')) as ActionsJson;
  assert.deepEqual(rest, {});
  for (const rule of rules) assert.deepEqual(Object.keys(rule), ['pathPattern', 'apiPath']);
});

// Checks the service's discovery documents: each matches its specification, every link in them works, and
// nothing is left out.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ActionsJson } from '@solana/actions-spec';
import { actions } from '../../src/http/routes/transaction-builders.ts';
import { agentCard, parseLlmsIndex, serverJson } from '../support/discovery-schemas.ts';
import { operationsOf } from '../support/http-fuzz.ts';
import { patience } from '../support/patience.ts';
import { sharedService } from '../support/service-fixture.ts';

const shared = sharedService({ before, after });
const DOCUMENTS: Readonly<Record<string, RegExp>> = {
  '/docs': /^text\/html/,
  '/docs/reference': /^text\/html/,
  '/docs/events.json': /^application\/json/,
  '/openapi.json': /^application\/json/,
  '/llms.txt': /^text\/plain; charset=utf-8$/,
  '/llms-full.txt': /^text\/plain; charset=utf-8$/,
  '/.well-known/agent.json': /^application\/json/,
  '/server.json': /^application\/json/,
  '/actions.json': /^application\/json/,
  '/icon.svg': /^image\/svg\+xml$/,
};

const get = (path: string, init: RequestInit = {}) =>
  fetch(new URL(path, shared().service.url), { ...init, signal: patience() });
const textOf = async (path: string) => (await get(path)).text();
const jsonOf = async (path: string) => (await get(path)).json();
const openApi = async () => (await jsonOf('/openapi.json')) as Parameters<typeof operationsOf>[0];

/** Requests a link's target and returns the status. MCP endpoints need their own requests. */
const follow = async (link: string): Promise<number> => {
  const url = new URL(link);
  if (url.pathname === '/mcp') {
    const response = await get(link, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    await response.body?.cancel();
    return response.status;
  }
  const response = await get(link);
  if (url.hash !== '') assert.match(await response.text(), new RegExp(`id="${url.hash.slice(1)}"`), link);
  else await response.body?.cancel();
  return response.status;
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
    test(`${path} is served to pages of any origin with its own type, and is always revalidated`, async () => {
      const response = await get(path, { headers: { origin: 'https://any.example' } });
      assert.equal(response.status, 200);
      assert.match(response.headers.get('content-type') ?? '', type);
      assert.equal(response.headers.get('access-control-allow-origin'), '*');
      assert.equal(response.headers.get('cache-control'), 'no-cache');
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      const body = (await response.text()).replace(/<script>[\s\S]*<\/script>/, '');
      assert.ok(!body.includes('undefined') && !body.includes('[object'), 'no value is missing');
      if (type.source.includes('json')) assert.ok(!('_meta' in JSON.parse(body)));
    });

  test('is listed at the addresses that language models request first', async () => {
    const { sections } = parseLlmsIndex(await textOf('/llms.txt'));
    const listed = sections.flatMap(({ links }) => links.map(({ url }) => new URL(url).pathname));
    for (const path of Object.keys(DOCUMENTS))
      if (path !== '/llms.txt' && path !== '/icon.svg') assert.ok(listed.includes(path), path);
  });
});

describe('llms.txt', () => {
  test('follows the llmstxt.org format, and every link in it works', async () => {
    const { title, summary, sections } = parseLlmsIndex(await textOf('/llms.txt'));
    assert.equal(title, 'Holdfast');
    assert.match(summary, /^Native SOL staking/);
    assert.equal(sections.at(-1)?.title, 'Optional');
    await followAll(
      sections.flatMap(({ links }) => links.map(({ url }) => url)).filter((url) => !url.endsWith('/mcp/sse')),
    );
  });

  test('links the guides as Markdown, whose links to other guides work, and which have every error code and event', async () => {
    const { sections } = parseLlmsIndex(await textOf('/llms.txt'));
    const guides = sections.find(({ title }) => title === 'Guides')!.links.map(({ url }) => url);
    assert.ok(guides.length > 15);
    const texts = new Map<string, string>();
    for (const url of guides) {
      const response = await fetch(url);
      assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8', url);
      texts.set(url, await response.text());
    }
    for (const [url, text] of texts) {
      assert.match(text, /^# /, url);
      assert.doesNotMatch(text, /^<!-- insert/m, url);
      for (const [, target] of text.matchAll(/\]\(([^)#]+\.md)(?:#[^)]*)?\)/g))
        assert.ok(texts.has(target!), target!);
    }
    const guide = (name: string) => texts.get(guides.find((url) => url.endsWith(`/${name}.md`))!)!;
    assert.match(guide('errors'), /^### IDEMPOTENCY_KEY_REUSED\n\n.*\n\nStatus 422/m);
    assert.match(guide('webhooks'), /^### withdraw_ready$/m);
    assert.match(guide('versions'), /^## 1\.0\.0/m);
    assert.ok(guide('quick-start').includes(new URL(guides[0]!).origin));
    const page = await textOf('/docs/guides/webhooks');
    assert.ok(page.includes('<link rel="alternate" type="text/markdown" href="/docs/guides/webhooks.md">'));
  });

  test('links every operation of the OpenAPI document', async () => {
    const { sections } = parseLlmsIndex(await textOf('/llms.txt'));
    const linked = sections.flatMap(({ links }) => links.map(({ url }) => new URL(url).hash));
    for (const { operationId } of operationsOf(await openApi()))
      assert.ok(linked.includes(`#${operationId}`), operationId);
  });
});

describe('llms-full.txt', () => {
  test('lists every operation with every field of its input and every status of its responses', async () => {
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
        // Two routes may name the same path parameter differently, and a document may use either name.
        ...[...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter),
        ...parameters.filter((parameter) => parameter.in !== 'path').map((parameter) => parameter.name),
        ...Object.keys((body?.properties ?? {}) as object),
      ])
        assert.ok(section.includes(`- \`${name}\` (`), `${operationId}.${name}`);
      for (const status of Object.keys(responses ?? {}))
        assert.ok(section.includes(status), `${operationId} ${status}`);
    }
  });

  test('lists every error code, every action with its fields, and every tool of the MCP server', async () => {
    const full = await textOf('/llms-full.txt');
    const document = JSON.parse(await textOf('/openapi.json'));
    const codes: string[] = document.components.schemas.ErrorBody.properties.errorCode.enum;
    for (const code of codes) assert.match(full, new RegExp(`^- \`${code}\` \\(\\d{3}\\): `, 'm'));
    for (const { name } of actions) assert.ok(full.includes(`POST /api/actions/${name}\``), name);
    const response = await get('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    // The response is one message, as JSON or as a server-sent event.
    const { result } = JSON.parse((await response.text()).replace(/^[\s\S]*?(?=\{)/, '')) as {
      result: { tools: { name: string }[] };
    };
    const names = result.tools.map(({ name }) => name);
    assert.ok(names.length >= 20, `${names.length} tools`);
    for (const name of names) assert.ok(full.includes(`- \`${name}\` (operation`), name);
  });

  test('names only this cluster and this validator', async () => {
    const full = await textOf('/llms-full.txt');
    assert.ok(full.includes(`\`${shared().sandbox.voteAccount}\``));
    assert.ok(full.includes('- Cluster: custom'));
  });
});

describe('the agent card', () => {
  test('matches A2A 0.3, claims no A2A interface, and names the skills’ real interfaces', async () => {
    const card = agentCard.parse(await jsonOf('/.well-known/agent.json'));
    assert.match(card.description, /does not support the A2A protocol/);
    for (const { transport } of card.additionalInterfaces ?? [])
      assert.ok(!['JSONRPC', 'GRPC', 'HTTP+JSON'].includes(transport), transport);
    assert.ok(card.additionalInterfaces?.some(({ url }) => url === card.url));
    const [reached] = card.capabilities.extensions ?? [];
    assert.equal(reached?.required, false);
    const links = JSON.stringify(card).match(/https?:\/\/[^"\s]+/g) ?? [];
    await followAll(links.filter((url) => !url.endsWith('/mcp/sse')));
  });

  test('has one skill per operation, with the operation’s name', async () => {
    const card = agentCard.parse(await jsonOf('/.well-known/agent.json'));
    assert.deepEqual(
      card.skills.map(({ id }) => id).toSorted(),
      operationsOf(await openApi())
        .map(({ operationId }) => operationId)
        .toSorted(),
    );
  });
});

test('server.json matches the registry’s schema, and names endpoints that respond', async () => {
  const server = serverJson.parse(await jsonOf('/server.json'));
  assert.deepEqual(
    server.remotes.map(({ type }) => type),
    ['streamable-http', 'sse'],
  );
  await followAll([server.remotes[0]!.url, server.websiteUrl as string]);
  const stream = new AbortController();
  const sse = await fetch(server.remotes[1]!.url, {
    headers: { accept: 'text/event-stream' },
    signal: stream.signal,
  });
  assert.equal(sse.status, 200);
  assert.match(sse.headers.get('content-type') ?? '', /^text\/event-stream/);
  stream.abort();
});

test('documents for protocols that the service does not support do not exist', async () => {
  for (const path of [
    ...['/.well-known/agent-card.json', '/.well-known/mcp/server.json', '/.well-known/mcp/catalog.json'],
    ...['/mcp/server-card', '/robots.txt', '/sitemap.xml'],
  ]) {
    const response = await get(path);
    assert.equal(response.status, 404, path);
    await response.body?.cancel();
  }
});

test('actions.json contains only rules', async () => {
  const { rules, ...rest } = (await jsonOf('/actions.json')) as ActionsJson;
  assert.deepEqual(rest, {});
  for (const rule of rules) assert.deepEqual(Object.keys(rule), ['pathPattern', 'apiPath']);
});

describe('a browser', () => {
  const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const open = async (path: string, accept = ACCEPT) => {
    const response = await get(path, { headers: { accept } });
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      vary: response.headers.get('vary') ?? '',
      text: await response.text(),
    };
  };

  test('gets an error page with a link to the front page for an unknown path, where a program gets the error body', async () => {
    for (const path of ['/no-such-page', '/docs/guides/no-such', '/<script>']) {
      const { status, type, text, vary } = await open(path);
      assert.deepEqual([status, type, vary], [404, 'text/html; charset=utf-8', 'accept'], path);
      assert.match(text, /<h1>Page not found<\/h1>[\s\S]*href="\/"[\s\S]*href="\/docs"/);
      assert.match(text, /<header class="site">[\s\S]*<form class="search"[\s\S]*<a href="\/ready">Status/);
      assert.ok(
        !text.includes('no-such') && text.split('<script>').length === 2,
        'the page does not repeat the address',
      );
      const program = await open(path, '*/*');
      assert.match(program.type, /json/);
      assert.equal(JSON.parse(program.text).errorCode, 'NOT_FOUND');
    }
  });

  test('is redirected to the page without the trailing slash, and never to another host', async () => {
    for (const [path, location] of [
      ['/docs/', '/docs'],
      ['/docs/guides/cli//?a=1', '/docs/guides/cli?a=1'],
      ['/ready/', '/ready'],
    ] as const)
      for (const accept of [ACCEPT, '*/*']) {
        const response = await get(path, { headers: { accept }, redirect: 'manual' });
        assert.deepEqual([response.status, response.headers.get('location')], [308, location], path);
      }
    for (const path of ['.//docs/', '/api/v1/epoch/', '/mcp/', '/no-such/', '/docs/guides/no-such/'])
      assert.equal((await get(path, { redirect: 'manual' })).status, 404, path);
  });

  test('is redirected from an address that people try to the page that they mean', async () => {
    for (const [path, location] of [
      ['/status', '/ready'],
      ['/docs/guides', '/docs'],
      ['/docs/mcp', '/docs/guides/mcp'],
      ['/docs/quick-start.md', '/docs/guides/quick-start.md'],
    ] as const) {
      const response = await get(path, { redirect: 'manual' });
      assert.deepEqual([response.status, response.headers.get('location')], [308, location], path);
      assert.equal((await get(location)).status, 200, location);
    }
  });

  test('gets a status page with the state of every component, where a program gets JSON', async () => {
    const { status, type, text } = await open('/ready');
    assert.deepEqual([status, type], [200, 'text/html; charset=utf-8']);
    assert.match(text, /<td>Connection to Solana<div.*?<span class="dot ok"><\/span>Works<\/td>/);
    const { dependencies } = (await jsonOf('/ready')) as { dependencies: object };
    // One for the validator. The network's load is absent until it has been measured.
    const rows = Object.keys(dependencies).length + 1 + (text.includes('<td>Solana network<') ? 1 : 0);
    assert.equal(text.match(/<tr><td>/g)?.length, rows);
    for (const name of Object.keys(dependencies)) assert.ok(!text.includes(`<td>${name}<`), name);
  });

  test('gets HTML or JSON by the quality values and then the order in Accept, and caches store the two separately', async () => {
    for (const [accept, isPage] of [
      ['text/html', true],
      ['TEXT/HTML; Q=0.5, */*', true],
      ['text/html, application/json', true],
      ['application/json;q=0.9, text/html', true],
      ['application/json, text/html', false],
      ['text/html;q=0.9, application/json', false],
      ['text/html;q=0, */*', false],
      ['application/json', false],
      ['*/*', false],
    ] as const)
      for (const [path, expected] of [
        ['/ready', 200],
        ['/no-such-page', 404],
      ] as const) {
        const { status, type, vary } = await open(path, accept);
        assert.equal(status, expected);
        assert.match(type, isPage ? /html/ : /json/, `${path} ${accept}`);
        assert.match(vary, /\baccept\b/, `${path} ${accept}`);
      }
  });

  test('still gets JSON from the API', async () => {
    for (const path of ['/health', '/api/v1/epoch', '/api/v1/wallet/balance/nobody', '/openapi.json'])
      assert.match((await open(path)).type, /json/, path);
  });
});

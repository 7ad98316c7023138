import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startTestServer, WALLET } from '../../../test/support/http-operations.ts';
import { exchangeRaw } from '../../../test/support/http-raw.ts';
import {
  OTHER_PROTOCOL,
  type RateDecision,
  type ReportedResponse,
  type Target,
} from '../../adapter/exchange.ts';
import { rateLimitHeaders } from '../guards/rate-limit.ts';

const PASS = rateLimitHeaders({ allowed: true, remaining: 4, resetMs: 1 }, 5);
const REFUSE = rateLimitHeaders({ allowed: false, remaining: 0, resetMs: 900 }, 5);
const ORIGIN = { origin: 'https://any.example' };

/**
 * Starts a server whose requests another process counts. `ask` resolves with the pending request once the limit
 * was queried for it.
 */
const withRemoteLimit = async (t: TestContext, mounts: readonly Target[] = []) => {
  const asked: PromiseWithResolvers<RateDecision>[] = [];
  const answered: ReportedResponse[] = [];
  let wake = (): void => {};
  const server = await startTestServer({
    mounts,
    onResponse: (response) => answered.push(response),
    rateLimit: () => {
      const decision = Promise.withResolvers<RateDecision>();
      asked.push(decision);
      wake();
      return decision.promise;
    },
  });
  t.after(() => server.close());
  const ask = async (path: string, init: RequestInit = {}) => {
    const counted = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const response = fetch(server.url + path, init);
    await counted;
    return { response, decision: asked.at(-1)! };
  };
  return { server, ask, answered };
};

const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { errorCode: string }).errorCode;

test('a page from any origin can read the error for a path that does not exist or cannot be decoded', async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  for (const [method, path, status] of [
    ['GET', '/nothing', 404],
    ['GET', '/build/', 404],
    ['OPTIONS', '/nothing', 404],
    ['GET', '/read/%zz', 400],
    ['DELETE', '/build', 405],
  ] as const) {
    const response = await fetch(server.url + path, { method, headers: ORIGIN });
    const shown = [response.status, response.headers.get('access-control-allow-origin')];
    assert.deepEqual(shown, [status, '*'], `${method} ${path}`);
    assert.match(response.headers.get('access-control-expose-headers') ?? '', /X-Request-Id/);
    assert.ok(response.headers.get('ratelimit'), 'the request counts toward the limit');
  }
});

test('on a real cluster, the sandbox paths report that there is no sandbox', async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const response = await exchangeRaw(
    server.port,
    'POST /sandbox/airdrop HTTP/1.1\r\nHost: localhost\r\n\r\n',
  );
  assert.equal(response.status, 404);
  assert.match(String(response.body), /no sandbox and no faucet/);
});

test('in a sandbox, an unknown sandbox path gets the same error as any other unknown path', async (t) => {
  const faucet: Target = {
    path: '/sandbox/airdrop',
    methods: ['POST'],
    limited: true,
    browsers: 'listed',
    description: OTHER_PROTOCOL,
    serve: (exchange) => exchange.send(200, 'text/plain', '', []),
  };
  const server = await startTestServer({ mounts: [faucet] });
  t.after(() => server.close());
  const refused = await fetch(`${server.url}/sandbox/advance`, { method: 'POST' });
  assert.equal(refused.status, 404);
  assert.match(await refused.text(), /This path does not exist/);
});

test('a request line with the whole URL, as sent to proxies, gets the same response as one with only the path', async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  for (const [method, target, status] of [
    ['GET', `/read/${WALLET}`, 200],
    ['DELETE', '/build', 405],
    ['DELETE', '/build?x=http://y/z', 405],
    ['DELETE', '/buildhttp://localhost', 404],
    ['OPTIONS', '/build', 204],
    ['GET', '/nothing', 404],
  ] as const)
    for (const origin of ['', 'http://localhost', 'HTTPS://localhost:443']) {
      const line = `${method} ${origin}${target}`;
      const response = await exchangeRaw(server.port, `${line} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      assert.equal(response.status, status, line);
    }
});

test('requests without a matching route, including wrong methods, are reported without an endpoint', async (t) => {
  const answered: (string | number | null)[][] = [];
  const server = await startTestServer({
    onResponse: ({ endpoint, status }) => answered.push([endpoint, status]),
  });
  t.after(() => server.close());
  for (const path of ['/nothing', '/read/%zz', `/read/${WALLET}`]) await fetch(server.url + path);
  await fetch(`${server.url}/build`, { method: 'DELETE' });
  assert.deepEqual(answered, [
    [null, 404],
    [null, 400],
    ['GET /read/{walletAddress}', 200],
    [null, 405],
  ]);
});

test('an asynchronous limit works like a synchronous one', async (t) => {
  const { ask, answered } = await withRemoteLimit(t);
  const passed = await ask(`/read/${WALLET}`);
  passed.decision.resolve(PASS);
  assert.equal((await passed.response).headers.get('ratelimit'), '"default";r=4;t=1');
  const refused = await ask(`/read/${WALLET}`);
  refused.decision.resolve(REFUSE);
  const response = await refused.response;
  assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '1']);
  assert.deepEqual(
    answered.map(({ status }) => status),
    [200, 429],
  );
});

test('a preflight does not count against the limit', async (t) => {
  const { server } = await withRemoteLimit(t);
  const headers = { ...ORIGIN, 'access-control-request-method': 'POST' };
  // The limit never responds, so a request counted by it would hang.
  const response = await fetch(`${server.url}/build`, { method: 'OPTIONS', headers });
  assert.deepEqual([response.status, response.headers.get('ratelimit')], [204, null]);
});

test('a failing limit is an internal error, and the connection stays usable', async (t) => {
  const { ask } = await withRemoteLimit(t);
  const broken = await ask(`/read/${WALLET}`, { headers: ORIGIN });
  broken.decision.reject(new Error('inner detail'));
  const response = await broken.response;
  assert.equal(response.status, 500);
  assert.doesNotMatch(await response.text(), /inner detail/);
  const next = await ask('/nothing');
  next.decision.resolve(PASS);
  assert.equal((await next.response).status, 404);
});

test('a shutdown that began while the limit was pending refuses chain operations and allows reads', async (t) => {
  const { server, ask } = await withRemoteLimit(t);
  const act = await ask('/act', { method: 'POST' });
  const read = await ask(`/read/${WALLET}`);
  const closed = server.close();
  act.decision.resolve(PASS);
  read.decision.resolve(PASS);
  const [acted, answered] = [await act.response, await read.response];
  assert.deepEqual([acted.status, await codeOf(acted)], [503, 'SHUTTING_DOWN']);
  assert.deepEqual([answered.status, answered.headers.get('connection')], [200, 'close']);
  await closed;
});

test('shutdown does not wait for a pending limit, whose late result changes nothing', async (t) => {
  let served = 0;
  const serve = () => {
    served += 1;
  };
  const mount: Target = { path: '/own', methods: ['GET'], limited: true, browsers: 'public', serve };
  const { server, ask, answered } = await withRemoteLimit(t, [mount]);
  const { response, decision } = await ask('/own');
  const closed = server.close({ graceMs: 0, actGraceMs: 0 });
  assert.equal(await codeOf(await response), 'SHUTTING_DOWN');
  decision.resolve(PASS);
  await closed;
  await new Promise(setImmediate);
  assert.deepEqual(
    answered.map(({ status }) => status),
    [503],
  );
  assert.equal(served, 0);
});

test('a fixed path does not inherit the methods of a path with a parameter in the same position', async (t) => {
  const answering =
    (text: string): Target['serve'] =>
    (exchange) =>
      exchange.send(200, 'text/plain', text, []);
  const target = { limited: true, browsers: 'public' } as const;
  const server = await startTestServer({
    mounts: [
      { ...target, path: '/things/{name}', methods: ['GET'], serve: answering('one') },
      { ...target, path: '/things/{id}', methods: ['DELETE'], serve: answering('removed') },
      { ...target, path: '/things/send', methods: ['POST'], serve: answering('sent') },
    ],
  });
  t.after(() => server.close());
  for (const [method, path, status, allow] of [
    ['GET', '/things/1', 200, null],
    ['DELETE', '/things/1', 200, null],
    ['POST', '/things/1', 405, 'GET, DELETE, HEAD, OPTIONS'],
    ['POST', '/things/send', 200, null],
    ['GET', '/things/send', 405, 'POST, OPTIONS'],
    ['OPTIONS', '/things/send', 204, 'POST, OPTIONS'],
  ] as const) {
    const response = await fetch(server.url + path, { method });
    assert.deepEqual([response.status, response.headers.get('allow')], [status, allow], `${method} ${path}`);
  }
});

// Tests that other protocols are guarded, counted, preflighted and stopped like routes, and respond in their
// own format.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { startTestServer } from '../../../test/support/http-operations.ts';
import { OTHER_PROTOCOL, type Target } from '../../adapter/exchange.ts';
import { AppError } from '../../kernel/app-error.ts';

const mount = (more: Partial<Target> = {}): Target => ({
  path: '/other/{name}',
  methods: ['GET', 'POST'],
  limited: true,
  browsers: 'listed',
  description: OTHER_PROTOCOL,
  serve: (exchange) => exchange.send(200, 'text/plain', `${exchange.client} ${exchange.path.name}`, []),
  ...more,
});

const serverOf = async (t: TestContext, one: Target, config = {}) => {
  const server = await startTestServer({ mounts: [one], config });
  t.after(() => server.close());
  return server;
};

it('a mount responds in its own format with the common headers', async (t) => {
  const server = await serverOf(t, mount());
  const response = await fetch(`${server.url}/other/a%20b`);
  assert.equal(await response.text(), '127.0.0.1 a b');
  assert.match(response.headers.get('ratelimit') ?? '', /^"default";r=\d+/);
  assert.ok(response.headers.get('x-request-id'));
});

it('a mount that takes over the response keeps the common headers', async (t) => {
  const server = await serverOf(
    t,
    mount({ serve: (exchange) => void exchange.takeOver().writeHead(202).end('own') }),
  );
  const response = await fetch(`${server.url}/other/x`);
  assert.equal(response.status, 202);
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(await response.text(), 'own');
});

it('pages from other origins may use a mount with restricted origins only if the operator listed them', async (t) => {
  const server = await serverOf(t, mount(), { allowedOrigins: ['https://friend.example'] });
  const from = (origin: string) => fetch(`${server.url}/other/x`, { headers: { origin } });
  const friend = await from('https://friend.example');
  assert.equal(friend.status, 200);
  assert.equal(friend.headers.get('access-control-allow-origin'), 'https://friend.example');
  const outsider = await from('https://outsider.example');
  assert.equal(outsider.status, 403);
  assert.equal(((await outsider.json()) as Record<string, unknown>).errorCode, 'ORIGIN_NOT_ALLOWED');
});

it('a mount counts towards the same limit, and a batch can count as several requests', async (t) => {
  const server = await serverOf(
    t,
    mount({
      serve: async (exchange) => {
        const refusal = await exchange.count(2);
        if (refusal) exchange.fail(refusal);
        else exchange.send(200, 'text/plain', 'three', []);
      },
    }),
    { rateLimit: 5 },
  );
  const ask = async () => (await fetch(`${server.url}/other/x`)).status;
  assert.deepEqual([await ask(), await ask(), await ask()], [200, 429, 429]);
});

it('an error thrown by a mount has the common error shape, and other methods get 405', async (t) => {
  const server = await serverOf(
    t,
    mount({ serve: () => Promise.reject(new AppError('NOT_FOUND', 'No such thing.')) }),
  );
  const thrown = await fetch(`${server.url}/other/x`);
  assert.equal(thrown.status, 404);
  assert.equal(((await thrown.json()) as Record<string, unknown>).message, 'No such thing.');
  const wrong = await fetch(`${server.url}/other/x`, { method: 'DELETE' });
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.get('allow'), 'GET, POST, HEAD, OPTIONS');
});

it('a protocol may set its own CORS headers, including those of the preflight', async (t) => {
  const server = await serverOf(
    t,
    mount({
      browsers: 'public',
      corsHeaders: ['access-control-allow-origin', '*', 'access-control-expose-headers', 'X-Own'],
      preflightHeaders: ['access-control-allow-headers', 'X-Own'],
    }),
  );
  const preflight = await fetch(`${server.url}/other/x`, {
    method: 'OPTIONS',
    headers: { origin: 'https://any.example', 'access-control-request-method': 'POST' },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-headers'), 'X-Own');
  assert.equal(preflight.headers.get('access-control-expose-headers'), 'X-Own');
});

it('a protocol may format its own failures, including refusals by the guards', async (t) => {
  const server = await serverOf(
    t,
    mount({
      browsers: 'own-page',
      errorBody: ({ message }) => ({ message }),
      serve: () => Promise.reject(new AppError('NOT_FOUND', 'No such thing.')),
    }),
  );
  const thrown = await fetch(`${server.url}/other/x`);
  assert.deepEqual([thrown.status, await thrown.json()], [404, { message: 'No such thing.' }]);
  const foreign = await fetch(`${server.url}/other/x`, { headers: { origin: 'https://outsider.example' } });
  assert.equal(foreign.status, 403);
  assert.deepEqual(Object.keys((await foreign.json()) as object), ['message']);
  const wrong = await fetch(`${server.url}/other/x`, { method: 'DELETE' });
  assert.deepEqual([wrong.status, Object.keys((await wrong.json()) as object)], [405, ['message']]);
});

it('calls of a mount that is an endpoint are reported under its path template, and calls of other mounts without a name', async (t) => {
  const answered: (string | null)[] = [];
  for (const isEndpoint of [true, false]) {
    const server = await startTestServer({
      mounts: [mount({ isEndpoint })],
      onResponse: ({ endpoint }) => answered.push(endpoint),
    });
    t.after(() => server.close());
    await fetch(`${server.url}/other/x`, { method: 'HEAD' });
    await fetch(`${server.url}/other/x`, { method: 'POST' });
  }
  assert.deepEqual(answered, ['GET /other/{name}', 'POST /other/{name}', null, null]);
});

it('a path that ends in {*} matches the rest of the path, including slashes', async (t) => {
  const server = await serverOf(
    t,
    mount({
      path: '/files/{*}',
      serve: (exchange) => exchange.send(200, 'text/plain', exchange.path['*']!, []),
    }),
  );
  assert.equal(await (await fetch(`${server.url}/files/a/b.js`)).text(), 'a/b.js');
  assert.equal((await fetch(`${server.url}/files/a/b.js`, { method: 'DELETE' })).status, 405);
});

it('shutdown waits for a mount that is still running', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const server = await serverOf(
    t,
    mount({
      serve: async (exchange) => {
        started.resolve();
        await promise;
        exchange.send(200, 'text/plain', 'late', []);
      },
    }),
  );
  const response = fetch(`${server.url}/other/x`);
  await started.promise;
  const closed = server.close();
  resolve();
  assert.equal(await (await response).text(), 'late');
  await closed;
});

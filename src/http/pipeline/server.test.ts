// Tests the server over real HTTP: every malformed request gets the standard error shape, and no input is
// echoed.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { pino } from 'pino';
import { createTestRoutes, startTestServer, WALLET } from '../../../test/support/http-operations.ts';
import { exchangeRaw, openSocket, rawGet, readResponse } from '../../../test/support/http-raw.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import type { HttpServer } from './server.ts';

const JSON_HEADERS = { 'content-type': 'application/json' };

let server: HttpServer;
const lines: string[] = [];

const call = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(server.url + path, init);
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: a body of any shape, asserted below.
  const body: any = text === '' ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, body };
};

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  call(path, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body });

before(async () => {
  const logger = pino({ level: 'error' }, { write: (line) => void lines.push(line) }) as Logger;
  server = await startTestServer({ logger });
});
after(() => server.close());

describe('responses', () => {
  it('contain the fields of the operation and a complete _meta', async () => {
    const { status, body, headers } = await call(`/read/${WALLET}?limit=7&all=true`);
    assert.equal(status, 200);
    const { _meta, ...members } = body;
    assert.deepEqual(members, { walletAddress: WALLET, limit: 7, all: true });
    assert.match(_meta.timestamp, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.deepEqual(
      { ..._meta, timestamp: null },
      {
        timestamp: null,
        documentation: `${server.url}/docs/reference#readEcho`,
        endpoint: '/read/{walletAddress}',
        description: 'Echo a wallet.',
        relatedEndpoints: { build: '/build' },
        cluster: 'sandbox',
      },
    );
    for (const name of ['x-request-id', 'ratelimit', 'ratelimit-policy']) assert.ok(headers.get(name), name);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  });

  it('each have a different request id', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await call('/health')).headers.get('x-request-id')),
    );
    assert.equal(new Set(ids).size, 3);
  });

  it('to HEAD equal those to GET without the body', async () => {
    const answer = await fetch(`${server.url}/read/${WALLET}`, { method: 'HEAD' });
    assert.equal(answer.status, 200);
    assert.ok(Number(answer.headers.get('content-length')) > 100);
    assert.equal(await answer.text(), '');
  });

  it('contain amounts exactly as they were sent', async () => {
    const { text } = await post('/build', `{"walletAddress":"${WALLET}","amountSol":8999999.000000001}`);
    assert.match(text, /^\{"amountSol":8999999\.000000001,/);
  });
});

describe('bodies', () => {
  const refused = async (body: string, status = 400, headers: Record<string, string> = {}) => {
    const answer = await post('/build', body, headers);
    assert.equal(answer.status, status, answer.text);
    assert.ok(answer.body.error && answer.body.message && answer.body.errorCode && answer.body._meta);
    return answer.body;
  };

  it('are refused once, with every issue, if they contain several mistakes', async () => {
    const body = await refused(
      '{"walletAddress":"0","amountSol":0.0000000001,"events":["one","three","two"]}',
    );
    assert.equal(body.error, 'Validation error');
    assert.deepEqual(
      body.details.map(({ path }: { path: string }) => path),
      ['walletAddress', 'amountSol', 'events.1', 'events'].filter((path) => body.message.includes(path)),
    );
    assert.ok(body.details.length >= 3);
    assert.equal(
      body.message,
      body.details.map(({ path, message }: Record<string, string>) => `${path}: ${message}`).join('; '),
    );
  });

  it('count as an object without fields if they are empty', async () => {
    assert.equal((await call('/act', { method: 'POST' })).status, 200);
    assert.equal((await post('/act', '')).status, 200);
    const { body } = await call('/build', { method: 'POST' });
    assert.deepEqual(
      body.details.map(({ path, code }: Record<string, string>) => [path, code]),
      [
        ['walletAddress', 'required'],
        ['amountSol', 'required'],
      ],
    );
  });

  it('are refused if they are not a JSON object, not JSON, not UTF-8 or nested without end', async () => {
    for (const body of [
      '[]',
      '1',
      'null',
      '"Sol"',
      '{',
      `{"amountSol":${'['.repeat(30_000)}`,
      '['.repeat(60_000),
    ])
      await refused(body);
    const answer = await fetch(`${server.url}/build`, {
      method: 'POST',
      headers: JSON_HEADERS,
      body: Buffer.from([0x7b, 0xff, 0x7d]),
    });
    assert.equal(answer.status, 400);
  });

  it('are never repeated, whatever their errors', async () => {
    const marker = 'MARKED5Kd3NBUAdUnhyzenEwVLy9pBKxSwXvE9FMPyR4UKZvpe';
    const bodies = [
      `{"walletAddress":"${marker}"}`,
      `{"${marker}":1,"events":["${marker}"]}`,
      `{"amountSol":"${marker}"`,
      `{"amountSol":${marker}}`,
      `{"idempotencyKey":"${marker}\\u0001"}`,
    ];
    for (const body of bodies) assert.ok(!JSON.stringify(await refused(body)).includes('MARKED'), body);
    for (const path of [`/read/${marker}`, `/${marker}`, `/read/x?limit=${marker}`, `/build/${marker}%zz`])
      assert.ok(!(await call(path)).text.includes('MARKED'), path);
  });

  it('get 413 if they exceed 64 KiB, announced or not, and the connection stays open', async () => {
    assert.equal((await refused('x'.repeat(64 * 1024 + 1), 413)).errorCode, 'BODY_TOO_LARGE');
    const socket = await openSocket(server.port);
    socket.write(
      'POST /build HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    socket.write(`11000\r\n${'x'.repeat(0x11000)}\r\n0\r\n\r\n`);
    assert.equal((await readResponse(socket)).status, 413);
    socket.write(rawGet('/health'));
    assert.equal((await readResponse(socket)).status, 200);
    socket.destroy();
    assert.equal((await post('/act', `{}${' '.repeat(64 * 1024 - 2)}`)).status, 200);
  });

  it('get 415 if they have another media type or are compressed', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      'nonsense;;',
    ])
      assert.equal((await refused('{}', 415, { 'content-type': type })).errorCode, 'UNSUPPORTED_MEDIA_TYPE');
    await refused('{}', 415, { 'content-encoding': 'br' });
    await refused('{}', 400, { 'content-type': 'Application/JSON; charset="UTF-8"' });
  });

  it('cannot modify a prototype', async () => {
    const body = `{"__proto__":{"walletAddress":"x"},"constructor":{"prototype":{"a":1}},"walletAddress":"${WALLET}","amountSol":1}`;
    assert.equal((await post('/build', body)).status, 400);
    const { a, walletAddress } = {} as Record<string, unknown>;
    assert.deepEqual([a, walletAddress], [undefined, undefined]);
  });

  it('are requested with 100 Continue only once the headers are accepted', async () => {
    const head = (type: string) =>
      `POST /act HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`;
    const refusal = await exchangeRaw(server.port, head('text/plain'));
    assert.equal(refusal.status, 415);
    assert.match(refusal.head, /connection: close/i);
    const socket = await openSocket(server.port);
    socket.write(head('application/json'));
    assert.equal((await readResponse(socket)).status, 100);
    socket.write('{}');
    assert.equal((await readResponse(socket)).status, 200);
    socket.destroy();
  });
});

describe('the Idempotency-Key header', () => {
  it('takes precedence over the body', async () => {
    const body = `{"walletAddress":"${WALLET}","amountSol":1,"idempotencyKey":"body"}`;
    assert.equal((await post('/build', body)).body.idempotencyKey, 'body');
    assert.equal((await post('/build', body, { 'idempotency-key': 'header' })).body.idempotencyKey, 'header');
  });
});

describe('requests without a route', () => {
  it('get 404 at unknown paths, and 405 with Allow at known ones', async () => {
    const missing = await call('/nothing/here');
    assert.deepEqual(
      [missing.status, missing.body.errorCode, missing.body._meta.endpoint],
      [404, 'NOT_FOUND', 'unknown'],
    );
    for (const [method, path, allow] of [
      ['DELETE', '/build', 'POST, OPTIONS'],
      ['POST', `/read/${WALLET}`, 'GET, HEAD, OPTIONS'],
      ['POST', '/docs', 'GET, HEAD, OPTIONS'],
      ['PROPFIND', '/build', 'POST, OPTIONS'],
    ] as const) {
      const answer = await call(path, {
        method,
        ...(method === 'POST' ? { headers: { 'content-type': 'x' }, body: 'x' } : {}),
      });
      assert.deepEqual(
        [answer.status, answer.body.errorCode, answer.headers.get('allow')],
        [405, 'METHOD_NOT_ALLOWED', allow],
      );
    }
  });

  it('get 400 if the path cannot be decoded', async () => {
    for (const path of ['/read/%zz', '/read/%ff', '/read/x?limit=%ff', '/read/x?limit=1&limit=2'])
      assert.equal((await call(path)).body.errorCode, 'VALIDATION_ERROR', path);
  });

  it('get 400 or 431 in the standard error shape if they are not HTTP', async () => {
    const garbage = await exchangeRaw(server.port, 'HELLO\r\n\r\n');
    assert.deepEqual([garbage.status, JSON.parse(garbage.body).errorCode], [400, 'VALIDATION_ERROR']);
    const huge = await exchangeRaw(server.port, rawGet('/health', [`X-Big: ${'x'.repeat(17_000)}`]));
    assert.deepEqual([huge.status, JSON.parse(huge.body).errorCode], [431, 'HEADERS_TOO_LARGE']);
    const big = await exchangeRaw(server.port, rawGet('/health', [`X-Big: ${'x'.repeat(15_000)}`]));
    assert.equal(big.status, 200);
  });
});

describe('hosts and origins', () => {
  it('an unknown, missing or malformed Host is refused', async () => {
    for (const [host, status] of [
      ['Host: evil.example', 403],
      ['Host: evil.example:3000', 403],
      ['Host: localhost.evil.example', 403],
      ['Host: a b', 400],
      ['Host: localhost\r\nHost: evil.example', 400],
      ['host: localhost\r\nHOST: localhost', 400],
      ['X: y', 400],
      ['Host: LOCALHOST:1', 200],
      ['Host: [::1]:3000', 200],
    ] as const) {
      const { status: got } = await exchangeRaw(server.port, `GET /health HTTP/1.1\r\n${host}\r\n\r\n`);
      assert.equal(got, status, host);
    }
  });

  it('public routes are open to every origin, others only to our own page', async () => {
    const foreign = { origin: 'https://evil.example' };
    const open = await call(`/read/${WALLET}`, { headers: foreign });
    assert.deepEqual([open.status, open.headers.get('access-control-allow-origin')], [200, '*']);
    assert.equal(open.headers.get('access-control-allow-credentials'), null);
    const closed = await call('/act', { method: 'POST', headers: foreign });
    assert.deepEqual([closed.status, closed.body.errorCode], [403, 'ORIGIN_NOT_ALLOWED']);
    assert.equal(closed.headers.get('access-control-allow-origin'), null);
    const own = await call('/act', { method: 'POST', headers: { origin: server.url } });
    assert.deepEqual([own.status, own.headers.get('access-control-allow-origin')], [200, server.url]);
    assert.equal((await call('/act', { method: 'POST', headers: { origin: 'null' } })).status, 403);
  });

  it('a preflight response describes the requested route', async () => {
    const ask = (path: string, origin: string) =>
      fetch(server.url + path, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const open = await ask('/build', 'https://any.example');
    assert.equal(open.status, 204);
    assert.match(open.headers.get('access-control-allow-headers') ?? '', /Idempotency-Key/);
    assert.equal(open.headers.get('access-control-allow-origin'), '*');
    const closed = await ask('/act', 'https://any.example');
    assert.deepEqual([closed.status, closed.headers.get('access-control-allow-methods')], [403, null]);
    assert.equal((await ask('/act', server.url)).headers.get('access-control-allow-origin'), server.url);
    assert.equal((await fetch(`${server.url}/none`, { method: 'OPTIONS' })).status, 404);
  });
});

describe('failures', () => {
  it('of an operation have the title, the status and the fields that it defines', async () => {
    const { status, body } = await post('/act', '{"fail":"app"}');
    assert.deepEqual(
      [status, body.error, body.errorCode, body.signature],
      [502, 'Act failed', 'SUBMISSION_FAILED', 'sig'],
    );
    assert.match(body._meta.documentation, /#error-SUBMISSION_FAILED$/);
  });

  it('that are caused by bugs get 500 without internals and are logged with the request id', async () => {
    const { status, body, text, headers } = await post('/act', '{"fail":"bug"}');
    assert.deepEqual([status, body.errorCode], [500, 'INTERNAL']);
    assert.ok(!text.includes('inner detail'));
    const logged = lines.find((line) => line.includes(headers.get('x-request-id') ?? 'none'));
    assert.match(logged ?? '', /inner detail/);
  });
});

describe('stopping', () => {
  it('lets running requests finish, refuses new actions and probes, and ends every connection', async () => {
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const routes = createTestRoutes({ open: gate.promise, entered: entered.resolve });
    const stopping = await startTestServer({ routes });
    const [probing, reading] = await Promise.all([openSocket(stopping.port), openSocket(stopping.port)]);
    probing.write(rawGet('/health'));
    assert.equal((await readResponse(probing)).status, 200);
    const act = fetch(`${stopping.url}/act`, { method: 'POST' });
    await entered.promise;
    const closed = stopping.close();
    probing.write(rawGet('/health'));
    reading.write(rawGet(`/read/${WALLET}`));
    const [probed, read] = await Promise.all([readResponse(probing), readResponse(reading)]);
    assert.deepEqual([probed.status, JSON.parse(probed.body).errorCode], [503, 'SHUTTING_DOWN']);
    assert.equal(read.status, 200);
    assert.match(read.head, /connection: close/i);
    await assert.rejects(openSocket(stopping.port).then((socket) => readResponse(socket)));
    gate.resolve();
    assert.equal((await act).status, 200);
    await closed;
  });

  it('responds to overdue requests instead of resetting their connections', async () => {
    const entered = Promise.withResolvers<void>();
    const routes = createTestRoutes({ open: new Promise(() => {}), entered: entered.resolve });
    const stopping = await startTestServer({ routes });
    const act = fetch(`${stopping.url}/act`, { method: 'POST' });
    await entered.promise;
    const closed = stopping.close({ graceMs: 1, actGraceMs: 1 });
    const answer = await act;
    assert.equal(answer.status, 503);
    assert.equal(((await answer.json()) as { errorCode: string }).errorCode, 'SHUTTING_DOWN');
    await closed;
  });

  it('responds to a request that arrived on an idle connection while the process was busy', async () => {
    const stopping = await startTestServer();
    const socket = await openSocket(stopping.port);
    socket.write(rawGet(`/read/${WALLET}`));
    assert.equal((await readResponse(socket)).status, 200);
    const closed = stopping.close();
    // After two event-loop turns, the shutdown is waiting with its connections still open.
    await turnOfLoop();
    await turnOfLoop();
    socket.write(rawGet(`/read/${WALLET}`));
    // Blocks the process for longer than idle connections stay open.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
    assert.equal((await readResponse(socket)).status, 200);
    await closed;
  });

  it('is not held up by an idle connection', async () => {
    const stopping = await startTestServer();
    const silent = await openSocket(stopping.port);
    const gone = once(silent, 'close');
    silent.resume();
    await stopping.close();
    await gone;
  });
});

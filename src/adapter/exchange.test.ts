import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { exchangeRaw, openSocket, rawGet, readResponse } from '../../test/support/http-raw.ts';
import { listenLocally } from '../../test/support/local-server.ts';
import { type ExchangeParts, exchangeOf } from '../../test/support/test-exchange.ts';
import { AppError } from '../kernel/app-error.ts';
import type { Exchange, RateDecision } from './exchange.ts';

/** Serves one real request with `serve` and returns the bytes sent over the wire. */
const responseTo = async (
  t: TestContext,
  request: string,
  serve: (exchange: Exchange) => void | Promise<void>,
  parts: ExchangeParts = {},
) => {
  const server = createServer((request, response) => void serve(exchangeOf({ ...parts, request, response })));
  const { port, close } = await listenLocally(server);
  t.after(close);
  return exchangeRaw(port, request);
};
const ONE_LEFT: RateDecision = {
  headers: ['ratelimit-policy', '"default";q=2', 'ratelimit', '"default";r=1'],
  refusal: null,
};
const headerOf = (head: string, name: string): string[] =>
  head.split('\r\n').flatMap((line) => {
    const [key = '', value = ''] = line.split(': ');
    return key.toLowerCase() === name ? [value] : [];
  });

test('an exchange sends only its first response, and ignores a later send or takeover', async (t) => {
  const reported: number[] = [];
  const { status, body, head } = await responseTo(
    t,
    rawGet('/'),
    (exchange) => {
      exchange.send(201, 'text/plain', 'first', ['x-own', 'a']);
      exchange.send(500, 'text/plain', 'second', []);
    },
    { onResponse: (answer) => reported.push(answer.status) },
  );
  assert.deepEqual([status, body, reported], [201, 'first', [201]]);
  assert.deepEqual(headerOf(head, 'x-request-id'), ['id-1']);
});

for (const [what, body, bytes] of [
  ['non-ASCII text, counted in bytes', 'ä€😀', 9],
  ['nothing', '', 0],
  ['bytes', Buffer.from('a€'), 4],
] as const)
  test(`content-length is correct for ${what}`, async (t) => {
    const { head, body: got } = await responseTo(t, rawGet('/'), (exchange) =>
      exchange.send(200, 'text/plain', body, []),
    );
    assert.deepEqual(headerOf(head, 'content-length'), [String(bytes)]);
    assert.deepEqual(headerOf(head, 'transfer-encoding'), []);
    assert.equal(Buffer.from(got, 'latin1').toString(), body.toString());
  });

test('HEAD returns the length of the body without the body', async (t) => {
  const server = createServer((request, response) => {
    exchangeOf({ request, response }).send(200, 'text/plain', 'abc', []);
  });
  const { port, close } = await listenLocally(server);
  t.after(close);
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' });
  assert.deepEqual([answer.headers.get('content-length'), await answer.text()], ['3', '']);
});

test('a response without a type has no content-type, and the last response on a connection has a single `connection: close`', async (t) => {
  const { head } = await responseTo(
    t,
    rawGet('/', ['Connection: keep-alive']),
    async (exchange) => {
      exchange.endConnection();
      await exchange.count(1);
      exchange.send(304, null, '', ['vary', 'accept']);
    },
    { rateLimit: () => ONE_LEFT, corsHeaders: ['vary', 'Origin'] },
  );
  assert.deepEqual(headerOf(head, 'content-type'), []);
  assert.deepEqual(headerOf(head, 'connection'), ['close']);
  assert.deepEqual(headerOf(head, 'vary'), ['Origin', 'accept'], 'neither value replaces the other');
  assert.deepEqual(headerOf(head, 'ratelimit'), ['"default";r=1']);
});

test('a response that a handler takes over has the common headers, is reported when it closes, and blocks any other response', async (t) => {
  const reported = Promise.withResolvers<number>();
  const { status, body, head } = await responseTo(
    t,
    rawGet('/'),
    (exchange) => {
      exchange.endConnection();
      const response = exchange.takeOver();
      exchange.send(500, 'text/plain', 'late', []);
      response.writeHead(202, { 'content-length': 3 }).end('own');
    },
    { onResponse: (answer) => reported.resolve(answer.status), corsHeaders: ['vary', 'Origin'] },
  );
  assert.deepEqual([status, body, await reported.promise], [202, 'own', 202]);
  assert.deepEqual(
    ['x-request-id', 'x-content-type-options', 'vary', 'connection'].map((name) => headerOf(head, name)[0]),
    ['id-1', 'nosniff', 'Origin', 'close'],
  );
});

test('the signal aborts when the caller disconnects before the response, and keeps that reason if the service then gives up', async (t) => {
  const seen = Promise.withResolvers<Exchange>();
  const server = createServer((request, response) => seen.resolve(exchangeOf({ request, response })));
  const { port, close } = await listenLocally(server);
  t.after(close);
  const socket = await openSocket(port);
  socket.write(rawGet('/'));
  const exchange = await seen.promise;
  const { signal } = exchange;
  assert.equal(signal.aborted, false);
  const gone = new Promise((resolve) => signal.addEventListener('abort', resolve));
  socket.destroy();
  await gone;
  assert.match(String(signal.reason), /caller disconnected/);
  exchange.giveUp(new AppError('SHUTTING_DOWN', 'later'));
  assert.match(String(signal.reason), /caller disconnected/);
  assert.equal(exchange.answered, false);
});

test('a signal that is first read after the caller disconnected or the service gave up is already aborted', async (t) => {
  const exchanges: Exchange[] = [];
  const two = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    exchanges.push(exchangeOf({ request, response }));
    if (exchanges.length === 2) two.resolve();
  });
  const { port, close } = await listenLocally(server);
  t.after(close);
  const [first, second] = [await openSocket(port), await openSocket(port)];
  first.write(rawGet('/'));
  second.write(rawGet('/'));
  await two.promise;
  const [one, other] = exchanges as [Exchange, Exchange];
  const closed = Promise.all(exchanges.map(({ response }) => once(response, 'close')));
  one.giveUp(new AppError('SHUTTING_DOWN', 'The service is stopping.'));
  assert.equal((one.signal.reason as AppError).code, 'SHUTTING_DOWN');
  assert.equal((await readResponse(first)).status, 503);
  first.destroy();
  second.destroy();
  await closed;
  assert.match(String(other.signal.reason), /caller disconnected/);
});

test('a client that disconnects after its response aborts only streams', async (t) => {
  const ended: boolean[] = [];
  for (const streams of [false, true]) {
    const closed = Promise.withResolvers<void>();
    const server = createServer((request, response) => {
      const exchange = exchangeOf({ request, response });
      const { signal } = exchange;
      if (streams) exchange.takeOver().writeHead(200).write('part');
      else exchange.send(200, 'text/plain', 'whole', []);
      request.socket.once('close', () => {
        setImmediate(() => {
          ended.push(signal.aborted);
          closed.resolve();
        });
      });
    });
    const { port, close } = await listenLocally(server);
    t.after(close);
    const socket = await openSocket(port);
    const heard = once(socket, 'data');
    socket.write(rawGet('/'));
    await heard;
    socket.destroy();
    await closed.promise;
  }
  assert.deepEqual(ended, [false, true]);
});

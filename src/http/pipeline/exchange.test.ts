import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { exchangeRaw, rawGet } from '../../../test/support/http-raw.ts';
import { listenLocally } from '../../../test/support/local-server.ts';
import { Exchange } from './exchange.ts';

/** Lets `serve` answer one real request, and gives back what went over the wire. */
const answerTo = async (t: TestContext, request: string, serve: (exchange: Exchange) => void) => {
  const server = createServer((incoming, response) => serve(new Exchange(incoming, response, null, 'id-1')));
  const { port, close } = await listenLocally(server);
  t.after(close);
  return exchangeRaw(port, request);
};
const headerOf = (head: string, name: string): string[] =>
  head.split('\r\n').flatMap((line) => {
    const [key = '', value = ''] = line.split(': ');
    return key.toLowerCase() === name ? [value] : [];
  });

test('the first answer is the only one, whatever is sent or taken over after it', async (t) => {
  const told: number[] = [];
  const { status, body, head } = await answerTo(t, rawGet('/'), (exchange) => {
    exchange.onSent = (sent) => told.push(sent);
    exchange.send(201, 'text/plain', 'first', ['x-own', 'a']);
    exchange.send(500, 'text/plain', 'second', []);
  });
  assert.deepEqual([status, body, told], [201, 'first', [201]]);
  assert.deepEqual(headerOf(head, 'x-request-id'), ['id-1']);
});

for (const [what, body, bytes] of [
  ['letters beyond ASCII, counted in bytes', 'ä€😀', 9],
  ['nothing', '', 0],
  ['parts, one of them empty', [Buffer.from('a'), Buffer.alloc(0), Buffer.from('€')], 4],
  ['no part at all', [], 0],
] as const)
  test(`the length is right of ${what}`, async (t) => {
    const { head, body: got } = await answerTo(t, rawGet('/'), (exchange) =>
      exchange.send(200, 'text/plain', body, []),
    );
    assert.deepEqual(headerOf(head, 'content-length'), [String(bytes)]);
    assert.deepEqual(headerOf(head, 'transfer-encoding'), []);
    const whole = typeof body === 'string' ? body : Buffer.concat(body).toString();
    assert.equal(Buffer.from(got, 'latin1').toString(), whole);
  });

test('HEAD gets the length of the body and not the body', async (t) => {
  const server = createServer((incoming, response) => {
    const parts = [Buffer.from('ab'), Buffer.from('c')];
    new Exchange(incoming, response, null, 'id').send(200, 'text/plain', parts, []);
  });
  const { port, close } = await listenLocally(server);
  t.after(close);
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' });
  assert.deepEqual([answer.headers.get('content-length'), await answer.text()], ['3', '']);
});

test('an answer without a type has no length, and the last of a connection says so once', async (t) => {
  const { head } = await answerTo(t, rawGet('/', ['Connection: keep-alive']), (exchange) => {
    exchange.lastOnConnection = true;
    exchange.rateHeaders = ['ratelimit', '"default";r=1'];
    exchange.corsHeaders = ['vary', 'Origin'];
    exchange.send(304, null, '', ['vary', 'accept']);
  });
  assert.deepEqual(headerOf(head, 'content-type'), []);
  assert.deepEqual(headerOf(head, 'connection'), ['close']);
  assert.deepEqual(headerOf(head, 'vary'), ['Origin', 'accept'], 'neither replaces the other');
  assert.deepEqual(headerOf(head, 'ratelimit'), ['"default";r=1']);
});

test('a response that was taken over has the headers of every answer, is told of when it closes, and is sent to by nobody else', async (t) => {
  const told = Promise.withResolvers<number>();
  const { status, body, head } = await answerTo(t, rawGet('/'), (exchange) => {
    exchange.onSent = told.resolve;
    exchange.lastOnConnection = true;
    exchange.corsHeaders = ['vary', 'Origin'];
    const response = exchange.takeOver();
    exchange.send(500, 'text/plain', 'late', []);
    response.writeHead(202, { 'content-length': 3 }).end('own');
  });
  assert.deepEqual([status, body, await told.promise], [202, 'own', 202]);
  assert.deepEqual(
    ['x-request-id', 'x-content-type-options', 'vary', 'connection'].map((name) => headerOf(head, name)[0]),
    ['id-1', 'nosniff', 'Origin', 'close'],
  );
});

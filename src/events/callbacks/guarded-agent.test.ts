// Tests the HTTP agent for callbacks against real servers: its checks before connecting, and the responses that
// it refuses.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startReceiver } from '../../../test/support/receiver.ts';
import { selfSigned } from '../../../test/support/self-signed-certificate.ts';
import { AttemptFailure } from '../delivery/attempt-outcome.ts';
import { createGuardedAgent, guardedConnector } from './guarded-agent.ts';

const resolve = async (): Promise<readonly string[]> => ['127.0.0.1'];

/** Returns the arguments of the address check for `hostname`. The check then refuses the connection. */
const askedFor = async (hostname: string, protocol: string, port: string): Promise<unknown> => {
  const asked: unknown[] = [];
  const connector = guardedConnector({
    mayReach: (to) => {
      asked.push(to);
      return false;
    },
    resolve,
  });
  const failure = await new Promise((done) =>
    connector({ hostname, protocol, port } as never, (...[error]) => done(error)),
  );
  assert.ok(failure instanceof AttemptFailure && failure.outcome === 'target-not-allowed');
  assert.equal(asked.length, 1);
  return asked[0];
};

test('a literal address is checked with its protocol and effective port before any connection is made', async () => {
  const address = '192.0.2.1';
  assert.deepEqual(await askedFor(address, 'https:', ''), { address, protocol: 'https:', port: 443 });
  assert.deepEqual(await askedFor(address, 'http:', ''), { address, protocol: 'http:', port: 80 });
  assert.deepEqual(await askedFor(address, 'https:', '8443'), { address, protocol: 'https:', port: 8443 });
  assert.deepEqual(await askedFor('[::1]', 'https:', ''), { address: '::1', protocol: 'https:', port: 443 });
});

test('the addresses of a name are checked in the same way when connecting', async () => {
  const asked = await askedFor('hook.example', 'https:', '');
  assert.deepEqual(asked, { address: '127.0.0.1', protocol: 'https:', port: 443 });
});

test('a response with more than 16 KiB of headers is refused', async (t) => {
  const { url } = await startReceiver(t, ({ path }, response) => {
    response.writeHead(204, { 'x-long': 'x'.repeat(Number(path.slice(1))) }).end();
  });
  const agent = createGuardedAgent({ mayReach: () => true, resolve });
  t.after(() => agent.destroy());
  const statusOf = async (headerBytes: number) =>
    (await agent.request({ origin: url, path: `/${headerBytes}`, method: 'POST', body: '' })).statusCode;
  assert.equal(await statusOf(15_000), 204);
  await assert.rejects(statusOf(16_400), { code: 'UND_ERR_HEADERS_OVERFLOW' });
});

test('a receiver that offers HTTP/2 is called over HTTP/1.1 and its certificate is checked', async (t) => {
  const tls = selfSigned(['hook.example']);
  const server = createSecureServer({ ...tls, allowHTTP1: true }, (request, response) => {
    response.writeHead(200).end(request.httpVersion);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const origin = `https://hook.example:${(server.address() as AddressInfo).port}`;
  const ask = async (ca: string | undefined) => {
    const agent = createGuardedAgent({ mayReach: () => true, resolve, ...(ca === undefined ? {} : { ca }) });
    try {
      const { body } = await agent.request({ origin, path: '/', method: 'POST', body: '' });
      return await body.text();
    } finally {
      await agent.destroy();
    }
  };
  assert.equal(await ask(tls.cert), '1.1');
  await assert.rejects(
    ask(undefined),
    (error) => error instanceof AttemptFailure && error.outcome === 'tls-failed',
  );
});

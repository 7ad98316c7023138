// Tests that a secret key reaches its operation as bytes, is wiped afterwards, and is not read at all if the
// connection is not private.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { startTestServer } from '../../../test/support/http-operations.ts';
import { exchangeRaw, openSocket, readResponse } from '../../../test/support/http-raw.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import type { OperationName } from '../../kernel/guidance.ts';
import { SecretBytes } from '../../kernel/secret-bytes.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { HttpServer } from './server.ts';

const seed = Uint8Array.from({ length: 32 }, (_, index) => index + 1);
const key = encodeBase58(seed);
const seen: { secret: SecretBytes; sum: number }[] = [];
const order: string[] = [];

const useKey = defineOperation({
  name: 'useKey' as OperationName,
  summary: 'Use a key.',
  description: 'Adds up the bytes of a key, so a test can see whether the key was wiped.',
  effect: 'act',
  input: z.object({
    secretKey: z
      .custom<SecretBytes>((value) => value instanceof SecretBytes, { message: 'must be a key' })
      .meta({ override: { type: 'string', format: 'password' } }),
    note: z.string().optional(),
    wait: z.boolean().optional(),
  }),
  output: z.object({ note: z.string().nullable() }),
  errors: [],
  run: async ({ input, signal }) => {
    seen.push({
      secret: input.secretKey,
      sum: input.secretKey.use((bytes) => bytes.reduce((a, b) => a + b, 0)),
    });
    if (input.wait === true) {
      order.push('waiting');
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    }
    return { body: { note: input.note ?? null } };
  },
});

const routes = [
  {
    operation: useKey,
    method: 'POST',
    path: '/use',
    browsers: 'own-page',
    tag: 'Stake',
    carriesSecretKey: true,
  } as const,
];
let open: HttpServer;
let closed: HttpServer;

before(async () => {
  open = await startTestServer({ routes, config: { sandboxMode: true } });
  closed = await startTestServer({ routes });
});
after(() => Promise.all([open.close(), closed.close()]));

const send = async (body: string, headers: Record<string, string> = {}, server = open) => {
  const response = await fetch(`${server.url}/use`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
};

describe('a secret key', () => {
  it('reaches the operation decoded, and is wiped once the response is sent', async () => {
    const { status, body } = await send(`{"secretKey":"${key}","note":"n"}`);
    assert.deepEqual([status, body.note], [200, 'n']);
    const last = seen.at(-1);
    assert.equal(
      last?.sum,
      seed.reduce((a, b) => a + b, 0),
    );
    await new Promise(setImmediate);
    assert.equal(last?.secret.wiped, true);
  });

  it('is refused together with the other issues if it is missing or not a string', async () => {
    for (const [text, code] of [
      ['{}', 'required'],
      ['{"secretKey":5}', 'custom'],
      ['', 'required'],
    ] as const) {
      const { status, body } = await send(text);
      assert.deepEqual([status, body.details[0].path, body.details[0].code], [400, 'secretKey', code]);
    }
    assert.deepEqual(
      (await send(`{"secretKey":"${key}","note":1}`)).body.details.map(({ path }: { path: string }) => path),
      ['note'],
    );
  });

  it('never appears in a response, even if the request has other errors', async () => {
    for (const body of [
      `{"secretKey":"${key}","note":1}`,
      `{"secretKey":"${key}"`,
      `{"secretKey":["${key}"]}`,
      `{"note":{"secretKey":"${key}"}}`,
      key,
    ])
      assert.ok(!(await send(body)).text.includes(key), body);
  });

  it('is wiped even if the caller disconnects', async () => {
    const caller = new AbortController();
    const gone = fetch(`${open.url}/use`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"secretKey":"${key}","wait":true}`,
      signal: caller.signal,
    });
    while (!order.includes('waiting')) await new Promise(setImmediate);
    const { secret } = seen.at(-1) as { secret: SecretBytes };
    assert.equal(secret.wiped, false);
    caller.abort();
    await assert.rejects(gone);
    while (!secret.wiped) await new Promise(setImmediate);
  });
});

describe('over plain HTTP', () => {
  const head = (extra: string) =>
    `POST /use HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60\r\n${extra}\r\n`;

  it('a key is refused before any of the body has arrived', async () => {
    const { status, body } = await exchangeRaw(closed.port, head(''));
    assert.deepEqual([status, JSON.parse(body).errorCode], [403, 'INSECURE_TRANSPORT']);
    assert.match(JSON.parse(body).message, /exposed/);
  });

  it('a body with a key is not requested with 100 Continue', async () => {
    const response = await exchangeRaw(closed.port, head('Expect: 100-continue\r\n'));
    assert.equal(response.status, 403);
    assert.match(response.head, /connection: close/i);
  });

  it('a forwarded request is refused even if loopback is allowed', async () => {
    const { status, body } = await send(`{"secretKey":"${key}"}`, { 'x-forwarded-for': '203.0.113.9' });
    assert.deepEqual([status, body.errorCode], [403, 'INSECURE_TRANSPORT']);
  });

  it('a refused body is read and discarded, so the connection stays usable', async () => {
    const socket = await openSocket(closed.port);
    const body = `{"secretKey":"${key}"}`;
    const request = `POST /use HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    for (let round = 0; round < 2; round += 1) {
      socket.write(request + body);
      assert.equal((await readResponse(socket)).status, 403);
    }
    socket.destroy();
  });
});

// An unwanted body is overwritten on arrival, and a client cannot keep the server reading forever.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { it } from 'node:test';
import { discardBody, hasBody } from './discard-body.ts';

const requestOf = (headers: Record<string, string> = {}) => {
  let cut = 0;
  const stream = Object.assign(new PassThrough(), {
    headers,
    complete: false,
    socket: {
      destroy: () => {
        cut += 1;
      },
    },
  });
  return { stream, request: stream as unknown as IncomingMessage, cuts: () => cut };
};

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

it('every chunk of a discarded body is overwritten', async () => {
  const { stream, request } = requestOf();
  discardBody(request);
  const chunks = [Buffer.from('{"secretKey":"'), Buffer.from('MARKED"}')];
  for (const chunk of chunks) stream.write(chunk);
  await settled();
  for (const chunk of chunks) assert.ok(chunk.every((byte) => byte === 0));
});

it('the connection is closed after 1 MiB of a discarded body, and not earlier', async () => {
  const { stream, request, cuts } = requestOf();
  discardBody(request);
  for (let count = 0; count < 16; count += 1) stream.write(Buffer.alloc(65_536, 1));
  await settled();
  assert.equal(cuts(), 0);
  stream.write(Buffer.alloc(1));
  await settled();
  assert.ok(cuts() > 0);
});

it('the headers show whether a body follows', () => {
  const announces = (headers: object) => hasBody(requestOf(headers as Record<string, string>).request);
  assert.deepEqual(
    [{}, { 'content-length': '0' }, { 'content-length': '1' }, { 'transfer-encoding': 'chunked' }].map(
      announces,
    ),
    [false, false, true, true],
  );
});

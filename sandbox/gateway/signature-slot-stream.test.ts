// Checks that signature notifications receive the absolute slot and all other bytes stay the same, however the
// stream is split into chunks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SignatureSlotStream } from './signature-slot-stream.ts';

const HANDSHAKE = Buffer.from('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n');
const EPOCH_START = 345_600_000;

function frame(payload: string | Buffer, firstByte = 0x81): Buffer {
  const body = Buffer.from(payload);
  const header = Buffer.alloc(body.length < 126 ? 2 : body.length < 65_536 ? 4 : 10);
  header.writeUInt8(firstByte, 0);
  header.writeUInt8(body.length < 126 ? body.length : body.length < 65_536 ? 126 : 127, 1);
  if (header.length === 4) header.writeUInt16BE(body.length, 2);
  if (header.length === 10) header.writeBigUInt64BE(BigInt(body.length), 2);
  return Buffer.concat([header, body]);
}

function notification(method: string, slot: number): string {
  const result = { context: { apiVersion: '4.1.2', slot }, value: { err: null } };
  return JSON.stringify({ jsonrpc: '2.0', method, params: { result, subscription: 0 } });
}

async function through(bytes: Buffer, cut: number): Promise<Buffer> {
  const stream = new SignatureSlotStream((slot) => EPOCH_START + slot);
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (let at = 0; at < bytes.length; at += cut) stream.write(bytes.subarray(at, at + cut));
  stream.end();
  await new Promise((resolve) => stream.on('end', resolve));
  return Buffer.concat(chunks);
}

test('only the slot of signature notifications is changed, regardless of the sizes of frames and chunks', async () => {
  const others = [
    frame(notification('accountNotification', 5)),
    frame('', 0x89),
    frame('{"id":1,"result":0}'),
    frame('x'.repeat(5_000)),
    frame(Buffer.alloc(70_000, 7), 0x82),
    frame(notification('signatureNotification', 9), 0x01),
  ];
  const tail = frame(Buffer.from([0x03, 0xe8]), 0x88);
  const bytes = Buffer.concat([HANDSHAKE, frame(notification('signatureNotification', 27)), ...others, tail]);
  const expected = Buffer.concat([
    HANDSHAKE,
    frame(notification('signatureNotification', EPOCH_START + 27)),
    ...others,
    tail,
  ]);
  for (const cut of [1, 2, 3, 7, 64, 1_000, bytes.length]) {
    assert.deepEqual(await through(bytes, cut), expected, `in chunks of ${cut}`);
  }
});

test('a notification that grows beyond 125 bytes gets the longer frame header', async () => {
  const short =
    '{"method":"signatureNotification","params":{"result":{"context":{"slot":1},"value":{"err":null}},"subscription":123456}}';
  assert.ok(short.length < 126);
  const long = short.replace('"slot":1}', `"slot":${EPOCH_START + 1}}`);
  assert.ok(long.length > 125);
  assert.deepEqual(
    await through(Buffer.concat([HANDSHAKE, frame(short)]), 10),
    Buffer.concat([HANDSHAKE, frame(long)]),
  );
});

test('bytes of an unfinished frame are not lost at the end', async () => {
  const bytes = Buffer.concat([HANDSHAKE, frame('{"id":1}').subarray(0, 5)]);
  assert.deepEqual(await through(bytes, 100), bytes);
});

// Tests that messages are parsed only after the key was removed from the bytes, and that the headers and the
// body of a request must name the same tool.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { newWallet } from '../../../test/support/wallets.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { JsonNumber } from '../../kernel/json-number.ts';
import type { McpTool } from '../tool.ts';
import {
  calledTool,
  callsOneShot,
  objectOf,
  parseMessages,
  readBytes,
  toolInHeaders,
} from './json-rpc-messages.ts';

const call = (args: object, params: object = {}) =>
  Buffer.from(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'stake', arguments: args, ...params },
    }),
  );

test('the key of a call is removed from the bytes and is not a field of the message', () => {
  const { secretKey } = newWallet();
  const bytes = call({ walletAddress: 'w', secretKey });
  const read = parseMessages(bytes);
  assert.ok(read !== null);
  assert.equal(read.secret?.length, 64);
  assert.ok(!bytes.includes(secretKey));
  const { params } = read.body as { params: { arguments: object } };
  const given = params.arguments;
  assert.ok(!Object.hasOwn(given, 'secretKey'));
  assert.ok(!JSON.stringify(read).includes(secretKey));
});

test('a key at any other position is overwritten and not used', () => {
  const { secretKey } = newWallet();
  for (const bytes of [
    call({}, { secretKey }),
    call({ deeper: { secretKey } }),
    call({ private_key: secretKey }),
    Buffer.from(`[${call({ secretKey })}]`),
  ]) {
    const read = parseMessages(bytes);
    assert.equal(read?.secret, undefined);
    assert.ok(!bytes.includes(secretKey));
  }
});

test('a key that is not a string differs from a missing key, and text that cannot be a key is returned as empty bytes', () => {
  assert.equal(parseMessages(call({ secretKey: 7 }))?.secret, null);
  assert.equal(parseMessages(call({}))?.secret, undefined);
  assert.equal(parseMessages(call({ idempotencyKey: 'k' }))?.secret, undefined);
  assert.equal(parseMessages(call({ secretKey: 'not base58 0OIl' }))?.secret?.length, 0);
});

test('invalid JSON is parsed as null, with or without a key in it', () => {
  for (const text of ['', '{', '{"secretKey":"x"', 'nonsense', '{"a":1}}'])
    assert.equal(parseMessages(Buffer.from(text)), null);
});

test('amounts keep their original text', () => {
  const { body } = parseMessages(Buffer.from('{"amountSol":0.1000000000,"limit":5}')) as {
    body: Record<string, unknown>;
  };
  assert.equal((body.amountSol as JsonNumber).literal, '0.1000000000');
  assert.equal(body.limit, 5);
});

const incoming = (parts: readonly Buffer[], headers: Record<string, string> = {}): IncomingMessage => {
  const stream = Object.assign(new PassThrough(), { headers });
  for (const part of parts) stream.write(part);
  stream.end();
  return stream as unknown as IncomingMessage;
};

test('the bytes of a body exist only during the callback and are zeroed afterwards, even if it throws', async () => {
  let seen: Buffer | undefined;
  const look = (bytes: Buffer): string => {
    seen = bytes;
    return bytes.toString();
  };
  assert.equal(await readBytes(incoming([Buffer.from('{"key'), Buffer.from('":1}')]), look), '{"key":1}');
  assert.deepEqual([seen?.length, seen?.every((byte) => byte === 0)], [9, true]);
  const failing = readBytes(incoming([Buffer.from('{"key":2}')]), (bytes) => {
    seen = bytes;
    throw new RangeError('no');
  });
  await assert.rejects(failing, RangeError);
  assert.ok(seen?.every((byte) => byte === 0));
});

test('a body over 64 KiB is refused, and a body of exactly 64 KiB is read', async () => {
  const sized = (length: number) =>
    readBytes(incoming([Buffer.alloc(length, 0x20)]), ({ length: read }) => read);
  assert.equal(await sized(65_536), 65_536);
  await assert.rejects(sized(65_537), (error) => isAppError(error, 'BODY_TOO_LARGE'));
});

const tools = new Map([
  ['stake', { carriesSecretKey: true }],
  ['epoch', {}],
] as unknown as [string, McpTool][]);

test('only a call to a tool that takes a key counts as a call with a key', () => {
  const message = (method: unknown, name: unknown) => ({ method, params: { name } });
  assert.equal(calledTool(message('tools/call', 'stake')), 'stake');
  for (const none of [
    message('tools/list', 'stake'),
    message('tools/call', 7),
    { method: 'tools/call' },
    [],
    null,
    'x',
  ])
    assert.equal(calledTool(none), null);
  assert.equal(callsOneShot(message('tools/call', 'stake'), tools), true);
  assert.equal(callsOneShot(message('tools/call', 'epoch'), tools), false);
  assert.equal(callsOneShot(message('tools/call', 'unknown'), tools), false);
  assert.equal(callsOneShot(message('prompts/get', 'stake'), tools), false);
});

test('a tool name in the headers may be plain, surrounded by whitespace, or in base64', () => {
  const named = (name: string | undefined, method = 'tools/call') =>
    toolInHeaders({ headers: { 'mcp-method': method, 'mcp-name': name } } as unknown as IncomingMessage);
  assert.equal(named('stake'), 'stake');
  assert.equal(named(' stake '), 'stake');
  assert.equal(named(`=?base64?${Buffer.from('stake').toString('base64')}?=`), 'stake');
  assert.equal(named('=?base64?***?='), '=?base64?***?=');
  assert.equal(named('stake', 'tools/list'), null);
  assert.equal(named(undefined), null);
});

test('lists, strings and null do not count as objects', () => {
  assert.deepEqual(objectOf({ a: 1 }), { a: 1 });
  for (const none of [[], null, undefined, 'x', 1]) assert.equal(objectOf(none), null);
});

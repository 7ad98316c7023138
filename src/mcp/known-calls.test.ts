// A call is recognised by its bytes only where its id stands plainly, once, and nothing secret could be among them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnownCalls, splitMessage } from './known-calls.ts';

const split = (text: string) => splitMessage(Buffer.from(text));

test('messages that differ in their id alone have the same rest, and no others', () => {
  const one = split('{"jsonrpc":"2.0","id":1,"method":"x"}');
  const two = split('{"jsonrpc":"2.0","id":123456789012345,"method":"x"}');
  const text = split('{"jsonrpc":"2.0","id":"a-1 b","method":"x"}');
  assert.equal(one?.id, '1');
  assert.equal(two?.id, '123456789012345');
  assert.equal(text?.id, '"a-1 b"');
  assert.equal(one?.rest, two?.rest);
  assert.equal(one?.rest, text?.rest);
  assert.equal(split('{"method":"x","id":7}')?.id, '7');
  assert.notEqual(split('{"jsonrpc":"2.0","id":1,"method":"y"}')?.rest, one?.rest);
});

test('an id that is not plain, or a second one, leaves the message to the parser', () => {
  for (const id of [
    ...['1.5', '1e3', '-1', '01', '1234567890123456', 'null', 'true', '[1]', '{}', ' 1', '', '1 '],
    ...['"a\\"b"', '"é"', `"${'x'.repeat(80)}"`, '"open', '"\u0001"'],
  ])
    assert.equal(split(`{"id":${id},"method":"x"}`), null, id);
  for (const text of [
    '{"id":1,"params":{"id":2}}',
    '{"params":{"id":2},"x":"id"}',
    '{"id" :1}',
    '{"id": 1}',
    '{"\\u0069d":1,"id":2}',
    '{"method":"x"}',
    '',
    `{"id":1,"x":"${'x'.repeat(1_100)}"}`,
  ])
    assert.equal(split(text), null, text);
});

test('a body that may hold a key is never made a string of', () => {
  for (const name of ['secretKey', 'secret_key', 'PRIVATE-KEY', 'idempotencyKey'])
    assert.equal(split(`{"id":1,"params":{"arguments":{"${name}":"x"}}}`), null, name);
});

test('only the most recent 256 are remembered', () => {
  const known = new KnownCalls<number>();
  for (let at = 0; at < 300; at += 1) known.set(`rest ${at}`, at);
  assert.equal(known.get('rest 43'), undefined);
  assert.deepEqual([known.get('rest 44'), known.get('rest 299')], [44, 299]);
});

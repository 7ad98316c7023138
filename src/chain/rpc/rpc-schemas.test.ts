// The schemas of RPC responses reject numbers beyond 64 bits, strings that are not addresses, and data that is
// not base64.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { z } from 'zod';
import { encodeBase58 } from '../../kernel/base58.ts';
import { parseRpcJson } from './rpc-response.ts';
import {
  accountSchema,
  addressSchema,
  epochInfoSchema,
  multipleAccountsSchema,
  signatureSchema,
  signatureStatusesSchema,
  u64Schema,
} from './rpc-schemas.ts';

const OWNER = '11111111111111111111111111111111';
/** Parses JSON text with the schema; undefined if it is not a valid response. */
const read = <T extends z.ZodType>(schema: T, text: string): z.output<T> | undefined =>
  schema.safeParse(parseRpcJson(text)).data;

test('a u64 is exact up to its maximum, and any other value is refused instead of coerced', () => {
  for (const text of ['0', '1', '9007199254740991', '9007199254740993', '18446744073709551615'])
    assert.equal(read(u64Schema, text), BigInt(text));
  const beyond = ['18446744073709551616', '36893488147419103232', `1${'0'.repeat(300)}`];
  for (const text of [...beyond, '-1', '-9007199254740993', '1.5', '1e300', '"1"', 'null', 'true', '[1]'])
    assert.equal(read(u64Schema, text), undefined, text);
});

test('an account whose amount would wrap around to a small one is refused', () => {
  const account = (lamports: bigint) =>
    `{"data":["AQ==","base64"],"lamports":${lamports},"owner":"${OWNER}","space":1}`;
  assert.deepEqual(read(accountSchema, account(5n)), {
    data: Uint8Array.of(1),
    lamports: 5n,
    owner: OWNER,
  });
  assert.equal(read(accountSchema, account(2n ** 64n + 5n)), undefined);
});

test('only base64 data is accepted: text, parsed JSON and compressed data are refused', () => {
  const account = (data: string) => `{"data":${data},"lamports":1,"owner":"${OWNER}"}`;
  assert.deepEqual(read(accountSchema, account('["","base64"]'))?.data, new Uint8Array(0));
  const others = ['"AQ=="', '["AQ==","base58"]', '["AQ==","base64+zstd"]', '["A","base64"]', '["AQ=="]'];
  for (const data of [...others, '["AQ==","base64",1]', '{"parsed":{}}', '["\\u00e4","base64"]', 'null'])
    assert.equal(read(accountSchema, account(data)), undefined, data);
});

test('addresses and signatures have the alphabet and the length of base58', () => {
  const texts = (bytes: number) => [0, 1, 255].map((fill) => encodeBase58(new Uint8Array(bytes).fill(fill)));
  for (const text of texts(32)) assert.equal(read(addressSchema, `"${text}"`), text);
  for (const text of texts(64)) assert.equal(read(signatureSchema, `"${text}"`), text);
  for (const text of ['', '1'.repeat(31), '1'.repeat(45), `${'1'.repeat(31)}0`, `${'1'.repeat(32)}\\n`])
    assert.equal(read(addressSchema, `"${text}"`), undefined, text);
  for (const text of ['1'.repeat(63), '1'.repeat(89), `${'1'.repeat(64)} `])
    assert.equal(read(signatureSchema, `"${text}"`), undefined, text);
});

test('a response without a slot or with an unknown status is refused', () => {
  assert.deepEqual(read(multipleAccountsSchema, '{"context":{"slot":7},"value":[null]}'), {
    context: { slot: 7n },
    value: [null],
  });
  for (const text of [
    '[null]',
    '{"value":[null]}',
    '{"context":{},"value":[null]}',
    '{"context":{"slot":7}}',
  ])
    assert.equal(read(multipleAccountsSchema, text), undefined, text);
  const status = (confirmed: string) =>
    `{"context":{"slot":7},"value":[{"slot":5,"err":null,"confirmationStatus":${confirmed}}]}`;
  assert.equal(read(signatureStatusesSchema, status('"confirmed"'))?.value[0]?.slot, 5n);
  assert.equal(read(signatureStatusesSchema, status('null'))?.value[0]?.confirmationStatus, null);
  assert.equal(read(signatureStatusesSchema, status('"rooted"')), undefined);
  assert.equal(
    read(epochInfoSchema, '{"absoluteSlot":1,"blockHeight":1,"epoch":1,"slotIndex":1}'),
    undefined,
  );
});

// A body is checked by its headers before it is read, read up to its limit, and abandoned when the client disconnects.

import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { after, it } from 'node:test';
import { guidanceText } from '../../test/support/guidance-text.ts';
import { isAppError } from '../kernel/app-error.ts';
import { expectsBody, MAX_BODY_BYTES, readMembers } from './read-body.ts';

const stream = (headers: Record<string, string> = {}) => Object.assign(new PassThrough(), { headers });
const request = (source: PassThrough) => source as unknown as IncomingMessage;
const expects = (headers: Record<string, string>) =>
  expectsBody(request(stream({ 'content-length': '2', ...headers })));

it('a body must be plain JSON in UTF-8, and every spelling of the content type is accepted', () => {
  for (const type of [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])
    assert.equal(expects({ 'content-type': type }), true, type);
  assert.equal(expects({ 'content-length': '0' }), false);
  assert.equal(
    expects({ 'content-length': '0', 'transfer-encoding': 'chunked', 'content-type': 'application/json' }),
    true,
  );
});

it('other media types, other charsets and compressed bodies are refused', () => {
  for (const headers of [
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json-patch+json' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-type': 'text/plain; application/json' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  ])
    assert.throws(
      () => expects(headers as Record<string, string>),
      (error) => isAppError(error, 'UNSUPPORTED_MEDIA_TYPE'),
      JSON.stringify(headers),
    );
});

it('a body whose announced length exceeds the limit is refused before a byte is read', () => {
  const type = { 'content-type': 'application/json' };
  assert.equal(expects({ ...type, 'content-length': String(MAX_BODY_BYTES) }), true);
  assert.throws(
    () => expects({ ...type, 'content-length': String(MAX_BODY_BYTES + 1) }),
    (error) => isAppError(error, 'BODY_TOO_LARGE'),
  );
});

const reading = (source: PassThrough, takesKey = false) => readMembers(request(source), takesKey, secrets);
const sent = (text: string, takesKey = false) => {
  const source = stream();
  const read = reading(source, takesKey);
  source.end(text);
  return read;
};
const secrets = new DisposableStack();
after(() => secrets.dispose());

it('a body is read whether it arrives in one chunk or in many', async () => {
  for (const parts of [['{"a":1}'], ['{"a"', ':', '1}'], []]) {
    const source = stream();
    const read = reading(source);
    for (const part of parts) source.write(part);
    source.end();
    assert.deepEqual(await read, { body: parts.length === 0 ? {} : { a: 1 }, provided: {} });
  }
});

it('reading stops as soon as the body exceeds the limit', async () => {
  const source = stream();
  const read = reading(source);
  source.write(Buffer.alloc(MAX_BODY_BYTES));
  source.write(Buffer.alloc(1));
  await assert.rejects(read, (error) => isAppError(error, 'BODY_TOO_LARGE'));
  const fits = JSON.stringify({ a: 'x'.repeat(MAX_BODY_BYTES - 8) });
  assert.equal(fits.length, MAX_BODY_BYTES);
  assert.ok((await sent(fits)).body.a);
});

it('reading a body fails with the connection’s error, or with the report that the client disconnected', async () => {
  const broken = stream();
  const read = reading(broken);
  broken.destroy(new RangeError('reset'));
  await assert.rejects(read, RangeError);
  const left = stream();
  const waiting = reading(left);
  left.write('{"a"');
  left.destroy();
  await assert.rejects(waiting, /client disconnected/);
});

const KEY = '5'.repeat(88);
const NAMES = [
  'secretKey',
  'secret_key',
  'SECRET-KEY',
  'privateKey',
  'private key',
  'wallet.privKey',
  'keypair',
];

it('a route without a key parameter refuses a key, wipes it and reports it as exposed; other routes accept a key only under its own name', async () => {
  const isExposed = (error: unknown): boolean =>
    isAppError(error, 'VALIDATION_ERROR') &&
    /exposed/.test(error.message) &&
    /new wallet/.test(guidanceText(error.suggestedAction)) &&
    error.details?.[0]?.code === 'misplaced_secret_key' &&
    !JSON.stringify(error.details).includes('55');
  for (const name of NAMES)
    for (const value of [KEY, [5, 5], { [KEY]: KEY }])
      for (const body of [{ [name]: value }, { deep: [{ [name]: value }] }]) {
        const text = JSON.stringify(body);
        const source = stream();
        const chunk = Buffer.from(text);
        const read = reading(source);
        source.end(chunk);
        await assert.rejects(read, isExposed, text);
        assert.ok(!chunk.toString().includes('5'), 'all bytes read so far are wiped');
        if (name !== 'secretKey' || 'deep' in body) await assert.rejects(sent(text, true), isExposed, text);
      }
  const { provided, body } = await sent(JSON.stringify({ secretKey: KEY, a: 1 }), true);
  assert.deepEqual([Object.keys(provided), body.a], [['secretKey'], 1]);
});

it('fields with names similar to secretKey are not treated as keys', async () => {
  for (const name of ['idempotencyKey', 'publicKey', 'secret', 'keys', 'privateNote', 'walletKeyNote'])
    assert.deepEqual((await sent(JSON.stringify({ [name]: KEY }))).body, { [name]: KEY });
});

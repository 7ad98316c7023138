// A body is judged by its headers before it is read, read up to its limit, and never waited for once the client is gone.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { it } from 'node:test';
import { isAppError } from '../kernel/app-error.ts';
import { expectsBody, MAX_BODY_BYTES, readBody } from './read-body.ts';

const stream = (headers: Record<string, string> = {}) => Object.assign(new PassThrough(), { headers });
const request = (source: PassThrough) => source as unknown as IncomingMessage;
const expects = (headers: Record<string, string>) =>
  expectsBody(request(stream({ 'content-length': '2', ...headers })));

it('expects plain JSON in UTF-8, however the header spells it', () => {
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

it('refuses other media types, other character sets and compressed bodies', () => {
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

it('refuses an announced length over the limit before a byte is read', () => {
  const type = { 'content-type': 'application/json' };
  assert.equal(expects({ ...type, 'content-length': String(MAX_BODY_BYTES) }), true);
  assert.throws(
    () => expects({ ...type, 'content-length': String(MAX_BODY_BYTES + 1) }),
    (error) => isAppError(error, 'BODY_TOO_LARGE'),
  );
});

it('gives the bytes of one part or of many', async () => {
  for (const parts of [['{"a":1}'], ['{"a"', ':', '1}'], []]) {
    const source = stream();
    const read = readBody(request(source));
    for (const part of parts) source.write(part);
    source.end();
    assert.equal((await read).toString(), parts.join(''));
  }
});

it('gives up past the limit, and listens no more', async () => {
  const source = stream();
  const read = readBody(request(source));
  source.write(Buffer.alloc(MAX_BODY_BYTES));
  source.write(Buffer.alloc(1));
  await assert.rejects(read, (error) => isAppError(error, 'BODY_TOO_LARGE'));
  assert.deepEqual([source.listenerCount('data'), source.listenerCount('close')], [0, 0]);
  const fits = stream();
  const whole = readBody(request(fits));
  fits.end(Buffer.alloc(MAX_BODY_BYTES));
  assert.equal((await whole).length, MAX_BODY_BYTES);
});

it('ends with the connection: its error, or that the client went away', async () => {
  const broken = stream();
  const reading = readBody(request(broken));
  broken.destroy(new RangeError('reset'));
  await assert.rejects(reading, RangeError);
  const left = stream();
  const waiting = readBody(request(left));
  left.write('{"a"');
  left.destroy();
  await assert.rejects(waiting, /client went away/);
});

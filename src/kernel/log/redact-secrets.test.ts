// Log lines contain no credentials from any source, and logging takes time proportional to a line's length.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originOnly, scrub } from './redact-secrets.ts';

test('every URL is reduced to its origin, wherever in the line it is', () => {
  assert.equal(
    scrub(
      'no response from https://rpc.example:8899/v1/KEY?token=KEY#KEY, and "postgres://user:KEY@db/name"',
    ),
    'no response from https://rpc.example:8899 and "postgres://db"',
  );
  for (const url of [
    'http://user:KEY@host/',
    'HTTPS://HOST/KEY',
    `${'x'.repeat(60)}://u:KEY@host/KEY`,
    'a.b+c-d://h/KEY',
  ])
    assert.ok(!scrub(`before ${url} behind`).includes('KEY'), url);
  assert.equal(originOnly('nonsense'), '(invalid url)');
});

test('text as long as a secret key is redacted, but an address is not', () => {
  const address = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
  assert.equal(scrub(`key ${'5'.repeat(88)} of ${address}`), `key (redacted) of ${address}`);
});

// A pattern that rescans from every dot would take an hour for this text.
test('a megabyte of near-URLs is redacted in linear time', () => {
  for (const piece of ['a.', 'a-', 'http:/', 'x://', 'A+'])
    assert.ok(scrub(piece.repeat(1_000_000 / piece.length)).length > 0);
});

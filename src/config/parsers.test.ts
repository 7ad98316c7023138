// Tests which texts each kind of setting accepts and refuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  cidr,
  hostName,
  httpOrigin,
  listenHost,
  listOf,
  oneOf,
  onOff,
  orOff,
  type Parser,
  Problem,
  plainText,
  publicUrl,
  secretBytes,
  solAmount,
  solanaAddress,
  urlOf,
  wholeNumber,
} from './parsers.ts';

const accepts = <T>(parser: Parser<T>, cases: Readonly<Record<string, T>>) => {
  for (const [text, value] of Object.entries(cases)) assert.deepEqual(parser.parse(text), value, text);
};
const refuses = (parser: Parser<unknown>, texts: readonly string[]) => {
  for (const text of texts) assert.ok(parser.parse(text) instanceof Problem, text);
};

test('whole numbers are bounded and accepted in decimal notation only', () => {
  accepts(wholeNumber(0, 65_535), { 0: 0, 3000: 3000, 65535: 65_535, '007': 7 });
  refuses(wholeNumber(0, 65_535), [
    '65536',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '',
    ' 1',
    '١',
    '99999999999999999999',
  ]);
  refuses(wholeNumber(1, 5), ['0', '6']);
});

test('amounts of SOL are parsed exactly, with at most nine decimals', () => {
  accepts(solAmount(1_000), {
    '0.005': 5_000_000n,
    0: 0n,
    '0.000000001': 1n,
    '1e-3': 1_000_000n,
    1000: 1_000_000_000_000n,
    '0.10000000000': 100_000_000n,
  });
  refuses(solAmount(1_000), ['0.0000000001', '-1', '1000.000000001', 'NaN', 'Infinity', '1,5', '1e400']);
});

test('a setting that accepts fixed words accepts only exact matches', () => {
  accepts(oneOf('on', 'rest', 'off'), { on: 'on', rest: 'rest', off: 'off' });
  refuses(oneOf('on', 'rest', 'off'), ['ON', 'true', '1', '']);
  accepts(onOff, { on: true, off: false });
  refuses(onOff, ['true', '0', 'yes', 'On']);
  accepts(orOff(wholeNumber(0, 9)), { off: null, 0: 0, 9: 9 });
  refuses(orOff(wholeNumber(0, 9)), ['10', 'on', 'Off', '']);
});

test('texts are measured in bytes and contain no control characters', () => {
  accepts(plainText('text', 4), { abcd: 'abcd', éé: 'éé' });
  refuses(plainText('text', 4), ['abcde', 'ä€', 'a\nb', 'a\u0000', '']);
  refuses(plainText('dashes', 9, /^-+$/), ['a']);
});

test('addresses are base58 of exactly 32 bytes', () => {
  accepts(solanaAddress as Parser<string>, {
    So11111111111111111111111111111111111111112: 'So11111111111111111111111111111111111111112',
  });
  refuses(solanaAddress, [
    'So1111111111111111111111111111111111111111',
    '0OIl',
    `${'1'.repeat(33)}`,
    'https://x',
    'So11111111111111111111111111111111111111112 ',
  ]);
});

test('URLs keep path, query and credentials, and only the listed schemes are accepted', () => {
  accepts(urlOf('http', 'https'), {
    'https://u:p@h.example/x?k=1': 'https://u:p@h.example/x?k=1',
    'http://[::1]:8899': 'http://[::1]:8899/',
  });
  refuses(urlOf('http', 'https'), [
    'ws://h',
    'h.example',
    'https://',
    'javascript:alert(1)',
    'https://h/#part',
    // A WebSocket URL must not contain `#`, even though `url.hash` is empty here.
    'https://h/#',
    'file:///etc/passwd',
  ]);
  refuses(urlOf('ws', 'wss'), ['http://h']);
});

test('URLs that are shown must not contain credentials or a query', () => {
  accepts(publicUrl, {
    'https://explorer.solana.com/': 'https://explorer.solana.com',
    'http://localhost:3000/a/': 'http://localhost:3000/a',
  });
  refuses(publicUrl, [
    'https://u@h.example',
    'https://:p@h.example',
    'https://u:p@h.example',
    'https://h.example/?key=1',
    // Appending a path to one of these URLs would extend its query or fragment instead.
    'https://h.example/?',
    'https://h.example/a#',
    'ftp://h',
  ]);
});

test('an origin with a path is refused', () => {
  accepts(httpOrigin, {
    'https://Stake.Example.org': 'https://stake.example.org',
    'http://localhost:3000/': 'http://localhost:3000',
  });
  refuses(httpOrigin, ['https://h.example/app', 'https://u@h.example', 'h.example', '*', 'null']);
});

test('a host name must be a valid Host header', () => {
  accepts(hostName, {
    'Stake.example.org': 'stake.example.org',
    'localhost:3000': 'localhost:3000',
    '[::1]:80': '[::1]:80',
    '10.0.0.7': '10.0.0.7',
  });
  refuses(hostName, ['https://h', 'h/x', 'a b', '*', '*.example.org', 'h:999999', '']);
  accepts(listenHost, { '0.0.0.0': '0.0.0.0', '::': '::', localhost: 'localhost' });
  refuses(listenHost, ['http://x', 'a b', '[::1]', '-x']);
});

test('a network must have a prefix that does not include every address', () => {
  accepts(cidr, {
    '10.0.0.0/8': '10.0.0.0/8',
    '192.0.2.7': '192.0.2.7/32',
    '::1': '::1/128',
    'fd00::/8': 'fd00::/8',
    '128.0.0.0/1': '128.0.0.0/1',
    'fd00::/128': 'fd00::/128',
  });
  refuses(cidr, [
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0.0/1000',
    '10.0.0.0/x',
    '10.0.0.0/',
    '10.0.0/8',
    'fd00::/129',
    '10.0.0.0/8/8',
    'example.org',
    '10.0.0.0/-1',
    '010.0.0.1',
  ]);
});

test('every invalid list entry is reported with its position', () => {
  const ports = listOf(wholeNumber(1, 9));
  assert.deepEqual(ports.parse('1, 2,3'), [1, 2, 3]);
  const problem = ports.parse('0,5,x');
  assert.ok(problem instanceof Problem);
  assert.match(problem.text, /^entry 1 must.*; entry 3 must/);
  refuses(ports, ['1,,2', ',', '1,']);
});

test('a server secret is accepted in hexadecimal and in base64', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 64 }), (bytes) => {
      fc.pre(new Set(bytes).size >= 8);
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        assert.deepEqual(secretBytes.parse(Buffer.from(bytes).toString(encoding)), bytes);
      }
    }),
    { seed: 20_261_101, numRuns: 200 },
  );
});

test('a server secret consists of 32 to 256 bytes, at least 8 of them different', () => {
  const bytes = (length: number, different: number) =>
    Buffer.from(Array.from({ length }, (_, index) => (index % different) * 9 + 1));
  for (const encoding of ['hex', 'base64'] as const) {
    for (const whole of [bytes(32, 8), bytes(256, 200)])
      assert.deepEqual(secretBytes.parse(whole.toString(encoding)), new Uint8Array(whole));
    refuses(secretBytes, [bytes(257, 200).toString(encoding), bytes(64, 7).toString(encoding)]);
  }
  refuses(secretBytes, [bytes(31, 31).toString('base64'), bytes(31, 31).toString('hex')]);
  // Decoded as base64, this truncated hexadecimal text would yield 47 bytes.
  refuses(secretBytes, [bytes(32, 32).toString('hex').slice(1), bytes(40, 40).toString('hex').slice(1)]);
});

test('a short, repetitive or malformed server secret is refused, with the reason', () => {
  refuses(secretBytes, [
    'abcd',
    'password',
    '00'.repeat(32),
    'ab'.repeat(40),
    `${'A'.repeat(43)}=`,
    'long enough, but not base64',
    'zz'.repeat(200),
  ]);
});

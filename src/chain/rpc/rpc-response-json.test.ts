// No integer in an RPC response is rounded, and nothing else is changed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseRpcJson } from './rpc-response.ts';

describe('parseRpcJson', () => {
  it('keeps every u64 exactly, as a bigint where a double would round it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }), (value) => {
        const { n } = parseRpcJson(`{"n":${value}}`) as { n: number | bigint };
        assert.equal(BigInt(n), value);
        assert.equal(typeof n, Number.isSafeInteger(Number(value)) ? 'number' : 'bigint');
      }),
    );
  });

  it('reads 2^64-1, the placeholder for no epoch, to the last digit', () => {
    assert.deepEqual(parseRpcJson('[18446744073709551615]'), [2n ** 64n - 1n]);
  });

  it('parses digits in strings, fractions and exponents like JSON.parse', () => {
    const text = '{"s":"12345678901234567890","f":0.123456789012345,"e":1e21,"big":9007199254740993}';
    assert.deepEqual(parseRpcJson(text), {
      s: '12345678901234567890',
      f: 0.123456789012345,
      e: 1e21,
      big: 9007199254740993n,
    });
  });

  it('equals JSON.parse for any value without long integers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\d{16}/.test(text));
        assert.deepEqual(parseRpcJson(text), JSON.parse(text));
      }),
    );
  });

  it('throws on text that is not JSON', () => {
    assert.throws(() => parseRpcJson('<html>502 Bad Gateway</html>'), SyntaxError);
  });
});

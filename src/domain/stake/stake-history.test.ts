import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeStakeHistory } from './stake-history.ts';

const SYSVAR_BYTES = 16_392;

const encode = (rows: readonly (readonly bigint[])[], bytes = SYSVAR_BYTES): Uint8Array => {
  const data = new Uint8Array(bytes);
  const view = new DataView(data.buffer);
  view.setBigUint64(0, BigInt(rows.length), true);
  for (const [i, value] of rows.flat().entries()) view.setBigUint64(8 + 8 * i, value, true);
  return data;
};

test('every entry is decoded under its epoch, even in a padded account inside a larger buffer', () => {
  const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  const row = fc.tuple(u64, u64, u64, u64);
  fc.assert(
    fc.property(
      fc.uniqueArray(row, { maxLength: 512, selector: (r) => r[0] }),
      fc.nat(64),
      (rows, offset) => {
        const larger = new Uint8Array(offset + SYSVAR_BYTES);
        larger.set(encode(rows), offset);
        const history = decodeStakeHistory(larger.subarray(offset));
        assert.equal(history.size, rows.length);
        for (const [epoch, effectiveLamports, activatingLamports, deactivatingLamports] of rows) {
          assert.deepEqual(history.get(epoch), {
            effectiveLamports,
            activatingLamports,
            deactivatingLamports,
          });
        }
      },
    ),
    { numRuns: 30 },
  );
});

test('a truncated history is refused, never read partially', () => {
  assert.throws(() => decodeStakeHistory(new Uint8Array(7)), RangeError);
  assert.throws(() => decodeStakeHistory(encode([[1n, 2n, 3n, 4n]], 40).subarray(0, 39)), RangeError);
  const rows = (count: number) =>
    Array.from({ length: count }, (_, epoch) => [BigInt(epoch), 1n, 2n, 3n] as const);
  assert.equal(decodeStakeHistory(encode(rows(512))).size, 512);
  assert.equal(decodeStakeHistory(encode(rows(512)).subarray(0, 8 + 512 * 32)).size, 512);
  assert.throws(() => decodeStakeHistory(encode(rows(513), 20_000)), RangeError);
  const lying = encode([]);
  new DataView(lying.buffer).setBigUint64(0, 513n, true);
  assert.throws(() => decodeStakeHistory(lying), RangeError);
});

test('a history without entries is decoded as an empty history', () => {
  assert.equal(decodeStakeHistory(encode([], 8)).size, 0);
});

// Tests the text output: aligned columns, exact numbers, and sanitized external text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPairs, formatTable } from './align-columns.ts';
import { count, instant, percent, shortAddress, sol, timeZoneLine } from './format-cells.ts';
import { plain, plainJson, plainResponse } from './plain-text.ts';

test('columns are aligned under their titles, numbers to the right, ignoring color codes', () => {
  const painted = { text: 'active', paint: (text: string) => `<${text}>` };
  assert.deepEqual(
    formatTable(
      [{ title: 'NAME' }, { title: 'SOL', align: 'right' }, { title: 'STATE' }],
      [
        ['a', '12.5', painted],
        ['longer', '3', 'x'],
      ],
    ),
    ['NAME     SOL  STATE', 'a       12.5  <active>', 'longer     3  x'],
  );
  assert.deepEqual(formatTable([{ title: 'NAME' }], []), []);
});

test('a table that is too wide gets shorter addresses, and keeps everything else', () => {
  const columns = [{ title: 'ACCOUNT', shorten: shortAddress }, { title: 'STATE' }];
  const rows = [['3ZTAcn6Vx96eWEeZz5PS28Ng6oXaaHbLyi4G2TqQmeLR', 'deactivating']];
  const wide = formatTable(columns, rows);
  assert.equal(wide[1]!.length, 58);
  assert.deepEqual(formatTable(columns, rows, 58), wide);
  assert.deepEqual(formatTable(columns, rows, 57), ['ACCOUNT    STATE', '3ZTA…meLR  deactivating']);
});

test('columns with wide letters, emoji and combining marks are aligned as well', () => {
  const found = ['漢字', '한글', '😀', 'e\u0301te\u0301', 'abc', 'ﾊﾝｶｸ'];
  assert.deepEqual(
    formatTable(
      [{ title: 'FOUND' }, { title: 'PROBLEM' }],
      found.map((text) => [text, '|']),
    ),
    ['FOUND  PROBLEM', '漢字   |', '한글   |', '😀     |', 'e\u0301te\u0301    |', 'abc    |', 'ﾊﾝｶｸ   |'],
  );
});

test('names and values are in two columns, and absent values are omitted', () => {
  assert.deepEqual(formatPairs([['a', '1'], null, ['bcd', '']]), ['a    1', 'bcd']);
});

test('amounts keep all decimals and have digit groups, and unknown values are shown as a dash', () => {
  assert.deepEqual([0.000000001, 1234567.5, 0, null, undefined].map(sol), [
    '0.000000001',
    '1,234,567.5',
    '0',
    '-',
    '-',
  ]);
  assert.deepEqual([1000, null].map(count), ['1,000', '-']);
  assert.deepEqual([6.849, null].map(percent), ['6.85%', '-']);
});

test('times are shown in the time zone of this machine, whose name is shown too', () => {
  const before = process.env.TZ;
  process.env.TZ = 'Asia/Tokyo';
  try {
    assert.equal(instant('2026-11-21T20:05:59.123Z'), '2026-11-22 05:05');
    assert.equal(instant('2026-11-21T20:05:59.123Z', 'second'), '2026-11-22 05:05:59');
    assert.equal(timeZoneLine(), 'Times in Asia/Tokyo.');
    assert.deepEqual([instant(null), instant('\u001bsoon')], ['-', '\ufffdsoon']);
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});

test('external text cannot move the cursor, break a line or change the reading direction', () => {
  const text = plain('a\u001b[31mb\nc\r\u0007\u009b1mé\u202ed\u2066\u200be\ufefff\u2028g\u00adh');
  assert.equal(text, 'a\ufffd[31mb\ufffdc\ufffd\ufffd\ufffd1mé\ufffdd\ufffd\ufffde\ufffdf\ufffdg\ufffdh');
  assert.equal(plain(null), 'null');
});

test('every field of a response is sanitized, including names and lists, and its shape is preserved', () => {
  const response = { a: 'x\n', 'b\u001b': [{ c: '\u009b' }, 7, null, true, undefined], __proto__: null };
  assert.deepEqual(plainResponse(response), {
    a: 'x\ufffd',
    'b\ufffd': [{ c: '\ufffd' }, 7, null, true, undefined],
  });
  assert.equal(response.a, 'x\n', 'the response itself is unchanged');
  assert.deepEqual(
    plainResponse(JSON.parse('{"__proto__":{"a":"\\n"}}')),
    JSON.parse('{"__proto__":{"a":"\ufffd"}}'),
  );
});

test('indented JSON parses to the same document and contains no control characters', () => {
  const value = { text: 'a\n\u001b\u007f\u009b\u202e\ufeff\u2028\u{e0041}ž漢😀', list: [1, { deep: [] }] };
  const shown = plainJson(value);
  assert.deepEqual(JSON.parse(shown), value);
  assert.doesNotMatch(shown.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\u2028\u2029]/u);
  assert.match(shown, /ž漢😀/);
});

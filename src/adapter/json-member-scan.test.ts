import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MalformedJson, type ScannedMember, scanMembers, unescapeInPlace } from './json-member-scan.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array, start = 0, end = bytes.length): string =>
  new TextDecoder().decode(bytes.subarray(start, end));

/** Returns the fields named `name`: raw name, value, depth and enclosing names. */
const found = (json: string, name = 'k') => {
  const bytes = bytesOf(json);
  const members: ScannedMember[] = [];
  scanMembers(
    bytes,
    (unescaped) => textOf(unescaped) === name,
    (member) => members.push(member),
  );
  return members.map(({ nameStart, nameEnd, valueStart, valueEnd, depth, within }) => [
    textOf(bytes, nameStart, nameEnd),
    textOf(bytes, valueStart, valueEnd),
    depth,
    Array.from({ length: within.length / 2 }, (_, i) => textOf(bytes, within[2 * i], within[2 * i + 1])),
  ]);
};

test('a scan finds a field at its position, with any value and any surrounding whitespace', () => {
  for (const value of ['"a,b}"', '-0.5e+3', 'true', 'null', '[1,{"x":[]}]', '{}', '""'])
    assert.deepEqual(found(` {\t"a" : 1 ,\r\n"k" :  ${value} } `), [['k', value, 1, []]]);
});

test('inner fields are reported before outer ones, with the enclosing names; a list counts as a level without a name', () => {
  assert.deepEqual(found('{"k":{"ä":[{"k":1},{"b":{"k":2}}]},"k":3}'), [
    ['k', '1', 4, ['k', 'ä']],
    ['k', '2', 5, ['k', 'ä', 'b']],
    ['k', '{"ä":[{"k":1},{"b":{"k":2}}]}', 1, []],
    ['k', '3', 1, []],
  ]);
});

test('names are compared after unescaping and reported as written, and a value is never mistaken for a name', () => {
  assert.deepEqual(found('{"\\u006b":1,"\\u006B":2,"\\\\k":3,"K":4,"kk":5,"v":"k"}'), [
    ['\\u006b', '1', 1, []],
    ['\\u006B', '2', 1, []],
  ]);
  // A non-ASCII character in a name, escaped or not, never matches `?`.
  assert.deepEqual(
    found('{"\\u00e9":1,"?":2}', '?').map(([, value]) => value),
    ['1', '2'],
  );
});

test('a document that is cut off at any byte is refused as malformed JSON', () => {
  const whole = '{"k":[1.5e-3,"\\u00e9ä\\n",true,false,null,{"x":-0}]}';
  assert.equal(found(whole).length, 1);
  const bytes = bytesOf(whole);
  for (let length = 0; length < bytes.length; length += 1)
    assert.throws(
      () =>
        scanMembers(
          bytes.subarray(0, length),
          () => false,
          () => {},
        ),
      MalformedJson,
    );
});

for (const [what, text] of [
  ['a trailing comma', '{"k":1,}'],
  ['no comma', '{"k":1"b":2}'],
  ['no colon', '{"k"1}'],
  ['a name without quotes', '{k:1}'],
  ['single quotes', "{'k':1}"],
  ['a second document', '{"k":1}{}'],
  ['a number with a leading zero', '{"k":01}'],
  ['a number that ends with a decimal point', '{"k":1.}'],
  ['a decimal point without a digit before it', '{"k":.5}'],
  ['a plus sign', '{"k":+1}'],
  ['an exponent without digits', '{"k":1e}'],
  ['a lone sign', '{"k":-}'],
  ['an unknown literal', '{"k":nul}'],
  ['a literal with an extra letter', '{"k":truely}'],
  ['a control character in a string', '{"k":"a\u0001"}'],
  ['a line break in a name', '{"k\n":1}'],
  ['an unknown escape', '{"k":"\\x41"}'],
  ['a unicode escape with a letter beyond F', '{"k":"\\u00g0"}'],
  ['a byte order mark', '\ufeff{"k":1}'],
  ['a whitespace character that JSON does not allow', '{"k":\u00a01}'],
] as const)
  test(`${what} is not JSON`, () => {
    assert.throws(() => found(text), MalformedJson);
    assert.throws(() => JSON.parse(text), SyntaxError);
  });

test('a document nested 64 levels deep is accepted, and one nested 65 levels deep is refused', () => {
  const nested = (depth: number) => `${'{"k":'.repeat(depth)}1${'}'.repeat(depth)}`;
  assert.equal(found(nested(64)).length, 64);
  assert.throws(() => found(nested(65)), MalformedJson);
  assert.throws(() => found('['.repeat(100_000)), MalformedJson);
});

test('the error message contains none of the input', () => {
  assert.throws(
    () => found('{"MARKED"'),
    (error: Error) => !`${error.stack}${error.message}`.includes('MARKED'),
  );
});

test('escapes are replaced in place, which shortens the result, and a non-ASCII character becomes a question mark', () => {
  for (const [content, meant] of [
    ['plain', 'plain'],
    ['a\\"\\\\\\/b', 'a"\\/b'],
    ['\\b\\f\\n\\r\\t', '\b\f\n\r\t'],
    ['\\u0041\\u007f\\u0000', 'A\u007f\u0000'],
    ['\\u0080\\ud83d\\ude00', '???'],
    ['', ''],
  ] as const) {
    const bytes = bytesOf(`"${content}"`);
    const result = unescapeInPlace(bytes, 1, bytes.length - 1);
    assert.equal(textOf(result), meant);
    assert.equal(result.buffer, bytes.buffer);
  }
});

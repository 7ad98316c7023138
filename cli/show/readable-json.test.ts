// Tests that indented JSON has the same content as the original, to the last digit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableJson } from './readable-json.ts';

test('the indented document has the same content, and no number is rounded', () => {
  const text =
    '{"a":[],"b":{},"c":[1,{"d":"x: {\\"y\\", []}\\\\"}],"big":9007199254740993,"e":1e-9,"f":null,"g":[true,-0.5]}';
  const readable = readableJson(text);
  assert.equal(readable.replaceAll(/\n\s*|(?<=":) (?=\S)/g, ''), text);
  assert.deepEqual(JSON.parse(readable), JSON.parse(text));
  assert.equal(readableJson('{"a":[1,{"b":"c"}]}'), JSON.stringify({ a: [1, { b: 'c' }] }, null, 2));
  assert.equal(readableJson('[]'), '[]');
});

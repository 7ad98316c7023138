// A JSON mistake in the profile is reported by line and column, never with its text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonSyntaxProblem } from './json-syntax.ts';

test('line and column point to the first character that cannot be valid JSON', () => {
  const long = `"${'x'.repeat(5_000)}"`;
  for (const [text, place, words] of [
    ['{\n  "name": "A",\n}', 'line 3, column 1', /remove the comma before it/],
    ['{"links": [1, ]}', 'line 1, column 15', /remove the comma before it/],
    ['{\n  name: "A"}', 'line 2, column 3', /expected property name/],
    ['{\n  "name": "A"\n  "hero": 1\n}', 'line 3, column 3', /expected ',' or '}'/],
    ['{"name": Aurora}', 'line 1, column 10', /unexpected character/],
    [`{"a": ${long},\n\n "b": [1, geheim, ${long}]}`, 'line 3, column 11', /unexpected character/],
    ['// ours\n{}', 'line 1, column 1', /unexpected character/],
    ['{“name”: 1}', 'line 1, column 2', /expected property name/],
    ['{\n  "name": trux}', 'line 2, column 14', /unexpected character/],
    ['{"name":\n', 'line 2, column 1', /ends unexpectedly/],
    ['', 'line 1, column 1', /ends unexpectedly/],
    ['{}\ngeheim', 'line 2, column 1', /non-whitespace character after JSON/],
  ] as const) {
    const told = jsonSyntaxProblem(text);
    assert.ok(told.startsWith(`${place}: `), `${text.slice(0, 40)}: ${told}`);
    assert.match(told, words);
    assert.doesNotMatch(told, /geheim|xxx|Aurora/);
  }
});

// Tests that every field of every route refuses wrong values in this service's own words and never in those of
// the schema library.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInput } from '../../adapter/validation-issues.ts';
import { allRoutes } from './all-routes.ts';

const WRONG = [
  null,
  '',
  'x'.repeat(10_000),
  'no such value',
  7,
  1e300,
  -1,
  0.5,
  true,
  [],
  [1],
  ['x'],
  {},
  { x: 1 },
];
/** Accepted beginnings of messages: a rule, or an exact text from the specification. */
const OURS = /^(must |is |has |does not |names )|^callbackUrl|^either /;

for (const { method, path, operation } of allRoutes)
  test(`${method} ${path}`, () => {
    for (const [name, schema] of Object.entries(operation.input.shape))
      for (const value of WRONG)
        for (const { message } of parseInput(schema as never, value).issues) {
          assert.match(message, OURS, `${name}: ${JSON.stringify(value).slice(0, 40)}`);
          assert.doesNotMatch(message, /is not valid$|undefined|\bexpected\b|received/, name);
        }
  });

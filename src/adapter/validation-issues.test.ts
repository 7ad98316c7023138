// Validation issues contain the path and the rule, once per mistake, and no part of the input.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { z } from 'zod';
import { parseInput } from './validation-issues.ts';

const schema = z.object({
  names: z.array(z.string().min(2)).min(1).max(4),
  count: z.int().min(1),
  place: z.strictObject({ city: z.string() }).optional(),
});

const issuesOf = (input: unknown): readonly string[] =>
  parseInput(schema, input).issues.map(({ path, code, message }) => `${path} ${code} ${message}`);

it('a value of the wrong type gets only that issue', () => {
  assert.deepEqual(issuesOf({ names: 'private text', count: 1 }), [
    'names invalid_type must be a list, not a string',
  ]);
  assert.deepEqual(issuesOf({ names: ['ab', 7], count: 1.5 }), [
    'names.1 invalid_type must be a string, not a number',
    'count invalid_type must be a whole number',
  ]);
  // Every value in a query is a string, so only a body can contain a quoted number by mistake.
  assert.deepEqual(issuesOf({ names: ['ab'], count: 'abc' }), ['count invalid_type must be a number']);
  assert.deepEqual(issuesOf({ names: ['ab'], count: '5' }), [
    'count invalid_type must be a number, not a string',
  ]);
});

it('every invalid field is reported, and a value of the right type with every rule that it breaks', () => {
  assert.deepEqual(issuesOf({ names: ['a', 'b'], count: 0 }), [
    'names.0 too_small must have at least 2 characters',
    'names.1 too_small must have at least 2 characters',
    'count too_small must be at least 1',
  ]);
  assert.deepEqual(issuesOf({ names: [], count: 2 ** 60 }), [
    'names too_small must not be empty',
    'count too_big must be at most 9007199254740991',
  ]);
});

it('missing fields are reported at any depth', () => {
  assert.deepEqual(issuesOf({ place: {} }), [
    'names required is required',
    'count required is required',
    'place.city required is required',
  ]);
  assert.deepEqual(issuesOf(undefined), [' invalid_type must be an object']);
});

it('unknown field names are not repeated', () => {
  const issues = issuesOf({ names: ['ab'], count: 1, place: { city: 'x', whsec_private: 1 } });
  assert.deepEqual(issues, ['place unrecognized_keys has unknown members']);
});

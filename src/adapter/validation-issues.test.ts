// What a caller is told of a refused input: where, which rule, once for each mistake, and nothing of what was sent.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { z } from 'zod';
import { toValidationIssues } from './validation-issues.ts';

const schema = z.object({
  names: z.array(z.string().min(2)).min(1).max(4),
  count: z.int().min(1),
  place: z.strictObject({ city: z.string() }).optional(),
});

const issuesOf = (input: unknown): readonly string[] => {
  const { error } = schema.safeParse(input);
  return toValidationIssues(error?.issues ?? [], input).map(
    ({ path, code, message }) => `${path} ${code} ${message}`,
  );
};

it('a value of the wrong type is said to be that, and nothing else', () => {
  assert.deepEqual(issuesOf({ names: 'private text', count: 1 }), [
    'names invalid_type Invalid input: expected array, received string',
  ]);
  assert.deepEqual(issuesOf({ names: ['ab', 7], count: 1.5 }), [
    'names.1 invalid_type Invalid input: expected string, received number',
    'count invalid_type Invalid input: expected int, received number',
  ]);
});

it('every mistake of another member is told, and every rule that a value of the right type breaks', () => {
  const rules = (input: unknown) => issuesOf(input).map((text) => text.split(' ').slice(0, 2).join(' '));
  assert.deepEqual(rules({ names: ['a', 'b'], count: 0 }), [
    'names.0 too_small',
    'names.1 too_small',
    'count too_small',
  ]);
  assert.deepEqual(rules({ names: [], count: 2 ** 60 }), ['names too_small', 'count too_big']);
});

it('what is missing is required, wherever it should stand', () => {
  assert.deepEqual(issuesOf({ place: {} }), [
    'names required is required',
    'count required is required',
    'place.city required is required',
  ]);
  assert.deepEqual(issuesOf(undefined), [' invalid_type Invalid input: expected object, received undefined']);
});

it('names that a caller made up are not repeated', () => {
  const issues = issuesOf({ names: ['ab'], count: 1, place: { city: 'x', whsec_private: 1 } });
  assert.deepEqual(issues, ['place unrecognized_keys has unknown members']);
});

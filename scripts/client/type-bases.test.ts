// Tests that a type extends another one only if it contains all of its fields unchanged, so each field is
// described in one place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { oas31 } from 'zod-openapi';
import { baseOf, membersBeside, type NamedSchema } from './type-bases.ts';

const members = (names: string, type: 'string' | 'integer' = 'string') =>
  Object.fromEntries([...names].map((name) => [name, { type } as const]));

const named = (
  name: string,
  properties: oas31.SchemaObject['properties'],
  required?: string[],
): NamedSchema => ({
  name,
  schema: { type: 'object', ...(properties ? { properties } : {}), ...(required ? { required } : {}) },
});

const small = named('Small', members('abcdef'));
const middle = named('Middle', members('abcdefg'));
const large = named('Large', members('abcdefgh'));

test('the base is the largest type that is contained completely, and never a type with few fields', () => {
  assert.equal(baseOf(large, [small, large, middle]), middle);
  assert.equal(baseOf(middle, [large, middle, small]), small);
  assert.equal(baseOf(small, [small, middle, large]), undefined);
  const few = named('Few', members('abcde'));
  assert.equal(baseOf(small, [few, small]), undefined);
});

test('a field does not match if its type differs or if it is optional in only one of the two types', () => {
  const other = named('Other', { ...members('abcde'), ...members('f', 'integer') });
  assert.equal(baseOf(large, [other, large]), undefined);
  const certain = named('Certain', members('abcdef'), ['a']);
  assert.equal(baseOf(large, [certain, large]), undefined);
  // No field is required in either schema, which they express in different ways.
  assert.equal(baseOf(large, [named('Listed', members('abcdef'), []), large])?.name, 'Listed');
});

test('of two equal types, the later one extends the first', () => {
  const twin = named('Twin', members('abcdef'));
  assert.equal(baseOf(twin, [small, twin]), small);
  assert.equal(baseOf(small, [small, twin]), undefined);
});

test('a type lists only the fields that its base lacks', () => {
  assert.deepEqual(Object.keys(membersBeside(large.schema, small.schema).properties ?? {}), ['g', 'h']);
});

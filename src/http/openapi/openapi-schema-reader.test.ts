import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { oas31 } from 'zod-openapi';
import { createSchemaReader } from './openapi-schema-reader.ts';

const reader = createSchemaReader({
  openapi: '3.1.0',
  info: { title: 'example', version: '1' },
  components: {
    schemas: {
      Lockup: {
        type: 'object',
        description: 'Who may withdraw.',
        properties: { epoch: { type: 'integer', minimum: 0 } },
        required: ['epoch'],
      },
    },
  },
});
const LOCKUP = { $ref: '#/components/schemas/Lockup' };
const orNull = (schema: oas31.SchemaObject | oas31.ReferenceObject, around: oas31.SchemaObject = {}) => ({
  anyOf: [schema, { type: 'null' as const }],
  ...around,
});
const rowsOf = (member: oas31.SchemaObject | oas31.ReferenceObject, deep = false) =>
  reader.rows({ type: 'object', properties: { member }, required: ['member'] }, deep);
const amount: oas31.SchemaObject = {
  type: 'number',
  exclusiveMinimum: 0,
  description: 'An amount.',
  examples: [1.5],
};

test('a nullable field has its own description, or else that of its type', () => {
  for (const [schema, description] of [
    [orNull(amount), 'An amount.'],
    [orNull(amount, { description: 'Everything where null.' }), 'Everything where null.'],
    [orNull(LOCKUP), 'Who may withdraw.'],
    [orNull({ type: 'string' }), ''],
  ] as const)
    assert.equal(rowsOf(schema)[0]?.description, description);
  assert.deepEqual(rowsOf(orNull(amount))[0], {
    name: 'member',
    type: 'number > 0 or null',
    required: true,
    description: 'An amount.',
  });
});

test('a nullable field has its own example, or else that of its type', () => {
  assert.equal(reader.example(orNull(amount)), 1.5);
  assert.equal(reader.example(orNull(amount, { examples: [7] })), 7);
  assert.equal(
    reader.example(orNull(amount, { default: 3 })),
    1.5,
    'an example takes precedence over a default',
  );
  assert.deepEqual(reader.example(orNull(LOCKUP)), { epoch: 0 });
  assert.equal(reader.example(orNull({ type: 'string' }), 'walletAddress'), '<WALLET_ADDRESS>');
});

test('nested fields are prefixed with the names of their parents, even in lists and nullable fields', () => {
  assert.deepEqual(
    rowsOf(orNull({ type: 'array', items: orNull(LOCKUP) }), true).map(({ name, type }) => [name, type]),
    [
      ['member', 'array of object or null or null'],
      ['member[].epoch', 'integer ≥ 0'],
    ],
  );
  assert.equal(rowsOf(orNull(LOCKUP)).length, 1, 'only the top level is listed by default');
});

test('a field that accepts several types lists all of them', () => {
  const either = { oneOf: [{ type: 'string' as const }, LOCKUP, { type: 'null' as const }] };
  assert.equal(reader.typeName(either), 'string or object or null');
  assert.equal(reader.example(either, 'memo'), '<MEMO>');
});

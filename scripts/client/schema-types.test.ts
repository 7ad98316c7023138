// Tests that schemas are converted to TypeScript as a person would write it: fields with descriptions, limits
// and defaults, unions, and names for shared parts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnySchema, docstring, neededComponents, writeMembers, writeType } from './schema-types.ts';

const ANSWER = { exactAmounts: false };
const INPUT = { exactAmounts: true };
const type = (schema: object, name = 'x'): string => writeType(schema as AnySchema, ANSWER, '', name);

test('scalars, literals, unions and names of shared types are converted to TypeScript', () => {
  assert.equal(type({ type: 'integer' }), 'number');
  assert.equal(type({ type: ['string', 'null'] }), 'string | null');
  assert.equal(type({ enum: ['a', 'b'] }), "'a' | 'b'");
  assert.equal(type({ const: false }), 'false');
  assert.equal(type({ $ref: '#/components/schemas/StakeAccount' }), 'StakeAccount');
  assert.equal(type({ anyOf: [{ type: 'number' }, { type: 'null' }, { type: 'number' }] }), 'number | null');
  assert.equal(type({}), 'unknown');
});

test('lists and maps are converted to TypeScript', () => {
  assert.equal(type({ type: 'array', items: { type: 'string' } }), 'readonly string[]');
  assert.equal(type({ type: 'array', items: { enum: ['a', 'b'] } }), "ReadonlyArray<'a' | 'b'>");
  assert.equal(
    type({ type: 'object', additionalProperties: { type: 'integer' } }),
    'Readonly<Record<string, number>>',
  );
  assert.equal(type({ type: 'object' }), 'Readonly<Record<string, unknown>>');
});

test('amounts may be text in inputs and are numbers in responses', () => {
  assert.equal(writeType({ type: 'number' }, INPUT, '', 'amountSol'), 'SolAmount');
  assert.equal(writeType({ type: 'number' }, INPUT, '', 'durationDays'), 'number');
  assert.equal(type({ type: 'number' }, 'amountSol'), 'number');
});

test('fields have descriptions, limits and defaults, and optional fields may be absent', () => {
  const schema = {
    type: 'object' as const,
    properties: {
      limit: { type: 'integer' as const, description: 'How many.', minimum: 1, maximum: 200, default: 50 },
      '1_sign': { type: 'string' as const },
      at: { type: 'string' as const, format: 'date-time' },
      count: {
        type: 'integer' as const,
        minimum: -Number.MAX_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
      },
    },
    required: ['1_sign', 'at', 'count'],
  };
  assert.equal(
    writeMembers(schema, ANSWER, '  '),
    [
      '  /** How many. At least 1. At most 200. Default 50. */',
      '  readonly limit?: number | undefined;',
      "  readonly '1_sign': string;",
      '  /** ISO 8601. */',
      '  readonly at: string;',
      '  readonly count: number;',
      '',
    ].join('\n'),
  );
});

test('a nullable field keeps the description of its type', () => {
  const schema = {
    type: 'object' as const,
    properties: {
      slot: { anyOf: [{ type: 'integer' as const, description: 'Slot.' }, { type: 'null' as const }] },
    },
    required: ['slot'],
  };
  assert.equal(writeMembers(schema, ANSWER, ''), '/** Slot. */\nreadonly slot: number | null;\n');
});

test('docstrings are wrapped, keep their paragraphs, and cannot be terminated by their text', () => {
  assert.equal(docstring(''), '');
  assert.equal(docstring('Short.', '  '), '  /** Short. */\n');
  assert.equal(docstring('a */ b'), '/** a *\\/ b */\n');
  const long = docstring(`${'word '.repeat(40)}\n\nend`);
  const lines = long.trimEnd().split('\n');
  assert.ok(lines.every((line) => line.length <= 108));
  assert.deepEqual([lines[0], lines.at(-3), lines.at(-2), lines.at(-1)], ['/**', ' *', ' * end', ' */']);
});

test('shared types are found through other types, even in cycles', () => {
  const components = {
    A: { type: 'object' as const, properties: { b: { $ref: '#/components/schemas/B' } } },
    B: { type: 'object' as const, properties: { a: { $ref: '#/components/schemas/A' } } },
    C: { type: 'object' as const },
  };
  assert.deepEqual(
    [...neededComponents({ items: { $ref: '#/components/schemas/A' } }, components)],
    ['A', 'B'],
  );
});

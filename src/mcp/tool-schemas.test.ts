// Tests that tool schemas are self-contained, use the tool's argument names, and accept responses with
// additional fields.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { AnyOperation } from '../operations/operation.ts';
import type { McpTool } from './tool.ts';
import { inputSchemaOf, outputSchemaOf } from './tool-schemas.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read members of a JSON Schema.
type Any = any;

const part = z.strictObject({ name: z.string() }).meta({ id: 'SchemaTestPart', description: 'A part.' });
const tool = (more: Partial<McpTool> = {}): McpTool =>
  ({
    operation: {
      summary: 'Does it',
      input: z.object({
        id: z.string().meta({ description: 'Which.' }),
        limit: z.number().int().max(9).default(5),
        amountSol: z.unknown().meta({ override: { type: 'number', exclusiveMinimum: 0 } }),
        note: z.string().optional(),
      }),
      output: z.strictObject({ parts: z.array(part), first: part.nullable() }),
    } as unknown as AnyOperation,
    ...more,
  }) as McpTool;

test('arguments have the tool’s names, descriptions and limits, and only mandatory ones are required', () => {
  const { type, properties, required } = inputSchemaOf(tool({ argumentNames: { id: 'webhookId' } })) as Any;
  assert.equal(type, 'object');
  assert.deepEqual(Object.keys(properties), ['webhookId', 'limit', 'amountSol', 'note']);
  assert.deepEqual(properties.webhookId, { type: 'string', description: 'Which.' });
  assert.deepEqual([properties.limit.default, properties.limit.maximum], [5, 9]);
  assert.deepEqual(properties.amountSol, { type: 'number', exclusiveMinimum: 0 });
  assert.deepEqual(
    required.filter((name: string) => name !== 'amountSol'),
    ['webhookId'],
  );
});

test('a tool without arguments requires none', () => {
  const none = { operation: { ...tool().operation, input: z.object({}) } } as unknown as Partial<McpTool>;
  assert.deepEqual(inputSchemaOf(tool(none)), { type: 'object', properties: {} });
});

test('the output schema lists the fields and their types, and also accepts failures and additional fields', () => {
  assert.deepEqual(outputSchemaOf(tool()), {
    type: 'object',
    properties: {
      parts: { type: 'array' },
      first: { type: ['object', 'null'] },
    },
  });
});

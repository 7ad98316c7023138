// Turns the schemas that judge a tool's arguments and shape its answers into JSON Schema for agents: whole in themselves, no references.
import { z } from 'zod';
import { errorBodySchema, metaSchema } from '../adapter/body-schemas.ts';
import type { McpTool } from './tool.ts';

/** A JSON Schema (draft 2020-12) of an object. */
export type ObjectSchema = { readonly type: 'object' } & Readonly<Record<string, unknown>>;

type Json = Record<string, unknown>;

// Notes for the OpenAPI document that mean nothing here.
const NOT_FOR_AGENTS = ['override', 'id', 'header', 'param'];

const convert = (schema: z.ZodType, io: 'input' | 'output'): Json =>
  z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const note = (z.globalRegistry.get(zodSchema) ?? {}) as Json;
      if (typeof note.override === 'object') Object.assign(jsonSchema, note.override);
      for (const name of NOT_FOR_AGENTS) delete (jsonSchema as Json)[name];
      // Members may be added later without breaking clients that check strictly.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }) as Json;

/** `schema` with every reference replaced by what it names; some clients follow none. */
const inlined = (schema: unknown, definitions: Json): unknown => {
  if (Array.isArray(schema)) return schema.map((item) => inlined(item, definitions));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, $defs: _defs, $schema: _schema, ...members } = schema as Json;
  const own = Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, inlined(value, definitions)]),
  );
  if (typeof $ref !== 'string') return own;
  return { ...(inlined(definitions[$ref.split('/').at(-1) ?? ''] ?? {}, definitions) as Json), ...own };
};

const whole = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const converted = convert(schema, io);
  return inlined(converted, (converted.$defs ?? {}) as Json) as Json;
};

const requiredOf = (schema: z.ZodType): unknown => whole(schema, 'output').required;

// What every answer and every failure carries is explained in the documentation; repeated in 29 tools it would only cost agents room.
const META = { type: 'object', required: requiredOf(metaSchema) };
const FAILURE = {
  title: 'failure',
  description: 'With isError: what happened, and what to do about it.',
  type: 'object',
  properties: {
    error: { type: 'string' },
    message: { type: 'string' },
    errorCode: { type: 'string' },
    suggestedAction: { type: 'string' },
    details: { type: 'array', items: { type: 'object' } },
    _meta: META,
  },
  required: requiredOf(errorBodySchema),
};

/** What a tool takes. */
export const inputSchemaOf = ({ operation, argumentNames = {} }: McpTool): ObjectSchema => {
  const { properties = {}, required, ...rest } = whole(operation.input, 'input');
  const named = (member: string): string => argumentNames[member] ?? member;
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties as Json).map(([member, schema]) => [named(member), schema]),
    ),
    ...(required === undefined ? {} : { required: (required as string[]).map(named) }),
  };
};

/**
 * What a tool gives: the answer, or the body of a failure. Both, because clients of the 2025 revisions check the structured content
 * of failures against this schema as well.
 */
export const outputSchemaOf = ({ operation: { output, summary } }: McpTool): ObjectSchema => {
  const { properties, required = [], ...rest } = whole(output, 'output');
  const success = {
    title: 'answer',
    description: summary,
    ...rest,
    properties: { ...(properties as Json), _meta: META },
    required: [...(required as string[]), '_meta'],
  };
  return { type: 'object', anyOf: [success, FAILURE] };
};

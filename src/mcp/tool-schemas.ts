// Turns the schemas that validate a tool's arguments and shape its answers into JSON Schema for agents: whole in themselves, no references.
import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { ADDRESS_PATTERN } from '../kernel/base58.ts';
import type { McpTool } from './tool.ts';

/** A JSON Schema (draft 2020-12) of an object. */
type ObjectSchema = { readonly type: 'object' } & Readonly<Record<string, unknown>>;

type Json = Record<string, unknown>;

// Notes for the OpenAPI document that mean nothing here.
const NOT_FOR_AGENTS = ['override', 'id', 'header', 'param', 'examples'];

const convert = (schema: z.ZodType, io: 'input' | 'output'): Json =>
  z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const note = (z.globalRegistry.get(zodSchema) ?? {}) as Json;
      if (typeof note.override === 'object') Object.assign(jsonSchema, note.override);
      for (const name of NOT_FOR_AGENTS) delete (jsonSchema as Json)[name];
      // The pattern says the lengths too: some 30 bytes for each address of each tool.
      if (jsonSchema.pattern === ADDRESS_PATTERN) {
        delete jsonSchema.minLength;
        delete jsonSchema.maxLength;
      }
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

/** The type of a list's items. Their values, and that they are objects, take more bytes than they help. */
const itemsOf = ({ enum: _, ...schema }: Json): Json => (schema.type === 'object' ? {} : { items: schema });

/** The part of a member's schema that agents get: its type, and for lists that of the items. */
const shallow = (schema: unknown): Json => {
  const { type, anyOf, items, enum: values } = schema as Json;
  if (Array.isArray(anyOf)) {
    const types = [...new Set(anyOf.flatMap((one) => shallow(one).type))];
    return types.includes(undefined) ? {} : { type: types.length === 1 ? types[0] : types };
  }
  return {
    ...(type === undefined ? {} : { type }),
    ...(type === 'string' && values !== undefined ? { enum: values } : {}),
    ...(type === 'array' && items !== undefined ? itemsOf(shallow(items)) : {}),
  };
};

/** What a tool takes. */
export const inputSchemaOf = ({ operation, instead, view, argumentNames = {} }: McpTool): ObjectSchema => {
  const other = instead?.operation.input.shape;
  // Of two operations only what both have is described once, and only what both require is required.
  const shape = Object.entries<z.ZodType>({
    ...operation.input.shape,
    ...other,
    ...operation.input.shape,
  }).map(([member, schema]) => [
    member,
    other === undefined || (member in other && member in operation.input.shape) ? schema : schema.optional(),
  ]);
  const input = z.object(Object.fromEntries(shape)).extend(view?.input.shape ?? {});
  const { properties = {}, required, ...rest } = whole(input, 'input');
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
 * What a tool gives, its own members only: 29 whole schemas took three quarters of `tools/list`, some 25,000 tokens of every agent that loads
 * it. The full shapes are in the OpenAPI document. Nothing is required, because clients of the 2025 revisions check the structured content
 * of failures against this schema as well.
 */
export const outputSchemaOf = ({ operation: { output } }: McpTool): ObjectSchema => {
  const { properties = {} } = whole(output, 'output');
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties as Json).map(([name, schema]) => [name, shallow(schema)]),
    ),
  };
};

/** Members, items and types of an answer, without words: what a reader needs to drop all that is not named. */
export interface AnswerShape {
  /** Absent: anything. */
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, AnswerShape>>;
  readonly items?: AnswerShape;
  readonly anyOf?: readonly AnswerShape[];
  readonly additionalProperties?: AnswerShape;
}

const SHAPE_MEMBERS = ['type', 'properties', 'items', 'anyOf', 'additionalProperties'];

const plainShape = (schema: Json): AnswerShape =>
  Object.fromEntries(
    Object.entries(typed(schema)).flatMap(([name, value]) => {
      if (!SHAPE_MEMBERS.includes(name) || typeof value === 'boolean') return [];
      if (name === 'type') return [[name, value]];
      if (Array.isArray(value)) return [[name, value.map(plainShape)]];
      if (name !== 'properties') return [[name, plainShape(value as Json)]];
      return [
        [
          name,
          Object.fromEntries(
            Object.entries(value as Json).map(([key, one]) => [key, plainShape(one as Json)]),
          ),
        ],
      ];
    }),
  );

/** `schema` with the type that its constants have. */
const typed = ({
  const: constant,
  enum: values = constant === undefined ? [] : [constant],
  ...schema
}: Json): Json => {
  const types = [...new Set((values as unknown[]).map((value) => (value === null ? 'null' : typeof value)))];
  return schema.type !== undefined || types.length === 0 ? schema : { ...schema, type: types };
};

/** The whole shape of what a tool or a resource gives. */
export const answerShapeOf = ({
  operation,
  instead,
  view,
}: Pick<McpTool, 'operation' | 'instead' | 'view'>): AnswerShape => {
  const outputs = [operation.output, instead?.operation.output, view?.output].filter(
    (one) => one !== undefined,
  );
  const shapes = outputs.map((output) => plainShape(whole(output, 'output')));
  return shapes.length === 1 ? shapes[0]! : { anyOf: shapes };
};

/** What `tools/list` shows of each of `tools`, in their order. Called once: turning schemas costs about a millisecond a tool. */
export const describeTools = (tools: readonly McpTool[]): readonly Tool[] =>
  tools.map((tool) => {
    const { name, title, description, annotations } = tool;
    return {
      ...{ name, title, description },
      inputSchema: inputSchemaOf(tool) as Tool['inputSchema'],
      outputSchema: outputSchemaOf(tool) as Tool['outputSchema'],
      annotations: { title, ...annotations },
    };
  });

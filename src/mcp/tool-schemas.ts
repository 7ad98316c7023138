// Converts the schemas of a tool's arguments and answers to self-contained JSON Schema for agents, without references.
import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { ADDRESS_PATTERN } from '../kernel/base58.ts';
import type { McpTool } from './tool.ts';

/** A JSON Schema (draft 2020-12) of an object. */
type ObjectSchema = { readonly type: 'object' } & Readonly<Record<string, unknown>>;

type Json = Record<string, unknown>;

// Keywords for the OpenAPI document that have no meaning here.
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
      // The pattern already implies the lengths, which would cost some 30 bytes per address and tool.
      if (jsonSchema.pattern === ADDRESS_PATTERN) {
        delete jsonSchema.minLength;
        delete jsonSchema.maxLength;
      }
      // Later versions may add members without breaking clients that validate strictly.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }) as Json;

/** Replaces every reference in `schema` with its target; some clients do not follow references. */
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

/** The type of a list's items. Agents do not need their values or that they are objects, and both would cost many bytes. */
const itemsOf = ({ enum: _, ...schema }: Json): Json => (schema.type === 'object' ? {} : { items: schema });

/** The part of a member's schema that agents receive: its type, and for lists the type of the items. */
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

/** Builds the input schema of a tool. */
export const inputSchemaOf = ({ operation, instead, view, argumentNames = {} }: McpTool): ObjectSchema => {
  const other = instead?.operation.input.shape;
  // For two operations, shared members are described once, and only members that both require are required.
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
 * The output schema of a tool, without nested members: 29 full schemas took three quarters of `tools/list`, some 25,000 tokens for every
 * agent that loads it. The OpenAPI document has the full shapes. No member is required, because clients of the 2025 revisions validate
 * the structured content of failures against this schema as well.
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

/** Members, items and types of an answer, without descriptions. Readers use it to drop unknown members. */
export interface AnswerShape {
  /** Absent: any type. */
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

/** Adds to `schema` the type of its constants. */
const typed = ({
  const: constant,
  enum: values = constant === undefined ? [] : [constant],
  ...schema
}: Json): Json => {
  const types = [...new Set((values as unknown[]).map((value) => (value === null ? 'null' : typeof value)))];
  return schema.type !== undefined || types.length === 0 ? schema : { ...schema, type: types };
};

/** The full shape of a tool's or resource's answer. */
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

/** The `tools/list` entries of `tools`, in their order. Called once, because converting schemas costs about a millisecond per tool. */
export const describeTools = (tools: readonly McpTool[]): readonly Tool[] =>
  tools.map((tool) => {
    const { name, title, description, annotations } = tool;
    return {
      name,
      title,
      description,
      inputSchema: inputSchemaOf(tool) as Tool['inputSchema'],
      outputSchema: outputSchemaOf(tool) as Tool['outputSchema'],
      annotations: { title, ...annotations },
    };
  });

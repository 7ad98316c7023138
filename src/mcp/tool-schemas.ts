// Converts the schemas of a tool's arguments and responses to self-contained JSON Schema without references,
// for agents.
import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { inlineReferences } from '../kernel/inline-references.ts';
import { agentSchemas, tableFormatSchema } from '../operations/shared-schemas.ts';
import type { McpTool } from './tool.ts';

/** A JSON Schema (draft 2020-12) of an object. */
type ObjectSchema = { readonly type: 'object' } & Readonly<Record<string, unknown>>;

type Json = Record<string, unknown>;

// Keywords that are meaningful only in the OpenAPI document.
const NOT_FOR_AGENTS = ['override', 'id', 'header', 'param', 'examples'];

const convert = (schema: z.ZodType, io: 'input' | 'output'): Json =>
  z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const note = (z.globalRegistry.get(zodSchema) ?? {}) as Json;
      if (typeof note.override === 'object') Object.assign(jsonSchema, note.override);
      // Some schemas have a shorter form for agents.
      const shorter = agentSchemas.get(zodSchema as unknown as z.ZodType);
      if (shorter !== undefined) {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, shorter);
      }
      for (const name of NOT_FOR_AGENTS) delete (jsonSchema as Json)[name];
      // Length limits would cost about 30 bytes per field and tool, and the service checks them anyway.
      delete jsonSchema.minLength;
      delete jsonSchema.maxLength;
      // With this keyword, clients that validate strictly would refuse fields that later versions add.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }) as Json;

const whole = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const converted = convert(schema, io);
  return inlineReferences(converted, (converted.$defs ?? {}) as Json) as Json;
};

/**
 * Returns the items of a list's schema without enumerated values and object types, which agents do not need and
 * which would cost many bytes.
 */
const itemsOf = ({ enum: _, ...schema }: Json): Json => (schema.type === 'object' ? {} : { items: schema });

/**
 * Returns the part of a field's schema that agents get: its type, and for a list also the type of its items.
 */
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

export const inputSchemaOf = ({ operation, instead, view, argumentNames = {} }: McpTool): ObjectSchema => {
  const other = instead?.operation.input.shape;
  // With two operations, shared fields are described only once, and a field is required only if both require
  // it.
  const shape = Object.entries<z.ZodType>({
    ...operation.input.shape,
    ...other,
    ...operation.input.shape,
  })
    .filter(([, schema]) => schema !== tableFormatSchema)
    .map(([member, schema]) => [
      member,
      other === undefined || (member in other && member in operation.input.shape)
        ? schema
        : schema.optional(),
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
 * Builds the output schema of a tool, without nested fields: 29 full schemas took up three quarters of
 * `tools/list`, about 25,000 tokens for every agent that loads it. The OpenAPI document has the full schemas.
 * No field is required, because clients of the 2025 revisions also validate the structured content of
 * failures against this schema. Omits the fields that repeat sentences as data.
 */
export const outputSchemaOf = ({ operation: { output } }: McpTool): ObjectSchema => {
  const { properties = {} } = whole(output, 'output');
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties as Json)
        .filter(([name]) => name !== 'notices' && !name.endsWith('Sentences'))
        .map(([name, schema]) => [name, shallow(schema)]),
    ),
  };
};

/** Fields, items and types of a response, without descriptions, for readers that drop unknown fields. */
export interface AnswerShape {
  /** Absent if any type is allowed. */
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

/** Returns the full shape of the response of a tool or resource. */
export const responseShapeOf = ({
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

/**
 * Returns the `tools/list` entries of `tools`, in order. Call it only once, because converting the schemas
 * takes about 1 ms per tool.
 */
export const describeTools = (tools: readonly McpTool[]): readonly Tool[] =>
  tools.map((tool) => {
    const { name, title, description, annotations } = tool;
    return {
      name,
      title,
      description,
      inputSchema: inputSchemaOf(tool) as Tool['inputSchema'],
      outputSchema: outputSchemaOf(tool) as Tool['outputSchema'],
      annotations: { ...annotations },
    };
  });

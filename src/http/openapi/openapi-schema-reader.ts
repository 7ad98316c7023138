// Reads schemas of the OpenAPI document for display: the types of fields, and an example of a whole body.
import type { oas31 } from 'zod-openapi';

type Schema = oas31.SchemaObject;

export interface FieldRow {
  /** Name including its parents, e.g. `accounts[].sol`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Reads schemas, and follows references into the document's components. */
export interface SchemaReader {
  readonly rows: (schema: Schema | oas31.ReferenceObject | undefined, deep: boolean) => FieldRow[];
  /** Builds an example. `name` becomes the placeholder of a string without an example. */
  readonly example: (schema: Schema | oas31.ReferenceObject | undefined, name?: string) => unknown;
  readonly typeName: (schema: Schema | oas31.ReferenceObject | undefined) => string;
}

const DEPTH_LIMIT = 4;

const limits = (schema: Schema): string => {
  const parts = [
    schema.enum?.map((value) => JSON.stringify(value)).join(' | '),
    schema.const === undefined ? undefined : JSON.stringify(schema.const),
    schema.exclusiveMinimum === undefined ? undefined : `> ${schema.exclusiveMinimum}`,
    schema.minimum === undefined ? undefined : `≥ ${schema.minimum}`,
    // The largest integer that JSON parsers read exactly, which is not worth showing as a limit.
    schema.maximum === undefined || schema.maximum === Number.MAX_SAFE_INTEGER
      ? undefined
      : `≤ ${schema.maximum}`,
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ].filter((part) => part !== undefined);
  return parts.length > 0 ? ` ${parts.join(', ')}` : '';
};

const placeholder = (name: string): string =>
  `<${name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()}>`;

export const createSchemaReader = (document: oas31.OpenAPIObject): SchemaReader => {
  const resolve = (schema: Schema | oas31.ReferenceObject | undefined): Schema => {
    const reference = schema?.$ref;
    if (reference === undefined) return (schema ?? {}) as Schema;
    const target = document.components?.schemas?.[reference.split('/').at(-1) ?? ''];
    return { ...resolve(target), ...schema, $ref: undefined } as Schema;
  };

  /** Returns the schema without its `null` alternative. Keywords outside the alternatives take precedence. */
  const core = (schema: Schema | oas31.ReferenceObject | undefined): Schema => {
    const resolved = resolve(schema);
    const { anyOf, oneOf, ...around } = resolved;
    const alternatives = (anyOf ?? oneOf)?.map(resolve).filter(({ type }) => type !== 'null');
    return alternatives?.length === 1 ? { ...alternatives[0], ...around } : resolved;
  };

  const typeName: SchemaReader['typeName'] = (schema) => {
    const resolved = resolve(schema);
    const alternatives = resolved.anyOf ?? resolved.oneOf;
    if (alternatives) return alternatives.map(typeName).join(' or ');
    if (resolved.type === 'array') return `array of ${typeName(resolved.items)}`;
    const type = Array.isArray(resolved.type) ? resolved.type.join(' or ') : (resolved.type ?? 'any');
    return `${resolved.format === 'date-time' ? 'date-time' : type}${limits(resolved)}`;
  };

  const rows = (schema: Schema, deep: boolean, prefix: string, depth: number): FieldRow[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
      const inner = core(member);
      const row = {
        name: prefix + name,
        type: typeName(member),
        required: schema.required?.includes(name) ?? false,
        description: resolve(member).description ?? inner.description ?? '',
      };
      if (!deep || depth >= DEPTH_LIMIT || name === '_meta') return [row];
      const items = inner.type === 'array' ? core(inner.items) : undefined;
      return [row, ...rows(items ?? inner, deep, `${prefix}${name}${items ? '[]' : ''}.`, depth + 1)];
    });

  const example: SchemaReader['example'] = (schema, name = 'text') => {
    const resolved = core(schema);
    const given = resolved.examples?.[0] ?? resolved.default ?? resolved.const ?? resolved.enum?.[0];
    if (given !== undefined) return given;
    if (resolved.type === 'array') return [example(resolved.items, name)];
    const [first] = resolved.anyOf ?? resolved.oneOf ?? [];
    if (first !== undefined) return example(first, name);
    if (resolved.properties)
      return Object.fromEntries(
        Object.entries(resolved.properties).map(([name, member]) => [name, example(member, name)]),
      );
    const type = Array.isArray(resolved.type) ? resolved.type[0] : resolved.type;
    if (type === 'number' || type === 'integer') return resolved.minimum ?? 1;
    return type === 'boolean' ? true : placeholder(name);
  };

  return { rows: (schema, deep) => rows(core(schema), deep, '', 0), example, typeName };
};

// Validates JSON against the schemas of an OpenAPI 3.1 document. Supports the keywords that the service's
// document uses, and throws on any other keyword.

export type JsonSchema = Readonly<Record<string, unknown>>;

const SILENT = [
  'description',
  'examples',
  'example',
  'title',
  'default',
  'format',
  'id',
  'deprecated',
  'readOnly',
  'writeOnly',
];

const typeOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : typeof value === 'number' && Number.isInteger(value)
        ? 'integer'
        : typeof value;

const fits = (type: string, value: unknown): boolean =>
  type === typeOf(value) || (type === 'number' && typeOf(value) === 'integer');

const isRecord = (value: unknown): value is Record<string, unknown> => typeOf(value) === 'object';

/** Resolves a reference such as `#/a/b` in `document`. */
export const resolveReference = (document: unknown, reference: string): JsonSchema =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], document) as JsonSchema;

type Check = (
  argument: never,
  value: unknown,
  schema: JsonSchema,
  at: string,
  deeper: (schema: JsonSchema, value: unknown, at: string) => string[],
) => string[];

const when = (holds: boolean, problem: string): string[] => (holds ? [] : [problem]);

const CHECKS: Readonly<Record<string, Check>> = {
  type: (types: string | string[], value, _schema, at) =>
    when(
      [types].flat().some((type) => fits(type, value)),
      `${at} is ${typeOf(value)}, not ${types}`,
    ),
  enum: (values: unknown[], value, _schema, at) =>
    when(values.includes(value), `${at} is not one of the listed values`),
  const: (expected: unknown, value, _schema, at) =>
    when(value === expected, `${at} is not ${JSON.stringify(expected)}`),
  required: (names: string[], value, _schema, at) =>
    isRecord(value)
      ? names.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name} is missing`)
      : [],
  properties: (properties: Record<string, JsonSchema>, value, _schema, at, deeper) =>
    isRecord(value)
      ? Object.entries(properties).flatMap(([name, schema]) =>
          Object.hasOwn(value, name) ? deeper(schema, value[name], `${at}.${name}`) : [],
        )
      : [],
  additionalProperties: (schema: JsonSchema | boolean, value, holder, at, deeper) => {
    if (!isRecord(value) || schema === true) return [];
    const known = Object.keys((holder.properties as object | undefined) ?? {});
    const others = Object.entries(value).filter(([name]) => !known.includes(name));
    return others.flatMap(([name, member]) =>
      schema === false ? [`${at}.${name} is unknown`] : deeper(schema, member, `${at}.${name}`),
    );
  },
  propertyNames: (schema: JsonSchema, value, _schema, at, deeper) =>
    isRecord(value) ? Object.keys(value).flatMap((name) => deeper(schema, name, `${at} name`)) : [],
  items: (schema: JsonSchema, value, _schema, at, deeper) =>
    Array.isArray(value) ? value.flatMap((item, index) => deeper(schema, item, `${at}[${index}]`)) : [],
  anyOf: (schemas: JsonSchema[], value, _schema, at, deeper) =>
    when(
      schemas.some((schema) => deeper(schema, value, at).length === 0),
      `${at} matches none of the alternatives`,
    ),
  allOf: (schemas: JsonSchema[], value, _schema, at, deeper) =>
    schemas.flatMap((schema) => deeper(schema, value, at)),
  pattern: (pattern: string, value, _schema, at) =>
    when(
      typeof value !== 'string' || new RegExp(pattern, 'u').test(value),
      `${at} does not match ${pattern}`,
    ),
  minLength: (least: number, value, _schema, at) =>
    when(typeof value !== 'string' || value.length >= least, `${at} is too short`),
  maxLength: (most: number, value, _schema, at) =>
    when(typeof value !== 'string' || value.length <= most, `${at} is too long`),
  minItems: (least: number, value, _schema, at) =>
    when(!Array.isArray(value) || value.length >= least, `${at} has too few items`),
  maxItems: (most: number, value, _schema, at) =>
    when(!Array.isArray(value) || value.length <= most, `${at} has too many items`),
  uniqueItems: (unique: boolean, value, _schema, at) =>
    when(
      !unique ||
        !Array.isArray(value) ||
        new Set(value.map((item) => JSON.stringify(item))).size === value.length,
      `${at} has duplicate items`,
    ),
  minimum: (least: number, value, _schema, at) =>
    when(typeof value !== 'number' || value >= least, `${at} is less than ${least}`),
  maximum: (most: number, value, _schema, at) =>
    when(typeof value !== 'number' || value <= most, `${at} is greater than ${most}`),
  exclusiveMinimum: (least: number, value, _schema, at) =>
    when(typeof value !== 'number' || value > least, `${at} is not greater than ${least}`),
  exclusiveMaximum: (most: number, value, _schema, at) =>
    when(typeof value !== 'number' || value < most, `${at} is not less than ${most}`),
};
(CHECKS as Record<string, Check>).oneOf = CHECKS.anyOf as Check;

/** Lists every violation of `schema` in `value`. Empty if it matches. */
export const schemaProblems = (
  document: unknown,
  schema: JsonSchema,
  value: unknown,
  at = 'body',
): string[] => {
  const deeper = (inner: JsonSchema, member: unknown, where: string): string[] =>
    schemaProblems(document, inner, member, where);
  return Object.entries(schema).flatMap(([keyword, argument]) => {
    if (keyword === '$ref') return deeper(resolveReference(document, argument as string), value, at);
    if (keyword === 'format' && argument === 'date-time')
      return when(typeof value !== 'string' || !Number.isNaN(Date.parse(value)), `${at} is not a date-time`);
    if (SILENT.includes(keyword)) return [];
    const check = CHECKS[keyword];
    return check === undefined
      ? [`${at}: the keyword ${keyword} is not supported by this check`]
      : check(argument as never, value, schema, at, deeper);
  });
};

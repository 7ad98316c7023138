// Generates requests from the OpenAPI document: some that should match its schemas, and some that violate them
// in every known way.
import fc from 'fast-check';
import { type JsonSchema, resolveReference } from './json-schema-check.ts';

/** A request to send. `body` is the exact text, or null for none. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Values by field name, for fields whose schema does not describe all valid values. */
export type MemberValues = Readonly<Record<string, fc.Arbitrary<unknown>>>;

export interface FuzzOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: JsonSchema;
  }[];
  readonly body: JsonSchema | null;
  /** Body fields of which at least one is required. Empty if there are none. */
  readonly eitherOf: readonly string[];
  /** True if the route takes a bearer token. */
  readonly takesBearer: boolean;
  readonly statuses: readonly string[];
  readonly responses: Readonly<Record<string, JsonSchema>>;
  /** Statuses whose responses may be CSV, with the schema of the table. */
  readonly tables: Readonly<Record<string, JsonSchema>>;
}

/** Number literals that JSON parsers get wrong. */
const NUMBERS = [
  '0',
  '-0',
  '-1',
  '1e400',
  '-1e400',
  '1e-400',
  '0.0000000001',
  '9007199254740993',
  '9000000.000000001',
  '1E5',
  '4294967296',
  '0.1e1',
  '1.50',
];

const numberOf = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const min = Number(schema.minimum ?? schema.exclusiveMinimum ?? 0);
  const max = Number(schema.maximum ?? schema.exclusiveMaximum ?? 1_000_000);
  const integer = fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
  return schema.type === 'integer'
    ? integer
    : fc.oneof(
        integer,
        fc.double({ min, max, noNaN: true }).map((value) => Number(value.toFixed(9))),
      );
};

/** Generates values that match `schema`. */
const validValue = (
  document: unknown,
  schema: JsonSchema,
  name: string,
  known: MemberValues,
): fc.Arbitrary<unknown> => {
  if (known[name]) return known[name];
  if (typeof schema.$ref === 'string')
    return validValue(document, resolveReference(document, schema.$ref), name, known);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.anyOf) && schema.properties === undefined)
    return fc.oneof(...schema.anyOf.map((inner: JsonSchema) => validValue(document, inner, name, known)));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'number' || type === 'integer') return numberOf({ ...schema, type });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array')
    return fc.array(validValue(document, (schema.items ?? {}) as JsonSchema, name, known), {
      minLength: Number(schema.minItems ?? 0),
      maxLength: Number(schema.maxItems ?? 3),
    });
  if (type === 'object') return validMembers(document, schema, known);
  if (typeof schema.pattern === 'string')
    return fc.stringMatching(new RegExp(schema.pattern), { maxLength: Number(schema.maxLength ?? 100) });
  return fc.string({
    minLength: Number(schema.minLength ?? 0),
    maxLength: Math.min(Number(schema.maxLength ?? 40), 200),
  });
};

const validMembers = (
  document: unknown,
  schema: JsonSchema,
  known: MemberValues,
): fc.Arbitrary<Record<string, unknown>> => {
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const values = Object.fromEntries(
    members.map(([name, member]) => [name, validValue(document, member, name, known)]),
  );
  return fc.record(values, { requiredKeys: (schema.required ?? []) as string[] }) as fc.Arbitrary<
    Record<string, unknown>
  >;
};

const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '../../etc/passwd',
    '%00',
    "' OR 1=1 --",
    '__proto__',
  ),
  fc.string({ maxLength: 300 }),
  // Built from numbers. For such a string, fast-check would first map every character, which takes a second.
  fc
    .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 50 })
    .map((characters) => String.fromCodePoint(...characters)),
  fc.double(),
  fc.integer(),
  fc.array(fc.jsonValue(), { maxLength: 5 }),
  fc.jsonValue(),
  fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{40,90}$/),
  fc.stringMatching(/^[A-Za-z0-9+/]{20,400}={0,2}$/),
);

const write = (
  operation: FuzzOperation,
  values: Readonly<Record<string, unknown>>,
  body: string | null,
  extra: Record<string, string> = {},
): FuzzRequest => {
  const text = (name: string): string => {
    const value = values[name];
    return encodeURIComponent(
      (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'x')).toWellFormed(),
    );
  };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => text(name) || '%20');
  const given = (place: string) =>
    operation.parameters.filter(
      (parameter) => parameter.in === place && values[parameter.name] !== undefined,
    );
  const query = given('query')
    .map(({ name }) => `${name}=${text(name)}`)
    .join('&');
  const headers = Object.fromEntries(
    given('header').map(({ name }) => [
      name,
      String(values[name])
        .replaceAll(/[^\x21-\x7e]/g, '_')
        .slice(0, 300) || '_',
    ]),
  );
  return {
    method: operation.method,
    path: query === '' ? path : `${path}?${query}`,
    headers: { ...headers, ...(body === null ? {} : { 'content-type': 'application/json' }), ...extra },
    body,
  };
};

const parameterValues = (
  document: unknown,
  operation: FuzzOperation,
  known: MemberValues,
): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(
    Object.fromEntries(
      operation.parameters.map(({ name, schema }) => [name, validValue(document, schema, name, known)]),
    ),
    {
      requiredKeys: operation.parameters.filter(({ required }) => required === true).map(({ name }) => name),
    },
  ) as fc.Arbitrary<Record<string, unknown>>;

/** Generates bodies that match the document. */
const validBody = (
  document: unknown,
  { body, eitherOf }: FuzzOperation,
  known: MemberValues,
): fc.Arbitrary<Record<string, unknown>> => {
  if (body === null) return fc.constant({});
  const properties = body.properties as Record<string, JsonSchema>;
  const alone = eitherOf.map((member) =>
    validMembers(
      document,
      {
        ...body,
        properties: Object.fromEntries(
          Object.entries(properties).filter(([name]) => name === member || !eitherOf.includes(name)),
        ),
        required: [...((body.required ?? []) as string[]), member],
      },
      known,
    ),
  );
  return fc.oneof(...alone, validMembers(document, body, known));
};

/** Generates requests with only the required fields and `member`, one of the alternative fields. */
export const leastRequest = (
  document: unknown,
  operation: FuzzOperation,
  known: MemberValues,
  member: string,
): fc.Arbitrary<FuzzRequest> => {
  const { properties, required = [] } = operation.body as { properties: object; required?: string[] };
  const names = [...required, member];
  const least = Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name)));
  const body = { ...operation.body, properties: least, required: names };
  const bare = {
    ...operation,
    body,
    eitherOf: [],
    parameters: operation.parameters.filter(({ required: is }) => is),
  };
  return validRequest(document, bare, known);
};

/** Generates requests that match the document. */
export const validRequest = (
  document: unknown,
  operation: FuzzOperation,
  known: MemberValues,
): fc.Arbitrary<FuzzRequest> =>
  fc
    .tuple(
      parameterValues(document, operation, known),
      operation.body === null ? fc.constant(null) : validBody(document, operation, known),
    )
    .map(([values, body]) => write(operation, values, body === null ? null : JSON.stringify(body)));

type Mutation = (body: Record<string, unknown>, pick: string, value: unknown, number: string) => string;

const withRaw = (body: Record<string, unknown>, name: string, literal: string): string =>
  `{${[
    ...Object.entries(body)
      .filter(([key]) => key !== name)
      .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`),
    `${JSON.stringify(name)}:${literal}`,
  ].join(',')}}`;

const MUTATIONS: readonly Mutation[] = [
  (body, pick) => JSON.stringify({ ...body, [pick]: undefined }),
  (body, pick, value) => withRaw(body, pick, JSON.stringify(value) ?? 'null'),
  (body, pick, _value, number) => withRaw(body, pick, number),
  (body, pick, value) => withRaw(body, `${pick}x`, JSON.stringify(value) ?? 'null'),
  (body, pick, value) =>
    `${JSON.stringify(body).slice(0, -1)},${JSON.stringify(pick)}:${JSON.stringify(value) ?? 'null'}}`,
  (body, pick) => withRaw(body, '__proto__', `{${JSON.stringify(pick)}:1}`),
  (body, _pick, _value, number) =>
    JSON.stringify(body).slice(0, Math.abs(Number(number)) % JSON.stringify(body).length || 1),
  (body) => `[${JSON.stringify(body)}]`,
  (body, pick) => withRaw(body, pick, `${'['.repeat(5_000)}${']'.repeat(5_000)}`),
  (body, pick) => withRaw(body, pick, JSON.stringify('9'.repeat(20_000))),
  (body) => JSON.stringify(body).replaceAll('"', "'"),
];

/** Generates requests that are broken in some way. A few are still valid by chance. */
export const brokenRequest = (
  document: unknown,
  operation: FuzzOperation,
  known: MemberValues,
): fc.Arbitrary<FuzzRequest> => {
  const bodyNames = Object.keys((operation.body?.properties as object | undefined) ?? {});
  const names = operation.parameters.map(({ name }) => name);
  const brokenParameters = fc
    .tuple(
      parameterValues(document, operation, known),
      fc.constantFrom(...(names.length > 0 ? names : ['none'])),
      anyValue,
    )
    .map(([values, name, value]) => write(operation, { ...values, [name]: value }, null, {}));
  const brokenBody = fc
    .tuple(
      parameterValues(document, operation, known),
      validBody(document, operation, known),
      fc.constantFrom(...MUTATIONS),
      fc.constantFrom(...(bodyNames.length > 0 ? bodyNames : ['walletAddress'])),
      anyValue,
      fc.constantFrom(...NUMBERS),
    )
    .map(([values, body, mutate, pick, value, number]) =>
      write(operation, values, mutate(body, pick, value, number)),
    );
  const brokenEnvelope = fc
    .tuple(
      validRequest(document, operation, known),
      fc.constantFrom('text/plain', 'application/xml', 'application/json; charset=latin1', ''),
    )
    .map(([request, type]) => ({
      ...request,
      body: request.body ?? '{}',
      headers: { ...request.headers, 'content-type': type },
    }));
  const brokenQuery = fc
    .tuple(
      validRequest(document, operation, known),
      fc.constantFrom('%', 'a=%ff', 'a=1&a=2', '=&=&', 'limit=-1', '__proto__=1', 'x'.repeat(5_000)),
    )
    .map(([request, query]) => ({
      ...request,
      path: `${request.path}${request.path.includes('?') ? '&' : '?'}${query}`,
    }));
  const takesBody = operation.method !== 'GET';
  return fc.oneof(
    ...(names.length > 0 ? [{ arbitrary: brokenParameters, weight: takesBody ? 1 : 4 }] : []),
    ...(takesBody
      ? [
          { arbitrary: brokenBody, weight: 8 },
          { arbitrary: brokenEnvelope, weight: 1 },
        ]
      : []),
    { arbitrary: brokenQuery, weight: 1 },
  );
};

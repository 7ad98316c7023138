// Collects an operation's input from path, query, body and the Idempotency-Key header, and validates it as a
// whole.
import { z } from 'zod';
import { validateInput } from '../../adapter/validate-input.ts';
import type { ValidationIssue } from '../../kernel/app-error.ts';
import { JsonNumber } from '../../kernel/json-number.ts';
import type { Route } from './route.ts';

/** The source of each field of a route's input. */
export interface InputPlan {
  readonly operation: Route['operation'];
  readonly path: readonly string[];
  readonly query: readonly string[];
  readonly body: readonly string[];
  /** Fields whose text in the path or query is parsed as this JSON type. */
  readonly textTypes: ReadonlyMap<string, 'number' | 'boolean'>;
  /** Field that receives the bearer token. */
  readonly bearer: string | null;
  readonly takesIdempotencyKey: boolean;
}

/** The parts of a request before they are merged into one input. */
export interface RawInput {
  readonly path: Readonly<Record<string, string>>;
  readonly query: ReadonlyMap<string, string>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | undefined;
  /** Token of an `Authorization: Bearer` header. */
  readonly bearerToken: string | undefined;
  /** Fields provided by the interface itself, e.g. the decoded secret key. */
  readonly provided?: Readonly<Record<string, unknown>>;
}

const unwrap = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? unwrap(schema.unwrap())
    : schema;

const textTypeOf = (schema: unknown): 'number' | 'boolean' | null => {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodNumber) return 'number';
  return inner instanceof z.ZodBoolean ? 'boolean' : null;
};

/** Returns the names of the parameters in a path template. */
export const pathMembers = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

/**
 * Determines, once per route, where its fields come from. Throws if the path or `bearer` names a field that the
 * input lacks.
 */
export const planInput = (route: Route): InputPlan => {
  const { operation } = route;
  const schema: z.ZodObject = operation.input;
  const members = Object.keys(schema.shape);
  const path = pathMembers(route.path);
  const missing = path.find((name) => !members.includes(name));
  if (missing !== undefined)
    throw new Error(`${route.path}: the input of ${route.operation.name} has no field ${missing}`);
  if (route.bearer !== undefined && !members.includes(route.bearer))
    throw new Error(`${route.path}: the input of ${route.operation.name} has no field ${route.bearer}`);
  const rest = members.filter((name) => !path.includes(name) && name !== route.bearer);
  const query = route.query ?? (route.method === 'POST' ? [] : rest);
  return {
    operation,
    path,
    query,
    body: route.method === 'GET' ? [] : rest,
    textTypes: new Map(
      [...path, ...query].flatMap((name) => {
        const type = textTypeOf(schema.shape[name]);
        return type === null ? [] : [[name, type] as const];
      }),
    ),
    bearer: route.bearer ?? null,
    // Repeating a GET has no effect, so the idempotency key is an ordinary parameter there.
    takesIdempotencyKey: route.method !== 'GET' && members.includes('idempotencyKey'),
  };
};

const NUMBER = /^-?\d+(?:\.\d+)?$/;

const readText = (plan: InputPlan, name: string, text: string): unknown => {
  const type = plan.textTypes.get(name);
  if (type === 'number' && NUMBER.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

const sameValue = (a: unknown, b: unknown): boolean => {
  const plain = (value: unknown): unknown => (value instanceof JsonNumber ? Number(value.literal) : value);
  return plain(a) === plain(b);
};

/**
 * Returns the validated input. Ignores unknown query parameters, because links and proxies add some. Throws one
 * `AppError('VALIDATION_ERROR')` with every issue, including unknown body fields and fields with different
 * values in two places. Exception: the Idempotency-Key header takes precedence over the body.
 */
export const readInput = (plan: InputPlan, raw: RawInput): Record<string, unknown> => {
  const gathered: Record<string, unknown> = { ...raw.provided };
  const conflicts: ValidationIssue[] = [];
  const add = (name: string, value: unknown): void => {
    if (Object.hasOwn(gathered, name) && !sameValue(gathered[name], value))
      conflicts.push({ path: name, code: 'conflict', message: 'is given twice with different values' });
    else gathered[name] = value;
  };
  for (const name of plan.path) add(name, readText(plan, name, raw.path[name] ?? ''));
  for (const name of plan.query) {
    const text = raw.query.get(name);
    if (text !== undefined) add(name, readText(plan, name, text));
  }
  for (const name of [...plan.path, ...plan.body])
    if (Object.hasOwn(raw.body, name)) add(name, raw.body[name]);
  if (plan.bearer !== null && raw.bearerToken !== undefined) gathered[plan.bearer] = raw.bearerToken;
  if (plan.takesIdempotencyKey && raw.idempotencyKey !== undefined)
    gathered.idempotencyKey = raw.idempotencyKey;
  return validateInput(plan.operation, gathered, conflicts, {
    sent: Object.keys({ ...gathered, ...raw.body }),
  });
};

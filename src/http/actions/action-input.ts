// Parses a wallet's request: the account from the body, the other fields from query or body, and amounts as
// exact text.
import type { Address } from '@solana/kit';
import { parseInput } from '../../adapter/validation-issues.ts';
import { AppError, type ValidationIssue, validationError } from '../../kernel/app-error.ts';
import { JsonNumber } from '../../kernel/json-number.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { addressSchema } from '../../operations/shared-schemas.ts';
import type { Action } from '../routes/transaction-builders.ts';
import { neededMember } from './action-parameters.ts';

const accountSchema = addressSchema('The wallet.');

const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Parses text from the query. Amounts stay text, so no double rounds them. Other text in their place is no number:
 * a string would be refused for quotes that it does not have. An empty field counts as absent.
 */
const readText = (name: string, text: string): unknown => {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (name === 'transactionVersion' && /^[01]$/.test(trimmed)) return Number(trimmed);
  if (!name.endsWith('Sol')) return trimmed;
  return DECIMAL.test(trimmed) ? new JsonNumber(trimmed) : Number.NaN;
};

// Parses a value from `data`. The standard allows text, or a list for multiple-choice fields, which our Actions
// do not have.
const readData = (name: string, value: unknown): unknown => {
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof single === 'string' ? readText(name, single) : single;
};

const same = (a: unknown, b: unknown): boolean =>
  a instanceof JsonNumber && b instanceof JsonNumber ? a.literal === b.literal : a === b;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Parses the query fields listed in `names`. Throws `AppError('VALIDATION_ERROR')` for values that the
 * operation refuses.
 */
export const readQueryMembers = (
  { operation, members }: Action,
  query: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> => {
  const read: Record<string, unknown> = {};
  const issues: ValidationIssue[] = [];
  for (const name of members) {
    const text = query.get(name);
    const value = text === undefined ? undefined : readText(name, text);
    if (value === undefined) continue;
    read[name] = value;
    const found = parseInput((operation as AnyOperation).input.shape[name], value).issues;
    issues.push(...found.map((issue) => ({ ...issue, path: name })));
  }
  if (issues.length > 0) throw validationError(issues);
  return read;
};

/** Returns the wallet in a link, if any. Throws `AppError('VALIDATION_ERROR')` if it is not an address. */
export const readAccount = (query: ReadonlyMap<string, string>): Address | undefined => {
  const text = query.get('account')?.trim() ?? '';
  if (text === '') return undefined;
  const { data, issues } = parseInput(accountSchema, text);
  if (data !== undefined) return data;
  throw validationError(issues.map((issue) => ({ ...issue, path: 'account' })));
};

interface ActionRequest {
  readonly query: ReadonlyMap<string, string>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Idempotency key from the header, which takes precedence. */
  readonly idempotencyKey: string | undefined;
}

/**
 * Returns the operation's input. Throws one `AppError('VALIDATION_ERROR')` with every issue, using the
 * wallet's field names.
 */
export const readActionInput = (
  action: Action,
  { query, body, idempotencyKey }: ActionRequest,
): Record<string, unknown> => {
  const data = isRecord(body.data) ? body.data : {};
  const conflicts: ValidationIssue[] = [];
  const gathered: Record<string, unknown> = { ...action.fixed };
  if (body.account !== undefined) gathered.walletAddress = body.account;
  for (const name of action.members) {
    const asked = query.get(name);
    const fromQuery = asked === undefined ? undefined : readText(name, asked);
    const fromBody = Object.hasOwn(data, name) ? readData(name, data[name]) : undefined;
    if (fromQuery !== undefined && fromBody !== undefined && !same(fromQuery, fromBody))
      conflicts.push({ path: name, code: 'conflict', message: 'is given twice with different values' });
    const value = fromQuery ?? fromBody;
    if (value !== undefined) gathered[name] = value;
  }
  if (idempotencyKey !== undefined) gathered.idempotencyKey = idempotencyKey;
  const { data: parsed, issues } = parseInput(action.operation.input, gathered);
  const needed = neededMember(action);
  const missing =
    needed === undefined || gathered[needed] !== undefined
      ? []
      : [{ path: needed, code: 'required', message: 'is required' }];
  const found = [...conflicts, ...missing, ...issues];
  if (found.length > 0)
    throw validationError(
      found.map((issue) => (issue.path === 'walletAddress' ? { ...issue, path: 'account' } : issue)),
    );
  return parsed as Record<string, unknown>;
};

export const noSuchAction = (): AppError =>
  new AppError('NOT_FOUND', 'This action does not exist.', {
    reason: 'NO_ACTION',
    suggestedAction: 'GET /actions.json lists the actions of this service.',
  });

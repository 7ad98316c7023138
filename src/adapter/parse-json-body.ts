// Parses a body: strict UTF-8, one JSON object, amounts as exact text. Error messages never repeat the input.
import { type AppError, validationError } from '../kernel/app-error.ts';
import { JsonNumber } from '../kernel/json-number.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Creates the error for a body that is not one JSON object. */
export const badBody = (message: string): AppError =>
  validationError(
    [{ path: '', code: 'invalid_json', message }],
    'Send a JSON object with content-type application/json.',
  );

// Fields whose name ends in `Sol` are amounts. Their text is kept because a double would round it.
const keepAmounts = (key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && key.endsWith('Sol') && context?.source !== undefined
    ? new JsonNumber(context.source)
    : value;

// A reviver visits every value, so it is used only for bodies that may contain an amount. A backslash may
// hide the name in an escape sequence.
const mayHoldAmount = (text: string): boolean => text.includes('Sol') || text.includes('\\');

const parse = (text: string): unknown => {
  try {
    return mayHoldAmount(text) ? JSON.parse(text, keepAmounts) : JSON.parse(text);
  } catch {
    // The parser's own message quotes the text around the error, which may be a key.
    throw badBody('The body is not valid JSON');
  }
};

const decode = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw badBody('The body is not valid UTF-8');
  }
};

/**
 * Parses a body that contains one JSON value of any type. Throws `AppError('VALIDATION_ERROR')` for anything
 * else.
 */
export const parseJson = (bytes: Uint8Array): unknown => parse(decode(bytes));

/**
 * Parses a body that contains one JSON object. An empty body counts as an empty object. Throws
 * `AppError('VALIDATION_ERROR')` for anything else.
 */
export const parseJsonBody = (bytes: Uint8Array): Readonly<Record<string, unknown>> => {
  if (bytes.length === 0) return {};
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof JsonNumber)
    throw badBody('The body must be a JSON object');
  return value as Record<string, unknown>;
};

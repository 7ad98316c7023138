// Describes the rule that a refused value breaks, in our own words instead of the schema library's.
import type { z } from 'zod';
import { JsonNumber } from '../kernel/json-number.ts';

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const typeOf = (value: unknown): string | undefined => {
  if (value === null) return 'null';
  if (value instanceof JsonNumber) return TYPES.number;
  return TYPES[Array.isArray(value) ? 'array' : typeof value];
};

const wrongType = (expected: string, value: unknown): string => {
  const wanted = TYPES[expected] ?? 'of another type';
  const given = typeOf(value);
  // Everything in a query is a string, so the word "string" would explain nothing there.
  if (wanted === TYPES.number && typeof value === 'string' && Number.isNaN(Number(value)))
    return `must be ${wanted}`;
  // A fraction is a number too, so naming its type would not explain the error.
  const says = given !== undefined && given !== wanted && !(expected === 'int' && given === TYPES.number);
  return `must be ${wanted}${says ? `, not ${given}` : ''}`;
};

const counted = (count: number | bigint, noun: string): string =>
  `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;

const limit = (origin: string, bound: number | bigint, side: 'least' | 'most'): string => {
  if (origin === 'string' || origin === 'array') {
    if (side === 'least' && Number(bound) === 1) return 'must not be empty';
    return `must have at ${side} ${counted(bound, origin === 'string' ? 'character' : 'item')}`;
  }
  return `must be at ${side} ${bound}`;
};

const oneOf = (values: readonly unknown[]): string => {
  const names = values.map(String);
  return `must be ${names.length < 2 ? names.join('') : `one of ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`}`;
};

/** Builds the message of an issue whose schema defines none. States rules and types, never the value. */
export const ruleInWords = (issue: z.core.$ZodRawIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, issue.input);
    case 'too_small':
      return limit(issue.origin, issue.minimum, 'least');
    case 'too_big':
      return limit(issue.origin, issue.maximum, 'most');
    case 'invalid_value':
      return oneOf(issue.values);
    case 'unrecognized_keys':
      return 'has unknown members';
    default:
      return 'is not valid';
  }
};

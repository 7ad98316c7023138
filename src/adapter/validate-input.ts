// Validates input against an operation's schema and reports all problems without repeating the input.

import { z } from 'zod';
import { nearestName } from '../config/nearest-name.ts';
import { suggestedChanges, type ValidationIssue, validationError } from '../kernel/app-error.ts';
import { guidance, step } from '../kernel/guidance.ts';
import type { AnyOperation } from '../operations/operation.ts';
import { isErasedName } from './extract-secret-key.ts';
import { plainName } from './recognize-secret-value.ts';
import { parseInput, valueAt } from './validation-issues.ts';

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _-]+/);

/** Returns the unknown name that was probably sent instead of `member`: `amount` for `amountSol`, `wallet_address` for `walletAddress`. */
const sentInstead = (member: string, unknown: readonly string[]): string | undefined => {
  const words = wordsOf(member);
  const shared = (name: string): number => wordsOf(name).filter((word) => words.includes(word)).length;
  return (
    unknown.find((name) => shared(name) === wordsOf(name).length) ??
    unknown.find((name) => shared(name) * 2 >= words.length) ??
    nearestName(member, unknown)
  );
};

/** Unknown fields reported per request. Each costs a search for the nearest name. */
const MAX_UNKNOWN_ISSUES = 8;

/** Longer lists of known fields are left to the reference. */
const MAX_NAMED_FIELDS = 4;

/**
 * Creates the issue of an unknown field. Suggests the nearest name among `free`, the fields that the request
 * does not contain, or names the few fields that are `taken`.
 */
const unknownField = (name: string, free: readonly string[], taken: readonly string[]): ValidationIssue => {
  const code = 'unknown_field';
  if (!plainName(name)) return { path: '', code, message: 'A field of the request has an unknown name' };
  const nearest = nearestName(name, free) ?? free.find((member) => sentInstead(member, [name]) !== undefined);
  return nearest === undefined
    ? {
        path: name,
        code,
        message: `is not a known field${taken.length > MAX_NAMED_FIELDS ? '' : `; the fields are ${taken.join(', ')}`}`,
      }
    : { path: name, code, message: `is not a known field; did you mean ${nearest}?`, params: { nearest } };
};

/** Returns the first sentence of a field's description as a part of a sentence; undefined if there is none. */
const meaningOf = (schema: z.ZodType | undefined): string | undefined => {
  if (schema === undefined) return undefined;
  const description = schema.meta()?.description;
  if (description !== undefined) {
    const [sentence] = description.replaceAll('`', '').split(/\.(?: |$)/, 1);
    return sentence!.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
  }
  return 'unwrap' in schema ? meaningOf((schema as z.ZodOptional<z.ZodType>).unwrap()) : undefined;
};

/** Returns the values that a field or its list items can have; empty if they are not fixed. */
const valuesOf = (schema: z.ZodType | undefined): readonly unknown[] =>
  schema instanceof z.ZodEnum
    ? schema.options
    : schema instanceof z.ZodArray
      ? valuesOf(schema.element as z.ZodType)
      : [];

/** Longer texts are not compared, because that takes time and they resemble no allowed value. */
const MAX_COMPARED = 64;

/** Adds the value that was probably intended to an issue whose field allows only certain values. */
const withNearest = (issue: ValidationIssue, gathered: unknown): ValidationIssue => {
  const values = issue.code === 'invalid_value' ? issue.params?.values : undefined;
  const sent = valueAt(gathered, issue.path.split('.'));
  if (typeof values !== 'string' || typeof sent !== 'string' || sent.length > MAX_COMPARED) return issue;
  const nearest = nearestName(sent, values.split(', '));
  return nearest === undefined ? issue : { ...issue, params: { ...issue.params, nearest } };
};

/** Field names that determine which fields of a request have no effect. */
interface FieldNames {
  /** Fields in the request. Default: the fields of the input. */
  readonly sent?: readonly string[];
  /** Fields that the interface accepts. Default: the operation's fields. */
  readonly taken?: readonly string[];
}

/**
 * Returns the validated input. Throws one `AppError('VALIDATION_ERROR')` with the `known` issues, the issue
 * of an unmet "one of these fields" rule, the schema's issues and the unknown fields. Unknown fields are
 * refused because a misspelled optional field would silently have no effect. Operations without input fields
 * ignore all fields, because some agents send one with every call.
 */
export const validateInput = (
  { input, eitherOf, keyless }: Pick<AnyOperation, 'input' | 'eitherOf' | 'keyless'>,
  gathered: Readonly<Record<string, unknown>>,
  known: readonly ValidationIssue[] = [],
  { sent = Object.keys(gathered), taken = Object.keys(input.shape) }: FieldNames = {},
): Record<string, unknown> => {
  const { data, issues: found } = parseInput(input, gathered);
  // A field sent with an invalid value already has an issue.
  const isMissing =
    eitherOf?.members.every((member) => gathered[member] == null) === true &&
    !found.some(({ path }) => eitherOf.members.includes(path));
  const unknown =
    taken.length === 0 ? [] : sent.filter((name) => !taken.includes(name) && !isErasedName(name));
  const plainUnknown = unknown.filter(plainName);
  const explained = new Set<string>();
  /** Adds the probably misspelled name to the issue of a missing field or group ("one of these fields"). */
  const named = (issue: ValidationIssue, members: readonly string[] = [issue.path]): ValidationIssue => {
    if (issue.code !== 'required') return issue;
    for (const path of members) {
      const name = sentInstead(path, plainUnknown);
      if (name === undefined) continue;
      explained.add(name);
      return { ...issue, path, message: `is required (you sent ${name})`, params: { sent: name } };
    }
    return issue;
  };
  const lacksKey = keyless !== undefined && gathered.secretKey === undefined;
  const issues = [
    ...known,
    ...(isMissing ? [named(eitherOf.issue, eitherOf.members)] : []),
    ...found.map((issue) =>
      // A language model that reads "is required" would ask its user for the key.
      lacksKey && issue.path === 'secretKey' ? { ...issue, message: 'was not given' } : named(issue),
    ),
  ];
  const free = taken.filter((name) => !sent.includes(name));
  const unexplained = unknown.filter((name) => !explained.has(name)).slice(0, MAX_UNKNOWN_ISSUES);
  issues.push(...unexplained.map((name) => unknownField(name, free, taken)));
  if (issues.length === 0) return data as Record<string, unknown>;
  throw validationError(
    issues,
    lacksKey
      ? guidance`Never ask a person for a secret key. ${step(keyless)} does the same without one: sign its transaction locally, then submit it with ${step('submitTransaction')}.`
      : suggestedChanges(
          issues.map((issue) => withNearest(issue, gathered)),
          ({ path, code }) => {
            const member = path.split('.', 1)[0]!;
            const schema = Object.hasOwn(input.shape, member) ? input.shape[member] : undefined;
            const values = code === 'required' ? valuesOf(schema) : [];
            return [meaningOf(schema), ...(values.length > 0 ? [`one of ${values.join(', ')}`] : [])].join(
              ': ',
            );
          },
        ),
  );
};

// Parses input with a schema and describes its problems without repeating the input.
import type { z } from 'zod';
import type { ValidationIssue } from '../kernel/app-error.ts';
import { ruleInWords } from './rule-words.ts';

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  );

/** Parses `input`. `data` is present if there are no issues. */
export const parseInput = <Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): { readonly data?: z.output<Schema>; readonly issues: readonly ValidationIssue[] } => {
  const parsed = schema.safeParse(input, { error: ruleInWords });
  return parsed.success
    ? { data: parsed.data, issues: [] }
    : { issues: toValidationIssues(parsed.error.issues, input) };
};

/**
 * Lists the issues of a failed parse of `input`. Field names come from the schema; messages name only rules
 * and types.
 */
const toValidationIssues = (issues: readonly z.core.$ZodIssue[], input: unknown): ValidationIssue[] =>
  withoutEchoes(issues).map((issue) => {
    const path = issue.path.map(String).join('.');
    if (issue.path.length > 0 && valueAt(input, issue.path) === undefined)
      return { path, code: 'required', message: 'is required' };
    return { path, code: issue.code, message: issue.message };
  });

/**
 * Drops the other issues of a value with the wrong type. They make no sense, for example "too many items" for
 * text.
 */
const withoutEchoes = (issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] => {
  const pathOf = ({ path }: z.core.$ZodIssue): string => JSON.stringify(path.map(String));
  const ofWrongType = new Set(issues.filter(({ code }) => code === 'invalid_type').map(pathOf));
  return issues.filter((issue) => issue.code === 'invalid_type' || !ofWrongType.has(pathOf(issue)));
};

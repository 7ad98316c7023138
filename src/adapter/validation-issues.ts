// Parses input with a schema and describes its problems without repeating the input.
import type { z } from 'zod';
import type { ValidationIssue } from '../kernel/app-error.ts';
import type { SentenceParams } from '../kernel/sentence.ts';
import { ruleInWords } from './broken-rule-words.ts';

export const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  );

/** Parses `input`. `data` is present only if there are no issues. */
export const parseInput = <Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): { readonly data?: z.output<Schema>; readonly issues: readonly ValidationIssue[] } => {
  const parsed = schema.safeParse(input, { error: ruleInWords });
  return parsed.success
    ? { data: parsed.data, issues: [] }
    : { issues: toValidationIssues(parsed.error.issues, input) };
};

type Rule = { readonly code: string } & Readonly<Record<string, string | number | undefined>>;

/** Returns the broken rule with its parameters. A schema's own check names them in `params`. */
const ruleOf = (issue: z.core.$ZodIssue): Rule => {
  switch (issue.code) {
    case 'custom':
      return { code: issue.code, ...(issue.params as Partial<Rule> | undefined) };
    case 'invalid_type':
      return { code: issue.code, expected: issue.expected };
    case 'too_small':
      return { code: issue.code, origin: issue.origin, minimum: Number(issue.minimum) };
    case 'too_big':
      return { code: issue.code, origin: issue.origin, maximum: Number(issue.maximum) };
    case 'invalid_value':
      return { code: issue.code, values: issue.values.map(String).join(', ') };
    default:
      return { code: issue.code };
  }
};

/**
 * Lists the issues of a failed parse of `input`. Field names come from the schema; messages mention only
 * rules and types.
 */
const toValidationIssues = (issues: readonly z.core.$ZodIssue[], input: unknown): ValidationIssue[] =>
  withoutEchoes(issues).map((issue) => {
    const path = issue.path.map(String).join('.');
    if (issue.path.length > 0 && valueAt(input, issue.path) === undefined)
      return { path, code: 'required', message: 'is required' };
    const { code, ...figures } = ruleOf(issue);
    const params = Object.entries(figures).filter(([, value]) => value !== undefined);
    return {
      path,
      code,
      message: issue.message,
      ...(params.length > 0 && { params: Object.fromEntries(params) as SentenceParams }),
    };
  });

/**
 * Drops the other issues of a value with the wrong type, because they make no sense, such as "too many items"
 * for text.
 */
const withoutEchoes = (issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] => {
  const pathOf = ({ path }: z.core.$ZodIssue): string => JSON.stringify(path.map(String));
  const ofWrongType = new Set(issues.filter(({ code }) => code === 'invalid_type').map(pathOf));
  return issues.filter((issue) => issue.code === 'invalid_type' || !ofWrongType.has(pathOf(issue)));
};

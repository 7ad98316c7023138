// Validates input against an operation's schema and reports all problems without repeating the input.
import type { z } from 'zod';
import { type ValidationIssue, validationError } from '../kernel/app-error.ts';
import { toValidationIssues } from './validation-issues.ts';

/** The validated input. Members that no schema names are ignored. Throws one `VALIDATION_ERROR` with `known` issues and the schema's. */
export const validateInput = (
  schema: z.ZodObject,
  gathered: Readonly<Record<string, unknown>>,
  known: readonly ValidationIssue[] = [],
): Record<string, unknown> => {
  const parsed = schema.safeParse(gathered);
  const issues = [...known, ...(parsed.success ? [] : toValidationIssues(parsed.error.issues, gathered))];
  if (issues.length > 0) throw validationError(issues);
  return parsed.data as Record<string, unknown>;
};

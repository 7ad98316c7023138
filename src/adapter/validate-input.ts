// Validates input against an operation's schema and reports all problems without repeating the input.
import { type ValidationIssue, validationError } from '../kernel/app-error.ts';
import type { AnyOperation } from '../operations/operation.ts';
import { toValidationIssues } from './validation-issues.ts';

/**
 * The validated input. Members that no schema names are ignored. Throws one `VALIDATION_ERROR` with the `known` issues, the one of
 * members of which one is needed, and the schema's.
 */
export const validateInput = (
  { input, eitherOf }: Pick<AnyOperation, 'input' | 'eitherOf'>,
  gathered: Readonly<Record<string, unknown>>,
  known: readonly ValidationIssue[] = [],
): Record<string, unknown> => {
  const parsed = input.safeParse(gathered);
  const found = parsed.success ? [] : toValidationIssues(parsed.error.issues, gathered);
  // A member that was sent with a wrong value has its own issue.
  const isMissing =
    eitherOf?.members.every((member) => gathered[member] == null) === true &&
    !found.some(({ path }) => eitherOf.members.includes(path));
  const issues = [...known, ...(isMissing ? [eitherOf.issue] : []), ...found];
  if (issues.length > 0) throw validationError(issues);
  return parsed.data as Record<string, unknown>;
};

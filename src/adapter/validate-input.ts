// Validates input against an operation's schema and reports all problems without repeating the input.

import { nearestName } from '../config/nearest-name.ts';
import { type ValidationIssue, validationError } from '../kernel/app-error.ts';
import { guidance, step } from '../kernel/guidance.ts';
import type { AnyOperation } from '../operations/operation.ts';
import { plainName } from './secret-value.ts';
import { parseInput } from './validation-issues.ts';

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

/**
 * Returns the validated input. Ignores unknown fields. `sent` holds the field names in the request, which may
 * include a misspelt one. Throws one `VALIDATION_ERROR` with the `known` issues, the issue of an unmet "one
 * of these fields" rule, and the schema's issues.
 */
export const validateInput = (
  { input, eitherOf, keyless }: Pick<AnyOperation, 'input' | 'eitherOf' | 'keyless'>,
  gathered: Readonly<Record<string, unknown>>,
  known: readonly ValidationIssue[] = [],
  sent: readonly string[] = Object.keys(gathered),
): Record<string, unknown> => {
  const { data, issues: found } = parseInput(input, gathered);
  // A field sent with a wrong value already has an issue.
  const isMissing =
    eitherOf?.members.every((member) => gathered[member] == null) === true &&
    !found.some(({ path }) => eitherOf.members.includes(path));
  const unknown = sent.filter((name) => plainName(name) && !Object.hasOwn(input.shape, name));
  /** Adds the probably misspelt name to the issue of a missing field or group ("one of these fields"). */
  const named = (issue: ValidationIssue, members: readonly string[] = [issue.path]): ValidationIssue => {
    const sentAs = (member: string) => (issue.code === 'required' ? sentInstead(member, unknown) : undefined);
    const path = members.find((member) => sentAs(member) !== undefined);
    return path === undefined ? issue : { ...issue, path, message: `is required (you sent ${sentAs(path)})` };
  };
  const lacksKey = keyless !== undefined && gathered.secretKey === undefined;
  const issues = [
    ...known,
    ...(isMissing ? [named(eitherOf.issue, eitherOf.members)] : []),
    ...found.map((issue) =>
      // A model that reads "is required" would ask its user for the key.
      lacksKey && issue.path === 'secretKey' ? { ...issue, message: 'was not given' } : named(issue),
    ),
  ];
  if (issues.length === 0) return data as Record<string, unknown>;
  throw validationError(
    issues,
    lacksKey
      ? guidance`Never ask a person for a secret key. ${step(keyless)} does the same without one: sign its transaction locally, then submit it with ${step('submitTransaction')}.`
      : undefined,
  );
};

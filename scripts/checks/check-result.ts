// Defines the result of a check: the problems found, and notes that are shown even if the check passes.

/** The check passed if `problems` is empty. Notes are always shown. */
export interface CheckResult {
  readonly name: string;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** Creates the result of a check. `problems` and `notes` may be empty. */
export const checkResult = (
  name: string,
  problems: readonly string[],
  notes: readonly string[] = [],
): CheckResult => ({ name, problems, notes });

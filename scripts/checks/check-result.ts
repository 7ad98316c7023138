// Result of a check: the problems it found, and figures to show even if it passes.

/** An empty `problems` means passed. Notes are shown either way. */
export interface CheckResult {
  readonly name: string;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** Creates a result; missing parts are empty. */
export const checkResult = (
  name: string,
  problems: readonly string[],
  notes: readonly string[] = [],
): CheckResult => ({ name, problems, notes });

// What every check answers: the problems it found, and figures worth seeing even when all is well.

/** An empty `problems` means passed. Notes are shown either way. */
export interface CheckResult {
  readonly name: string;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** Shorthand that fills in what is absent. */
export const checkResult = (
  name: string,
  problems: readonly string[],
  notes: readonly string[] = [],
): CheckResult => ({ name, problems, notes });

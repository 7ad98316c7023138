// Errors that abort startup, worded for the operator.

/** Thrown before any resource is opened. `problems` are full sentences that contain no values. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], where = 'Invalid settings') {
    super(`${where}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Thrown during startup. `main.ts` prints the message without a stack and exits with 1. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}

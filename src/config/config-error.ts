// A start that must not go on: every problem at once, in words that an operator can act on, without any value.

/** Thrown before anything is opened. `problems` are full sentences without values. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The settings cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

// A mistake on the command line: nothing was sent, and the program exits with code 2.

/** The message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The command whose help answers further questions. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}

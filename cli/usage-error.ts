// An error on the command line: nothing was sent, and the program exits with code 2.

export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Command whose help the error recommends. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}

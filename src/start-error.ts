// A start that cannot go on, in words for the operator.

/** Thrown while starting; `main.ts` prints the message without a stack and exits with 1. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}

// An error with a title and a message for users, from any part of the page.

/** `title` is short; `message` explains what to do. */
export class TitledError extends Error {
  readonly title: string;

  constructor(title: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.title = title;
  }
}

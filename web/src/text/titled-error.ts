// A failure with a title for people, whichever part of the page reports it.

/** `title` is short; `message` says what to do. */
export class TitledError extends Error {
  readonly title: string;

  constructor(title: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.title = title;
  }
}

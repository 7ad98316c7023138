// A JSON number as the caller wrote it, so that amounts are never rounded by a double.

/** Holds the literal of a JSON number, e.g. `0.1` or `1e-9`. */
export class JsonNumber {
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }
}

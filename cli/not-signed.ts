// Why nothing was signed: the person said no, or the bytes were not what was asked for.
import type { Verdict } from '../client/verifier.ts';

/** The person said no; nothing was signed. */
export class Declined extends Error {
  override readonly name = 'Declined';
}

/** The bytes do something else than was asked, or more. */
export class NotAsAsked extends Error {
  override readonly name = 'NotAsAsked';
  /** Empty where the bytes are no transaction at all. */
  readonly fields: Verdict['fields'];

  constructor(message: string, fields: Verdict['fields'] = []) {
    super(message);
    this.fields = fields;
  }
}

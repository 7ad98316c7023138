// Why nothing was signed or sent: a person said no, or the bytes were not what was asked for.
import type { TransactionVerdict } from './verify-against-request.ts';

/** The person said no; nothing was signed. */
export class Declined extends Error {
  override readonly name = 'Declined';
}

/** The bytes do something else than was asked, or more. */
export class NotAsAsked extends Error {
  override readonly name = 'NotAsAsked';
  /** Who made the bytes: the service that built them, or the wallet that returned them. */
  readonly from: 'service' | 'signer';
  /** Empty where the bytes are no transaction at all. */
  readonly fields: TransactionVerdict['fields'];

  constructor(message: string, from: NotAsAsked['from'], fields: TransactionVerdict['fields'] = []) {
    super(message);
    this.from = from;
    this.fields = fields;
  }
}

/** The wallet returned the transaction without its signature. */
export class SignatureMissing extends Error {
  override readonly name = 'SignatureMissing';
}

// Holds secret bytes, wipes them at the end of their scope, and hides them from logs, JSON and inspection.
import { inspect } from 'node:util';

const SHOWN_AS = '(secret)';

/**
 * Secret bytes in dedicated memory. V8 keeps typed arrays of up to 64 bytes on its moving heap, where a
 * garbage collection leaves copies behind. An explicit `ArrayBuffer` stays in one place and can be
 * overwritten.
 */
export class SecretBytes implements Disposable {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #wiped = false;

  /** Creates `length` zero bytes, to be filled inside `use`. */
  constructor(length: number) {
    this.#bytes = new Uint8Array(new ArrayBuffer(length));
  }

  /** Takes over bytes: copies `source` and then overwrites it with zeros. */
  static take(source: Uint8Array): SecretBytes {
    const taken = new SecretBytes(source.length);
    taken.#bytes.set(source);
    source.fill(0);
    return taken;
  }

  /** Number of bytes, which stays the same after wiping. */
  get length(): number {
    return this.#bytes.length;
  }

  /** True once the bytes have been overwritten. */
  get wiped(): boolean {
    return this.#wiped;
  }

  /** Lends the bytes to `reader`, which must not keep them. Throws after wiping. */
  use<Result>(reader: (bytes: Uint8Array<ArrayBuffer>) => Result): Result {
    if (this.#wiped) throw new Error('secret bytes were used after being wiped');
    return reader(this.#bytes);
  }

  /** Overwrites the bytes with zeros. Can be called repeatedly. */
  [Symbol.dispose](): void {
    this.#bytes.fill(0);
    this.#wiped = true;
  }

  toString(): string {
    return SHOWN_AS;
  }

  toJSON(): string {
    return SHOWN_AS;
  }

  [inspect.custom](): string {
    return SHOWN_AS;
  }
}

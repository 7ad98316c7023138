// Reads wire bytes and refuses what the chain would refuse: short input, non-canonical lengths, trailing
// bytes.
import { AppError } from '../../kernel/app-error.ts';

/**
 * Creates the error for bytes that are not a valid transaction. The problem, in English, never quotes the
 * input.
 */
export const invalidTransaction = (problem: string): AppError =>
  new AppError('INVALID_TRANSACTION', 'The transaction cannot be read: {problem}.', {
    reason: 'UNREADABLE',
    params: { problem },
    suggestedAction:
      'Send a complete signed Solana transaction in base64, exactly as a wallet or library serializes it.',
  });

/** Reads forward. Throws `AppError('INVALID_TRANSACTION')` instead of reading past the end. */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, start = 0) {
    this.#bytes = bytes;
    this.#at = start;
  }

  get position(): number {
    return this.#at;
  }

  byte(what: string): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw invalidTransaction(`it ends inside the ${what}`);
    this.#at += 1;
    return value;
  }

  /** Returns a view of the next `length` bytes, without copying. */
  take(length: number, what: string): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw invalidTransaction(`it ends inside the ${what}`);
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  /** Reads an unsigned integer of 2 or 4 bytes, low byte first. */
  uint(length: 2 | 4, what: string): number {
    return this.take(length, what).reduceRight((value, byte) => value * 256 + byte, 0);
  }

  u64(what: string): bigint {
    return BigInt(this.uint(4, what)) | (BigInt(this.uint(4, what)) << 32n);
  }

  /**
   * Reads a compact-u16: 7 bits per byte, low bits first, at most 3 bytes, and only in the shortest form, as
   * the runtime requires.
   */
  compact(what: string): number {
    let value = 0;
    for (let shift = 0; shift <= 14; shift += 7) {
      const byte = this.byte(what);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (byte === 0 && shift > 0)
          throw invalidTransaction(`the ${what} is not encoded in its shortest form`);
        if (value > 0xffff) throw invalidTransaction(`the ${what} is out of range`);
        return value;
      }
    }
    throw invalidTransaction(`the ${what} is out of range`);
  }

  end(what: string): void {
    if (this.#at !== this.#bytes.length) throw invalidTransaction(`extra bytes follow the ${what}`);
  }
}

// One row of a program scan, read from its bytes without making strings: exactly what is needed, or a failure.
import { decodeBase58Bytes } from '../../kernel/base58.ts';
import { U64_MAX } from '../../kernel/u64.ts';
import { NodeFailure } from '../rpc/rpc-error.ts';

/** An account as a scan lists it. One object serves all rows of a scan: it holds until the next row. */
export interface ScanRow {
  readonly address: Uint8Array;
  lamports: bigint;
  /** The first bytes of the account, as many as the answer has. */
  readonly data: Uint8Array;
  dataBytes: number;
}

/** The most bytes of an account that a row can hold: a whole stake account. */
const MOST_DATA_BYTES = 200;
const DEEPEST = 8;
const NONE = 255;
const SAFE_DIGITS = 15;

const [QUOTE, COMMA, COLON, OPEN, CLOSE] = [0x22, 0x2c, 0x3a, 0x7b, 0x7d] as const;
const [OPEN_LIST, CLOSE_LIST, BACKSLASH, PAD] = [0x5b, 0x5d, 0x5c, 0x3d] as const;

const sextetOf = new Uint8Array(256).fill(NONE);
for (const [i, letter] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  sextetOf[letter.charCodeAt(0)] = i;

const asciiOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const keys = {
  pubkey: asciiOf('pubkey'),
  account: asciiOf('account'),
  data: asciiOf('data'),
  lamports: asciiOf('lamports'),
  owner: asciiOf('owner'),
} as const;
const STAKE_PROGRAM = asciiOf('Stake11111111111111111111111111111111111111');
const BASE64 = asciiOf('base64');

const garbage = (what: string): NodeFailure =>
  new NodeFailure('garbage', { mayHaveArrived: true, cause: new Error(`program scan: ${what}`) });

/** Notes a member by its bit. Throws where it was there before: the row would be partly one account's and partly another's. */
const once = (seen: number, member: number): number => {
  if ((seen & member) !== 0) throw garbage('a member twice');
  return seen | member;
};

/** Reads rows in `base64` encoding, members in any order, unknown ones skipped. Throws `NodeFailure('garbage')` for everything else. */
export class ScanRowReader {
  readonly row: ScanRow = {
    address: new Uint8Array(32),
    lamports: 0n,
    data: new Uint8Array(MOST_DATA_BYTES),
    dataBytes: 0,
  };
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #end = 0;

  /** Reads `bytes[start, end)`, which must be one row and nothing else, into `row`. */
  read(bytes: Uint8Array, start: number, end: number): void {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    let seen = 0;
    this.#object((keyStart, keyEnd) => {
      if (this.#is(keyStart, keyEnd, keys.pubkey)) {
        seen = once(seen, 1);
        this.#address();
      } else if (this.#is(keyStart, keyEnd, keys.account)) {
        seen = once(seen, 2);
        this.#account();
      } else this.#skip(0);
    });
    this.#space();
    if (seen !== 3 || this.#at !== end) throw garbage('a row is not one account');
  }

  #account(): void {
    let seen = 0;
    this.#object((keyStart, keyEnd) => {
      if (this.#is(keyStart, keyEnd, keys.data)) {
        seen = once(seen, 1);
        this.#data();
      } else if (this.#is(keyStart, keyEnd, keys.lamports)) {
        seen = once(seen, 2);
        this.row.lamports = this.#u64();
      } else if (this.#is(keyStart, keyEnd, keys.owner)) {
        seen = once(seen, 4);
        const [from, to] = [this.#text(), this.#at - 1];
        if (!this.#is(from, to, STAKE_PROGRAM)) throw garbage('another owner');
      } else this.#skip(0);
    });
    if (seen !== 7) throw garbage('an account lacks a member');
  }

  #address(): void {
    const [from, to] = [this.#text(), this.#at - 1];
    if (to - from > 44 || decodeBase58Bytes(this.#bytes, from, to, this.row.address) !== 32)
      throw garbage('no address');
  }

  #data(): void {
    this.#expect(OPEN_LIST);
    const [from, to] = [this.#text(), this.#at - 1];
    this.#base64(from, to);
    this.#expect(COMMA);
    const [encodingFrom, encodingTo] = [this.#text(), this.#at - 1];
    if (!this.#is(encodingFrom, encodingTo, BASE64)) throw garbage('another encoding');
    this.#expect(CLOSE_LIST);
  }

  #base64(from: number, to: number): void {
    const bytes = this.#bytes;
    const { data } = this.row;
    if ((to - from) % 4 !== 0) throw garbage('no base64');
    const pads = to > from && bytes[to - 1] === PAD ? (bytes[to - 2] === PAD ? 2 : 1) : 0;
    const length = ((to - from) / 4) * 3 - pads;
    if (length > MOST_DATA_BYTES) throw garbage('more data than an account has');
    let written = 0;
    for (let at = from; at < to; at += 4) {
      const last = at + 4 === to ? pads : 0;
      const a = sextetOf[bytes[at]!]!;
      const b = sextetOf[bytes[at + 1]!]!;
      const c = last === 2 ? 0 : sextetOf[bytes[at + 2]!]!;
      const d = last >= 1 ? 0 : sextetOf[bytes[at + 3]!]!;
      if ((a | b | c | d) > 63) throw garbage('no base64');
      data[written] = (a << 2) | (b >> 4);
      if (last < 2) data[written + 1] = ((b & 15) << 4) | (c >> 2);
      if (last < 1) data[written + 2] = ((c & 3) << 6) | d;
      written += 3 - last;
    }
    this.row.dataBytes = length;
  }

  #u64(): bigint {
    this.#space();
    const from = this.#at;
    let small = 0;
    for (; this.#at < this.#end; this.#at += 1) {
      const digit = this.#bytes[this.#at]! - 0x30;
      if (digit < 0 || digit > 9) break;
      small = small * 10 + digit;
    }
    const digits = this.#at - from;
    if (digits === 0 || digits > 20 || (digits > 1 && this.#bytes[from] === 0x30)) throw garbage('no amount');
    if (digits <= SAFE_DIGITS) return BigInt(small);
    const value = BigInt(Buffer.from(this.#bytes.subarray(from, this.#at)).toString('latin1'));
    if (value > U64_MAX) throw garbage('an amount beyond 64 bits');
    return value;
  }

  /** Calls `member` with the extent of each key; it must consume the value. */
  #object(member: (keyStart: number, keyEnd: number) => void): void {
    this.#expect(OPEN);
    this.#space();
    if (this.#bytes[this.#at] === CLOSE) {
      this.#at += 1;
      return;
    }
    for (;;) {
      const [from, to] = [this.#text(), this.#at - 1];
      this.#expect(COLON);
      member(from, to);
      if (this.#next(CLOSE) === CLOSE) return;
    }
  }

  /** Consumes a comma or `close`. */
  #next(close: number): number {
    this.#space();
    const byte = this.#bytes[this.#at];
    if (this.#at >= this.#end || (byte !== COMMA && byte !== close)) throw garbage('no comma and no end');
    this.#at += 1;
    return byte;
  }

  /** Consumes a string without escapes; where its text begins. It ends before `#at - 1`. */
  #text(): number {
    this.#expect(QUOTE);
    const from = this.#at;
    for (; this.#at < this.#end; this.#at += 1) {
      const byte = this.#bytes[this.#at]!;
      if (byte === QUOTE) {
        this.#at += 1;
        return from;
      }
      if (byte === BACKSLASH || byte < 0x20) break;
    }
    throw garbage('no plain text');
  }

  /** Consumes any value: what providers add to a row is none of ours. */
  #skip(depth: number): void {
    this.#space();
    const byte = this.#bytes[this.#at];
    if (depth > DEEPEST) throw garbage('too deep');
    if (byte === QUOTE) this.#text();
    else if (byte === OPEN) this.#object(() => this.#skip(depth + 1));
    else if (byte === OPEN_LIST) this.#skipList(depth);
    else {
      const from = this.#at;
      while (this.#at < this.#end && isPlain(this.#bytes[this.#at]!)) this.#at += 1;
      if (this.#at === from) throw garbage('no value');
    }
  }

  #skipList(depth: number): void {
    this.#at += 1;
    this.#space();
    if (this.#bytes[this.#at] === CLOSE_LIST) {
      this.#at += 1;
      return;
    }
    do this.#skip(depth + 1);
    while (this.#next(CLOSE_LIST) === COMMA);
  }

  #expect(byte: number): void {
    this.#space();
    if (this.#at >= this.#end || this.#bytes[this.#at] !== byte) throw garbage('another shape');
    this.#at += 1;
  }

  #space(): void {
    while (this.#at < this.#end && isSpace(this.#bytes[this.#at]!)) this.#at += 1;
  }

  #is(from: number, to: number, text: Uint8Array): boolean {
    if (to - from !== text.length) return false;
    for (let i = 0; i < text.length; i += 1) if (this.#bytes[from + i] !== text[i]) return false;
    return true;
  }
}

/** JSON's white space. */
export const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Bytes of numbers, `true`, `false` and `null`. */
const isPlain = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x2d ||
  byte === 0x2b ||
  byte === 0x2e ||
  byte === 0x45;

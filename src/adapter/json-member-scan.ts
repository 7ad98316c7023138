// Finds fields by name in JSON bytes without creating strings from the bytes.

/** A field: byte ranges of its name's content (inside the quotes) and of its value (quotes included). */
export interface ScannedMember {
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** 1 for a field of the outermost object. */
  readonly depth: number;
  /** Byte ranges of the names of the enclosing fields, outermost first: alternating start and end. */
  readonly within: readonly number[];
}

/** Thrown if the input is not JSON. Contains no part of the input. */
export class MalformedJson extends Error {}

// Requests nest at most two levels; deeper nesting is an attack.
const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Checks `json` against the JSON grammar (RFC 8259) and calls `onMember` for each field whose unescaped name is
 * accepted by `wanted`, innermost first. Throws `MalformedJson`.
 */
export const scanMembers = (
  json: Uint8Array,
  wanted: (name: Uint8Array) => boolean,
  onMember: (member: ScannedMember) => void,
): void => {
  const scanner = new Scanner(json, wanted, onMember);
  scanner.document();
};

class Scanner {
  readonly #json: Uint8Array;
  readonly #wanted: (name: Uint8Array) => boolean;
  readonly #onMember: (member: ScannedMember) => void;
  #at = 0;
  readonly #within: number[] = [];

  constructor(
    json: Uint8Array,
    wanted: (name: Uint8Array) => boolean,
    onMember: (member: ScannedMember) => void,
  ) {
    this.#json = json;
    this.#wanted = wanted;
    this.#onMember = onMember;
  }

  document(): void {
    this.#value(0);
    this.#space();
    if (this.#at !== this.#json.length) throw new MalformedJson();
  }

  #space(): void {
    for (;;) {
      const byte = this.#json[this.#at];
      if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return;
      this.#at += 1;
    }
  }

  #expect(byte: number): void {
    if (this.#json[this.#at] !== byte) throw new MalformedJson();
    this.#at += 1;
  }

  /** Skips whitespace, and then `byte` if it comes next. */
  #accept(byte: number): boolean {
    this.#space();
    if (this.#json[this.#at] !== byte) return false;
    this.#at += 1;
    return true;
  }

  #value(depth: number): void {
    if (depth > MAX_DEPTH) throw new MalformedJson();
    this.#space();
    const byte = this.#json[this.#at];
    if (byte === QUOTE) this.#string();
    else if (byte === 0x7b) this.#object(depth + 1);
    else if (byte === 0x5b) this.#array(depth + 1);
    else if (byte === 0x74) this.#word('true');
    else if (byte === 0x66) this.#word('false');
    else if (byte === 0x6e) this.#word('null');
    else this.#number();
  }

  #object(depth: number): void {
    this.#expect(0x7b);
    if (this.#accept(0x7d)) return;
    do {
      this.#space();
      const nameStart = this.#at + 1;
      this.#string();
      const nameEnd = this.#at - 1;
      this.#space();
      this.#expect(0x3a);
      this.#space();
      const valueStart = this.#at;
      this.#within.push(nameStart, nameEnd);
      this.#value(depth);
      this.#within.length -= 2;
      if (this.#wanted(unescaped(this.#json, nameStart, nameEnd)))
        this.#onMember({
          nameStart,
          nameEnd,
          valueStart,
          valueEnd: this.#at,
          depth,
          within: [...this.#within],
        });
    } while (this.#accept(0x2c));
    this.#expect(0x7d);
  }

  #array(depth: number): void {
    this.#expect(0x5b);
    if (this.#accept(0x5d)) return;
    do this.#value(depth);
    while (this.#accept(0x2c));
    this.#expect(0x5d);
  }

  #string(): void {
    this.#expect(QUOTE);
    for (;;) {
      const byte = this.#json[this.#at];
      if (byte === undefined || byte < 0x20) throw new MalformedJson();
      this.#at += 1;
      if (byte === QUOTE) return;
      if (byte === BACKSLASH) this.#escape();
    }
  }

  #escape(): void {
    const byte = this.#json[this.#at] ?? 0;
    this.#at += 1;
    if (byte === 0x75) for (let left = 4; left > 0; left -= 1) hexDigit(this.#json[this.#at++] ?? 0);
    else if (!SHORT_ESCAPES.has(byte)) throw new MalformedJson();
  }

  #word(word: string): void {
    for (let i = 0; i < word.length; i += 1) this.#expect(word.charCodeAt(i));
  }

  #digits(): void {
    const start = this.#at;
    while (isDigit(this.#json[this.#at])) this.#at += 1;
    if (this.#at === start) throw new MalformedJson();
  }

  #number(): void {
    if (this.#json[this.#at] === 0x2d) this.#at += 1;
    if (this.#json[this.#at] === 0x30) this.#at += 1;
    else this.#digits();
    if (this.#json[this.#at] === 0x2e) {
      this.#at += 1;
      this.#digits();
    }
    if (this.#json[this.#at] === 0x65 || this.#json[this.#at] === 0x45) {
      this.#at += 1;
      if (this.#json[this.#at] === 0x2b || this.#json[this.#at] === 0x2d) this.#at += 1;
      this.#digits();
    }
  }
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

const SHORT_ESCAPES: ReadonlyMap<number, number> = new Map(
  [...'"\\/bfnrt'].map((letter, index) => [letter.charCodeAt(0), '"\\/\b\f\n\r\t'.charCodeAt(index)]),
);

const hexDigit = (byte: number): number => {
  if (isDigit(byte)) return byte - 0x30;
  const letter = byte | 0x20;
  if (letter < 0x61 || letter > 0x66) throw new MalformedJson();
  return letter - 0x57;
};

/**
 * Replaces the escapes of the string content `json[start, end)` in place and returns a view of the result,
 * which is never longer. Non-ASCII characters become `?`, because no searched name and no key contains them.
 * Requires valid content.
 */
export const unescapeInPlace = (json: Uint8Array, start: number, end: number): Uint8Array => {
  let to = start;
  for (let from = start; from < end; to += 1) {
    const byte = json[from]!;
    if (byte !== BACKSLASH) {
      json[to] = byte;
      from += 1;
    } else if (json[from + 1] !== 0x75) {
      json[to] = SHORT_ESCAPES.get(json[from + 1]!)!;
      from += 2;
    } else {
      let unit = 0;
      for (let i = 2; i < 6; i += 1) unit = unit * 16 + hexDigit(json[from + i]!);
      json[to] = unit < 0x80 ? unit : 0x3f;
      from += 6;
    }
  }
  return json.subarray(start, to);
};

const unescaped = (json: Uint8Array, start: number, end: number): Uint8Array => {
  const content = json.subarray(start, end);
  return content.includes(BACKSLASH) ? unescapeInPlace(Uint8Array.from(content), 0, content.length) : content;
};

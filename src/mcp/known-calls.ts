// Recognises a call that was understood before: the requests of one client differ in their id alone, and need not be parsed each time.
import { mayNameSecret } from '../adapter/secret-body.ts';

/** Most calls remembered; each is under 2 KB. */
const MOST_KNOWN = 256;
const LONGEST_CHARACTERS = 1_024;

const NAME = '"id"';
const MARK = `${NAME}:`;

/** A message without the value of its `id`. */
export interface SplitMessage {
  /** Everything but the value of the one member that is named `id`. */
  readonly rest: string;
  /** That value as it stands in the text: a whole number or a plain string. */
  readonly id: string;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Where a value that starts at `from` ends; -1 where it is neither a number of up to 15 digits nor a plain short string. */
const endOfId = (text: string, from: number): number => {
  let at = from;
  if (text.charCodeAt(at) !== 0x22) {
    while (isDigit(text.charCodeAt(at))) at += 1;
    const plain = at > from && at - from <= 15 && (at - from === 1 || text.charCodeAt(from) !== 0x30);
    return plain ? at : -1;
  }
  for (at += 1; at - from <= 64; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    // Only what needs no escape and is one byte.
    if (!(code >= 0x20 && code < 0x7f) || code === 0x5c) return -1;
  }
  return -1;
};

/** Splits a body; null where it is not of the plain kind. A body that may hold a key is never made a string of: that could not be wiped. */
export const splitMessage = (bytes: Buffer): SplitMessage | null => {
  if (bytes.length > LONGEST_CHARACTERS || mayNameSecret(bytes)) return null;
  const text = bytes.toString('latin1');
  const mark = text.indexOf(MARK);
  // Named once and nothing escaped: then it can be no other member's.
  if (mark === -1 || mark !== text.indexOf(NAME) || text.includes(NAME, mark + 1) || text.includes('\\'))
    return null;
  const from = mark + MARK.length;
  const end = endOfId(text, from);
  if (end === -1) return null;
  const follows = text.charCodeAt(end);
  // A comma or a brace: else the value goes on.
  if (follows !== 0x2c && follows !== 0x7d) return null;
  return { rest: `${text.slice(0, from)}\u0000${text.slice(end)}`, id: text.slice(from, end) };
};

/** Remembers what texts meant, the most recent ones. */
export class KnownCalls<Meaning> {
  readonly #known = new Map<string, Meaning>();

  get(rest: string): Meaning | undefined {
    return this.#known.get(rest);
  }

  set(rest: string, meaning: Meaning): void {
    if (this.#known.size >= MOST_KNOWN) this.#known.delete(this.#known.keys().next().value as string);
    this.#known.set(rest, meaning);
  }
}

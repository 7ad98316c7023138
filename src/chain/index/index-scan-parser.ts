// The answer of a program scan as it comes in, piece by piece: rows are handed over one by one and nothing of the answer is kept.

import { NodeFailure, RpcError } from '../rpc/rpc-error.ts';
import { isSpace, type ScanRow, ScanRowReader } from './index-scan-row.ts';

/** What is before the list: id, version and context, or a whole error answer. */
const MOST_HEAD_BYTES = 65_536;
/** A row of 200 bytes in base64 has about 510. */
const MOST_ROW_BYTES = 4_096;
const MOST_TAIL_BYTES = 4_096;

/** Who takes what the parser finds. */
export interface ScanSink {
  /** The context slot, before the first row. Throwing refuses the answer. */
  readonly onSlot: (slot: number) => void;
  /** Called for each row; the row object is overwritten by the next one. */
  readonly onRow: (row: ScanRow) => void;
}

const garbage = (what: string, cause?: unknown): NodeFailure =>
  new NodeFailure('garbage', { mayHaveArrived: true, cause: new Error(`program scan: ${what}`, { cause }) });

type Stage = 'head' | 'first' | 'row' | 'after' | 'next' | 'tail' | 'whole';

/**
 * Parses `{…, "result": {"context": {"slot": n}, "value": [row, …]}, …}`. The context must precede the list, as the node writes it. Throws
 * `NodeFailure('garbage')` for anything else, `RpcError` when the node said no, and what the sink throws.
 */
export class ScanParser {
  readonly #sink: ScanSink;
  readonly #id: number;
  readonly #reader = new ScanRowReader();
  /** Head, then an unfinished row, then the tail; grows to at most `MOST_HEAD_BYTES`. */
  #kept = new Uint8Array(2 * MOST_ROW_BYTES);
  #keptBytes = 0;
  #head = '';
  #stage: Stage = 'head';
  #depth = 0;
  #inText = false;
  #escaped = false;
  #slot = -1;
  #rows = 0;

  /** `id` is the request's: an answer to another one is refused. */
  constructor(id: number, sink: ScanSink) {
    this.#id = id;
    this.#sink = sink;
  }

  /** Takes the next bytes, cut anywhere. */
  write(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      switch (this.#stage) {
        case 'head':
          at = this.#readHead(chunk, at);
          break;
        case 'row':
          at = this.#readRow(chunk, at);
          break;
        case 'whole':
          at = this.#keep(chunk, at, chunk.length, MOST_HEAD_BYTES);
          break;
        case 'tail':
          at = this.#keep(chunk, at, chunk.length, MOST_TAIL_BYTES);
          break;
        default:
          at = this.#readBetween(chunk, at);
      }
    }
  }

  /** The answer is over. Throws unless it was whole and well. */
  end(): { readonly slot: number; readonly rows: number } {
    if (this.#stage === 'head' || this.#stage === 'whole') throw this.#refusal(this.#takeKept());
    if (this.#stage !== 'tail') throw garbage('cut off');
    const answer = parsed(`${this.#head}[]${this.#takeKept()}`);
    if (answer?.id !== this.#id || slotIn(answer) !== this.#slot) throw garbage('another end');
    return { slot: this.#slot, rows: this.#rows };
  }

  /** Looks for the list: the first `[` two levels deep. */
  #readHead(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      if (!this.#structure(chunk[at]!) || chunk[at] !== 0x5b || this.#depth !== 3) continue;
      this.#keep(chunk, from, at, MOST_HEAD_BYTES);
      this.#openList();
      // A list that is not the answer's stays part of the text.
      return this.#stage === 'whole' ? at : at + 1;
    }
    return this.#keep(chunk, from, chunk.length, MOST_HEAD_BYTES);
  }

  #openList(): void {
    const text = this.#kept.subarray(0, this.#keptBytes);
    this.#head = Buffer.from(text).toString('utf8');
    const slot = slotIn(parsed(`${this.#head}[]}}`));
    if (slot === null) {
      this.#stage = 'whole';
      return;
    }
    this.#keptBytes = 0;
    this.#slot = slot;
    this.#sink.onSlot(slot);
    this.#stage = 'first';
  }

  /** Between rows: `first` takes a row or the end, `after` a comma or the end, `next` a row. */
  #readBetween(chunk: Uint8Array, at: number): number {
    const byte = chunk[at]!;
    if (isSpace(byte)) return at + 1;
    if (byte === 0x7b && this.#stage !== 'after') {
      this.#stage = 'row';
      this.#depth = 0;
      return at;
    }
    if (byte === 0x5d && this.#stage !== 'next') this.#stage = 'tail';
    else if (byte === 0x2c && this.#stage === 'after') this.#stage = 'next';
    else throw garbage('rows are not a list');
    return at + 1;
  }

  #readRow(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      if (!this.#structure(chunk[at]!) || this.#depth !== 0) continue;
      if (this.#keptBytes === 0) this.#reader.read(chunk, from, at + 1);
      else {
        this.#keep(chunk, from, at + 1, MOST_ROW_BYTES);
        this.#reader.read(this.#kept, 0, this.#keptBytes);
        this.#keptBytes = 0;
      }
      this.#rows += 1;
      this.#stage = 'after';
      this.#sink.onRow(this.#reader.row);
      return at + 1;
    }
    return this.#keep(chunk, from, chunk.length, MOST_ROW_BYTES);
  }

  /** Follows strings and nesting; true for a bracket or brace, counted already. */
  #structure(byte: number): boolean {
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === 0x5c) this.#escaped = true;
      else if (byte === 0x22) this.#inText = false;
      return false;
    }
    if (byte === 0x22) this.#inText = true;
    else if (byte === 0x7b || byte === 0x5b) this.#depth += 1;
    else if (byte === 0x7d || byte === 0x5d) this.#depth -= 1;
    else return false;
    return true;
  }

  #keep(chunk: Uint8Array, from: number, to: number, most: number): number {
    const bytes = this.#keptBytes + to - from;
    if (bytes > most) throw garbage('too long');
    if (bytes > this.#kept.length) {
      const larger = new Uint8Array(most);
      larger.set(this.#kept.subarray(0, this.#keptBytes));
      this.#kept = larger;
    }
    this.#kept.set(chunk.subarray(from, to), this.#keptBytes);
    this.#keptBytes = bytes;
    return to;
  }

  #takeKept(): string {
    return Buffer.from(this.#kept.subarray(0, this.#keptBytes)).toString('utf8');
  }

  #refusal(text: string): Error {
    const answer = parsed(text);
    const error = answer?.error;
    if (typeof error !== 'object' || error === null) return garbage('no answer');
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
    if (typeof code !== 'number') return garbage('no error code');
    if (code === 429 || code === -32429) return new NodeFailure('rate-limited', { mayHaveArrived: false });
    return new RpcError(code, String(message), data);
  }
}

type Answer = { readonly id?: unknown; readonly error?: unknown; readonly result?: unknown } | null;

const parsed = (text: string): Answer => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Answer) : null;
  } catch {
    return null;
  }
};

/** The context slot of an answer whose list is empty, or null for another shape. */
const slotIn = (answer: Answer): number | null => {
  const result = answer?.result as { context?: { slot?: unknown }; value?: unknown } | null | undefined;
  if (!Array.isArray(result?.value) || result.value.length > 0) return null;
  const slot = result.context?.slot;
  return typeof slot === 'number' && Number.isSafeInteger(slot) && slot >= 0 ? slot : null;
};

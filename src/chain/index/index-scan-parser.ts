// Parses a program scan as a stream, one row in memory at a time. Parsing 100,000 accounts (39 to 50 MB) in
// one piece blocks the event loop for about 1 s, because whole numbers must stay exact (`parseRpcJson`).
// Plain `JSON.parse`, which rounds them, takes 0.2 s (2026-11).
import { z } from 'zod';
import { writeBase58Key } from '../../kernel/base58.ts';
import type { ChainAccount } from '../ports.ts';
import { parseRpcJson, resultOf } from '../rpc/rpc-answer.ts';
import { NodeFailure } from '../rpc/rpc-error.ts';
import { accountSchema, addressSchema } from '../rpc/rpc-schemas.ts';

/** Limit of the text around the rows: id, version and context, or a whole error answer. */
const MOST_FRAME_CHARACTERS = 65_536;
/** A row of 200 bytes in base64 has about 510 characters. */
const MOST_ROW_CHARACTERS = 4_096;
/** Nesting depth of the row list: in the result, which is in the answer. */
const LIST_DEPTH = 3;

const [QUOTE, BACKSLASH] = [0x22, 0x5c] as const;
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d] as const;

/** Receives the parsed rows. */
interface ScanSink {
  /** Called with the context slot before the first row. Throwing refuses the answer. */
  readonly onSlot: (slot: number) => void;
  readonly onRow: (row: ChainAccount) => void;
}

const rowSchema = z
  .object({ pubkey: addressSchema, account: accountSchema })
  .transform(({ pubkey, account }): ChainAccount => ({ address: pubkey, ...account }));
const listSchema = z.object({
  context: z.object({ slot: z.int().nonnegative() }),
  value: z.tuple([]),
});

const garbage = (what: string, cause?: unknown): NodeFailure =>
  new NodeFailure('garbage', { mayHaveArrived: true, cause: new Error(`program scan: ${what}`, { cause }) });

/**
 * Parses `{…, "result": {"context": {"slot": n}, "value": [row, …]}, …}`. The context must precede the list,
 * as nodes write it. Throws `NodeFailure('garbage')` for other text, `RpcError` for a JSON-RPC error, and
 * errors of the sink.
 */
export class ScanParser {
  readonly #sink: ScanSink;
  readonly #id: number;
  readonly #decoder = new TextDecoder();
  /** The answer without its rows, parsed as a whole at the end. */
  #frame = '';
  /** The incomplete row, or the text between two rows. */
  #held = '';
  #depth = 0;
  #inText = false;
  #escaped = false;
  #place: 'before' | 'list' | 'row' | 'after' = 'before';
  #slot: number | null = null;
  #rows = 0;

  /** `id` is that of the request. Answers to other requests are refused. */
  constructor(id: number, sink: ScanSink) {
    this.#id = id;
    this.#sink = sink;
  }

  /** Parses the next bytes, split at any position. */
  write(chunk: Uint8Array): void {
    const text = this.#decoder.decode(chunk, { stream: true });
    let from = 0;
    const takeUpTo = (to: number): string => {
      const taken = this.#held + text.slice(from, to);
      this.#held = '';
      from = to;
      return taken;
    };
    for (let at = 0; at < text.length; at += 1) {
      const letter = text.charCodeAt(at);
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false;
        else if (letter === BACKSLASH) this.#escaped = true;
        else if (letter === QUOTE) this.#inText = false;
      } else if (letter === QUOTE) this.#inText = true;
      else if (letter === OPEN || letter === OPEN_LIST) {
        this.#depth += 1;
        if (this.#place === 'list') this.#openRow(takeUpTo(at));
        else if (this.#place === 'before' && this.#depth === LIST_DEPTH && letter === OPEN_LIST)
          this.#openList(takeUpTo(at + 1));
      } else if (letter === CLOSE || letter === CLOSE_LIST) {
        this.#depth -= 1;
        if (this.#place === 'list') this.#closeList(takeUpTo(at));
        else if (this.#place === 'row' && this.#depth === LIST_DEPTH) this.#closeRow(takeUpTo(at + 1));
      }
    }
    this.#held = takeUpTo(text.length);
    if (this.#held.length > (this.#place === 'row' ? MOST_ROW_CHARACTERS : MOST_FRAME_CHARACTERS))
      throw garbage('too long');
  }

  /** Ends the answer. Throws unless it is complete and valid. */
  end(): { readonly slot: number; readonly rows: number } {
    const result = listSchema.safeParse(resultOf(this.#frame + this.#held, this.#id)).data;
    const slot = this.#slot;
    if (slot === null || result?.context.slot !== slot) throw garbage('another slot at its end');
    return { slot, rows: this.#rows };
  }

  #openList(head: string): void {
    this.#frame = head;
    this.#place = 'after';
    let answer: { readonly result?: unknown };
    try {
      answer = JSON.parse(`${head}]}}`);
    } catch {
      return;
    }
    const result = listSchema.safeParse(answer.result).data;
    // Other lists stay part of the frame.
    if (result === undefined) return;
    this.#slot = result.context.slot;
    this.#sink.onSlot(this.#slot);
    this.#place = 'list';
  }

  #openRow(between: string): void {
    if (between.trim() !== (this.#rows === 0 ? '' : ',')) throw garbage('rows are not a list');
    this.#place = 'row';
  }

  #closeRow(text: string): void {
    this.#rows += 1;
    this.#place = 'list';
    this.#sink.onRow(rowIn(text));
  }

  /**
   * `between` is the text between the last row and the end. The frame keeps an empty list only if this is
   * white space.
   */
  #closeList(between: string): void {
    this.#frame += between;
    this.#place = 'after';
  }
}

const anyKey = new Uint8Array(32);

/** Throws `NodeFailure('garbage')` unless the text is one account with an address of 32 bytes. */
const rowIn = (text: string): ChainAccount => {
  try {
    // Every row ends with a `rentEpoch` of 2^64−1, and exact parsing is eight times slower. Only balances
    // beyond 2^53 need it.
    const row = rowSchema.safeParse(JSON.parse(text)).data ?? rowSchema.parse(parseRpcJson(text));
    writeBase58Key(row.address, anyKey);
    return row;
  } catch (error) {
    throw garbage('a row is not one account', error);
  }
};

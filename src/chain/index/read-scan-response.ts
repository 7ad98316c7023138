// Parses the response of a program scan as it arrives. Only the rows of the latest chunks are held in memory,
// and no step blocks the event loop for more than a few milliseconds.
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { writeBase58Key } from '../../kernel/base58.ts';
import type { ChainAccount } from '../ports.ts';
import { NodeFailure } from '../rpc/rpc-error.ts';
import { parseRpcJson, resultOf } from '../rpc/rpc-response.ts';
import { accountSchema, addressSchema } from '../rpc/rpc-schemas.ts';

/** Receives the parsed rows. */
interface ScanSink {
  /** Called with the context slot before the first row. May throw to refuse the response. */
  readonly onSlot: (slot: number) => void;
  readonly onRow: (row: ChainAccount) => void;
}

/** Maximum length of the text before the first row, and between two places where rows can be separated. */
const MAX_PIECE_CHARACTERS = 16 * 1024 * 1024;
const ROWS_BEGIN = /"value"\s*:\s*\[/;
/** Separator of rows. Nodes write no whitespace there, and no row contains a list of objects. */
const BETWEEN_ROWS = '},{';

const rowSchema = z
  .object({ pubkey: addressSchema, account: accountSchema })
  .transform(({ pubkey, account }): ChainAccount => ({ address: pubkey, ...account }));
const listSchema = z.object({
  context: z.object({ slot: z.int().nonnegative() }),
  value: z.array(z.never()),
});

const garbage = (what: string, cause?: unknown): NodeFailure =>
  new NodeFailure('garbage', { mayHaveArrived: true, cause: new Error(`program scan: ${what}`, { cause }) });

const hasExactLamports = (row: unknown): boolean =>
  Number.isSafeInteger((row as { account?: { lamports?: unknown } } | null)?.account?.lamports);

/**
 * Parses rows. Tries plain `JSON.parse` first, which rounds integers beyond 2^53. Only a balance above nine
 * million SOL needs `parseRpcJson`, which takes five times as long, because each row ends with a `rentEpoch`
 * of 2^64−1.
 */
const rowsIn = (text: string): readonly unknown[] => {
  try {
    const rows = JSON.parse(`[${text}]`) as readonly unknown[];
    return rows.every(hasExactLamports) ? rows : (parseRpcJson(`[${text}]`) as readonly unknown[]);
  } catch (error) {
    throw garbage('rows are not a list', error);
  }
};

/**
 * Returns the slot of a response from which the rows have been cut out. Throws the error that the response
 * reports instead, if any.
 */
const slotIn = (text: string, id: number): number => {
  const list = listSchema.safeParse(resultOf(text, id));
  if (list.success) return list.data.context.slot;
  throw garbage('not a list of rows with a slot', list.error);
};

/** Buffer for addresses that are decoded only to validate them. */
const anyKey = new Uint8Array(32);

const rowOf = (value: unknown): ChainAccount => {
  try {
    const row = rowSchema.parse(value);
    writeBase58Key(row.address, anyKey);
    return row;
  } catch (error) {
    throw garbage('a row is not one account', error);
  }
};

/** Returns the text before the rows if it is complete and has a slot. */
const headOf = (text: string): { readonly head: string; readonly slot: number } | null => {
  const begin = ROWS_BEGIN.exec(text);
  if (begin === null) return null;
  const head = text.slice(0, begin.index + begin[0].length);
  try {
    // The id may follow the rows, so only the slot is read here.
    const { result } = JSON.parse(`${head}]}}`) as { result?: unknown };
    return { head, slot: listSchema.parse(result).context.slot };
  } catch {
    return null;
  }
};

/**
 * Parses `{…, "result": {"context": {"slot": n}, "value": [row, …]}, …}`, with the context before the rows.
 * Throws `NodeFailure('garbage')` for other text, `RpcError` for a JSON-RPC error, errors of the sink, and
 * the signal's reason on abort. Rows passed on before an error are valid.
 */
export const readScanResponse = async (
  body: AsyncIterable<string>,
  id: number,
  { onSlot, onRow }: ScanSink,
  signal: AbortSignal,
): Promise<{ readonly slot: number; readonly rows: number }> => {
  let text = '';
  let begun: ReturnType<typeof headOf> = null;
  let rows = 0;
  const give = (values: readonly unknown[]): void => {
    for (const value of values) {
      signal.throwIfAborted();
      onRow(rowOf(value));
    }
    rows += values.length;
  };
  for await (const chunk of body) {
    signal.throwIfAborted();
    text += chunk;
    if (text.length > MAX_PIECE_CHARACTERS) throw garbage('rows cannot be separated');
    if (begun === null) {
      begun = headOf(text);
      if (begun === null) continue;
      onSlot(begun.slot);
      text = text.slice(begun.head.length);
    }
    const cut = text.lastIndexOf(BETWEEN_ROWS);
    if (cut === -1) continue;
    give(rowsIn(text.slice(0, cut + 1)));
    text = text.slice(cut + 2);
    await setImmediate();
  }
  if (begun === null) {
    slotIn(text, id);
    throw garbage('the context does not precede the rows');
  }
  const end = text.lastIndexOf(']');
  give(rowsIn(text.slice(0, end)));
  return { slot: slotIn(begun.head + text.slice(end), id), rows };
};

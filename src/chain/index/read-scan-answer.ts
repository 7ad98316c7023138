// Parses the response of a program scan in one piece and checks its rows in slices. `JSON.parse` of 100,000
// accounts (50 MB) blocks the event loop for 0.12 s and needs 60 MB in addition to the text (2026-11).
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { writeBase58Key } from '../../kernel/base58.ts';
import type { ChainAccount } from '../ports.ts';
import { parseRpcJson, resultOf } from '../rpc/rpc-answer.ts';
import { NodeFailure } from '../rpc/rpc-error.ts';
import { accountSchema, addressSchema } from '../rpc/rpc-schemas.ts';

/** Number of rows checked in one iteration of the event loop, about 2 ms. */
const ROWS_AT_ONCE = 500;

/** Receives the parsed rows. */
interface ScanSink {
  /** Called with the context slot before the first row. Throws to refuse the response. */
  readonly onSlot: (slot: number) => void;
  readonly onRow: (row: ChainAccount) => void;
}

const rowSchema = z
  .object({ pubkey: addressSchema, account: accountSchema })
  .transform(({ pubkey, account }): ChainAccount => ({ address: pubkey, ...account }));
const listSchema = z.object({
  context: z.object({ slot: z.int().nonnegative() }),
  // `z.array` would visit and copy every row in the same iteration of the event loop as `JSON.parse`.
  value: z.custom<readonly unknown[]>(Array.isArray),
});

const garbage = (what: string, cause?: unknown): NodeFailure =>
  new NodeFailure('garbage', { mayHaveArrived: true, cause: new Error(`program scan: ${what}`, { cause }) });

const hasExactLamports = (row: unknown): boolean =>
  Number.isSafeInteger((row as { account?: { lamports?: unknown } } | null)?.account?.lamports);

/** Returns the slot and rows of the response to request `id`. */
const listIn = (text: string, id: number, parse: (text: string) => unknown): z.infer<typeof listSchema> => {
  const list = listSchema.safeParse(resultOf(text, id, parse));
  if (list.success) return list.data;
  throw garbage('not a list of rows with a slot', list.error);
};

/**
 * Tries plain `JSON.parse` first, which rounds integers beyond 2^53. A balance over nine million SOL needs
 * `parseRpcJson`, which takes five times as long for any scan, because each row ends with a `rentEpoch` of
 * 2^64−1.
 */
const exactListIn = async (text: string, id: number): Promise<z.infer<typeof listSchema>> => {
  const list = listIn(text, id, JSON.parse);
  await setImmediate();
  return list.value.every(hasExactLamports) ? list : listIn(text, id, parseRpcJson);
};

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

/**
 * Parses `{…, "result": {"context": {"slot": n}, "value": [row, …]}, …}`. Throws `NodeFailure('garbage')` for other text, `RpcError` for a
 * JSON-RPC error, errors of the sink, and the signal's reason on abort.
 */
export const readScanAnswer = async (
  text: string,
  id: number,
  { onSlot, onRow }: ScanSink,
  signal: AbortSignal,
): Promise<{ readonly slot: number; readonly rows: number }> => {
  const { context, value } = await exactListIn(text, id);
  onSlot(context.slot);
  for (const [at, row] of value.entries()) {
    if (at % ROWS_AT_ONCE === 0) await setImmediate();
    signal.throwIfAborted();
    onRow(rowOf(row));
  }
  return { slot: context.slot, rows: value.length };
};

// Searches an address's signatures for transactions of the history, newest first, and records the range that
// was searched.
import type { Address, Signature } from '@solana/kit';
import type { AddressSignature } from '../../chain/ports.ts';
import type { SearchBudget } from '../../chain/rpc/search-budget.ts';
import { epochOfSlot } from '../../domain/epoch-of-slot.ts';
import type { Coverage, TransactionRecord } from '../../store/transaction-records.ts';
import { recognizeWire } from '../act/intents/recognize-transaction.ts';
import { epochGrid, recordOfWire } from '../act/intents/record-landed-transaction.ts';
import type { Context } from '../context.ts';

/** Maximum number of signatures that an RPC returns per call. */
const PAGE_ROWS = 1_000;
/** Maximum number of pages per address, direction and search. A later search continues where this one ended. */
const MAX_PAGES = 3;

export interface Search {
  readonly ctx: Context;
  readonly budget: SearchBudget;
  /** Transactions in later slots are ignored, because they are not finalized yet. */
  readonly finalizedSlot: bigint;
  readonly signal: AbortSignal;
}

type Row = AddressSignature;

interface Walk {
  readonly newest: Row | null;
  readonly oldest: Row | null;
  /**
   * `known`: reached a range that had already been searched. `start`: there is nothing older. `stopped`: the
   * page limit or the budget was reached.
   */
  readonly end: 'known' | 'start' | 'stopped';
}

const millis = (row: Row, { ctx, finalizedSlot }: Search, slotDurationMs: number): number =>
  row.blockTimeSeconds === null
    ? Math.round(ctx.clock.now() - Number(finalizedSlot - row.slot) * slotDurationMs)
    : row.blockTimeSeconds * 1_000;

/** Scope of a search: only transactions with our memo, or all. */
type SearchedFor = 'memo' | 'every';

/**
 * Returns the store key of an address's searched range. A memo search does not cover other transactions, so it
 * has its own key.
 */
export const coverageKey = (address: Address, searchedFor: SearchedFor): string =>
  searchedFor === 'memo' ? address : `every:${address}`;

/** Reads and decodes a transaction. The memo in the row is only a hint, because anyone can write it. */
const readRecord = async (search: Search, row: Row): Promise<TransactionRecord | null> => {
  const { ctx, signal } = search;
  const landed = await ctx.chain.reads.transaction(row.signature, { signal, commitment: 'finalized' });
  if (landed === null || landed.error !== null) return null;
  const [grid, { slotDurationMs }] = await Promise.all([
    epochGrid(ctx, signal),
    ctx.chain.cluster.recentEpochPosition(signal),
  ]);
  return recordOfWire(
    ctx,
    recognizeWire(ctx, landed.wireBytes),
    {
      signature: row.signature,
      slot: landed.slot,
      epoch: epochOfSlot(landed.slot, grid),
      confirmedAtMs: millis(row, search, slotDurationMs),
      source: 'chain',
    },
    landed.preBalances,
  );
};

/** Stores the rows that are our transactions. Returns the number of rows examined, counted from the first. */
const keepOurs = async (search: Search, rows: readonly Row[], searchedFor: SearchedFor): Promise<number> => {
  const { ctx, budget } = search;
  const promising = rows.filter(
    ({ succeeded, memo }) =>
      succeeded && (searchedFor === 'every' || memo?.includes(ctx.service.settings.memo)),
  );
  const known = new Set<string>();
  for (let i = 0; i < promising.length; i += 500) {
    const found = await ctx.store.transactions.find(
      promising.slice(i, i + 500).map(({ signature }) => signature),
    );
    for (const signature of found.keys()) known.add(signature);
  }
  const records: TransactionRecord[] = [];
  let searched = rows.length;
  for (const row of promising) {
    if (known.has(row.signature)) continue;
    if (!budget.take()) {
      searched = rows.indexOf(row);
      break;
    }
    const record = await readRecord(search, row);
    if (record !== null) records.push(record);
  }
  if (records.length > 0) await ctx.store.transactions.record(records);
  return searched;
};

/** Pages back from `before` (default: the newest transaction) to just after `knownSlot`. */
const walk = async (
  search: Search,
  address: Address,
  { searchedFor, before, knownSlot }: { searchedFor: SearchedFor; before?: Signature; knownSlot: bigint },
): Promise<Walk> => {
  const { ctx, budget, signal, finalizedSlot } = search;
  let [newest, oldest]: [Row | null, Row | null] = [null, null];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    if (!budget.take()) return { newest, oldest, end: 'stopped' };
    const last = oldest?.signature ?? before;
    const all = await ctx.chain.reads.signaturesFor(address, {
      signal,
      commitment: 'finalized',
      // A lagging node would omit transactions that the stored range then claims to cover.
      minContextSlot: finalizedSlot,
      limit: PAGE_ROWS,
      ...(last === undefined ? {} : { before: last }),
    });
    const rows = all.filter(({ slot }) => slot > knownSlot && slot <= finalizedSlot);
    const searched = await keepOurs(search, rows, searchedFor);
    if (searched > 0) newest ??= rows[0] ?? null;
    oldest = rows[searched - 1] ?? oldest;
    if (searched < rows.length) return { newest, oldest, end: 'stopped' };
    if (all.some(({ slot }) => slot <= knownSlot)) return { newest, oldest, end: 'known' };
    if (all.length < PAGE_ROWS) return { newest, oldest, end: 'start' };
  }
  return { newest, oldest, end: 'stopped' };
};

/**
 * Searches for new transactions first, then for older ones. Returns the searched range, or null if nothing
 * could be examined.
 */
export const searchAddress = async (
  search: Search,
  address: Address,
  searchedFor: SearchedFor = 'memo',
): Promise<Coverage | null> => {
  const {
    store: { transactions },
  } = search.ctx;
  const key = coverageKey(address, searchedFor);
  const known = await transactions.coverage(key);
  const recent =
    known !== null && known.toSlot >= search.finalizedSlot
      ? null
      : await walk(search, address, { searchedFor, knownSlot: known?.toSlot ?? -1n });
  let mark = known;
  if (recent !== null && (recent.end !== 'stopped' || recent.oldest !== null)) {
    mark = await transactions.extendCoverage({
      address: key,
      fromSlot: recent.end === 'known' ? known!.toSlot : recent.end === 'start' ? 0n : recent.oldest!.slot,
      fromSignature: recent.oldest?.signature ?? known?.fromSignature ?? null,
      toSlot: search.finalizedSlot,
      toSignature: recent.newest?.signature ?? known?.toSignature ?? null,
      reachesStart: recent.end === 'start',
    });
  }
  if (mark === null || mark.reachesStart || mark.fromSignature === null) return mark;
  const older = await walk(search, address, {
    searchedFor,
    before: mark.fromSignature as Signature,
    knownSlot: -1n,
  });
  if (older.oldest === null && older.end === 'stopped') return mark;
  return transactions.extendCoverage({
    address: key,
    fromSlot: older.end === 'start' ? 0n : older.oldest!.slot,
    fromSignature: older.oldest?.signature ?? mark.fromSignature,
    toSlot: mark.fromSlot,
    toSignature: mark.fromSignature,
    reachesStart: older.end === 'start',
  });
};

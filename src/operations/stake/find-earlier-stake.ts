// Finds the transaction that created a stake account earlier, however many transactions outsiders sent to its
// address since.
import type { Address, Signature } from '@solana/kit';
import type { AddressSignature } from '../../chain/ports.ts';
import { decodeWire, type WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { recognize } from '../act/intents/recognize-transaction.ts';
import type { Context } from '../context.ts';

/** A stake that was created at the derived address earlier. */
export interface EarlierStake {
  readonly stakeAccount: Address;
  readonly signature: string;
  readonly slot: bigint;
  readonly wireBytes: Uint8Array;
  readonly lamports: bigint;
}

/** The stake account to search, and the wallet that signs its creation. */
export interface EarlierRequest {
  readonly wallet: Address;
  readonly stakeAccount: Address;
  /** Seed with which the address is derived from the wallet. Without one, the account's own key signs too. */
  readonly seed?: string | undefined;
}

/** Maximum number of rows that an RPC returns per call. */
const HISTORY_PAGE = 1_000;
/** Maximum number of pages per request. Outsiders pay a transaction fee for each row that they add. */
const MAX_PAGES = 3;

export interface AddressHistory {
  /** Transactions that mention the address, newest first. */
  readonly rows: readonly AddressSignature[];
  readonly isComplete: boolean;
}

/**
 * Reads the newest transactions that mention the address. Outsiders may have sent any number of them since the
 * account was created.
 */
export const readHistory = async (
  ctx: Context,
  stakeAccount: Address,
  signal: AbortSignal,
): Promise<AddressHistory> => {
  const rows: AddressSignature[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const before = rows.at(-1)?.signature;
    const read = await ctx.chain.reads.signaturesFor(stakeAccount, {
      signal,
      limit: HISTORY_PAGE,
      ...(before === undefined ? {} : { before }),
    });
    rows.push(...read);
    if (read.length < HISTORY_PAGE) return { rows, isComplete: true };
  }
  return { rows, isComplete: false };
};

/** Maximum number of transactions that one request reads in parallel to find an earlier stake. */
const MAX_READS = 8;
/** Maximum number of remembered transactions, at about 200 bytes each. */
const REMEMBERED_MENTIONS = 50_000;

/**
 * Transactions that mention an address but are not signed by it. Landed transactions never change, so each is
 * read only once. Keyed by the object that reads the chain.
 */
const knownMentions = new WeakMap<Context['chain']['reads'], BoundedMap<string, true>>();

const mentionsOf = (reads: Context['chain']['reads']): BoundedMap<string, true> => {
  const known = knownMentions.get(reads) ?? new BoundedMap<string, true>(REMEMBERED_MENTIONS);
  knownMentions.set(reads, known);
  return known;
};

/**
 * Decodes the transaction. Returns null for formats that this service cannot read and therefore never signed.
 */
const decoded = (wireBytes: Uint8Array): WireTransaction | null => {
  try {
    return decodeWire(wireBytes);
  } catch (error) {
    if (isAppError(error, 'INVALID_TRANSACTION')) return null;
    throw error;
  }
};

/**
 * Finds the transaction that created the account at the address. Only a transaction signed by the address, or
 * by the wallet from which it is derived, can have created it. This service signs nothing without a memo, so
 * transactions without a memo are not read. Returns `undecided` if outsiders sent more transactions with a memo
 * than one request reads. A background search then continues within the shared budget, and a later request uses
 * its result.
 */
export const findEarlierStake = async (
  ctx: Context,
  { stakeAccount, seed, wallet }: EarlierRequest,
  { rows, isComplete }: AddressHistory,
  signal: AbortSignal,
): Promise<EarlierStake | 'undecided' | null> => {
  const mentions = mentionsOf(ctx.chain.reads);
  const nameOf = (row: AddressSignature): string => `${stakeAccount} ${row.signature}`;
  const readCreate = async (row: AddressSignature, until: AbortSignal): Promise<EarlierStake | null> => {
    const landed = await ctx.chain.reads.transaction(row.signature as Signature, { signal: until });
    if (!landed || landed.error !== null) return null;
    const wire = decoded(landed.wireBytes);
    if (!wire?.signatures.has(seed === undefined ? stakeAccount : wallet)) {
      mentions.set(nameOf(row), true);
      return null;
    }
    const seen = recognize(ctx, wire);
    return seen.kind === 'stake' && seen.stakeAccount === stakeAccount && seen.lamports !== undefined
      ? {
          stakeAccount,
          signature: row.signature,
          slot: row.slot,
          wireBytes: landed.wireBytes,
          lamports: seen.lamports,
        }
      : null;
  };
  // Reads the oldest first: unless outsiders know the idempotency key, they learn the address only from the
  // transaction that creates the account.
  const worthReading = rows
    .filter((row) => row.succeeded && row.memo !== null && !mentions.has(nameOf(row)))
    .reverse();
  const found = await Promise.all(worthReading.slice(0, MAX_READS).map((row) => readCreate(row, signal)));
  const earlier = found.find((one) => one !== null);
  if (earlier) return earlier;
  const left = worthReading.slice(MAX_READS);
  if (left.length > 0)
    searchOn(ctx, stakeAccount, async (until) => {
      for (const row of left)
        if (!ctx.chain.searchBudget.take() || (await readCreate(row, until)) !== null) return;
    });
  return left.length > 0 || !isComplete ? 'undecided' : null;
};

/**
 * Addresses that are being searched in the background, keyed by the object that reads the chain. At most one
 * search runs per address.
 */
const searching = new WeakMap<Context['chain']['reads'], Set<Address>>();
const MAX_SEARCHES = 20;

const searchOn = (ctx: Context, address: Address, search: (signal: AbortSignal) => Promise<void>): void => {
  const underWay = searching.get(ctx.chain.reads) ?? new Set<Address>();
  searching.set(ctx.chain.reads, underWay);
  if (underWay.has(address) || underWay.size >= MAX_SEARCHES) return;
  underWay.add(address);
  search(ctx.service.lifetime)
    // Errors are ignored, because the next request for the address searches again.
    .catch(() => undefined)
    .finally(() => underWay.delete(address));
};

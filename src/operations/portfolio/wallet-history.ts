// Returns a wallet's history: stored when transactions land and completed from the chain, with the slot from
// which it is complete.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import { limitedBudget } from '../../chain/rpc/search-budget.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import { stakeAccountsOf } from '../../domain/transaction/transaction-legs.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { ascending } from '../../kernel/order.ts';
import { MAX_HISTORY_PAGE } from '../../store/history-cursor.ts';
import type { Coverage } from '../../store/transaction-records.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { addressSchema, integer, pageCursor } from '../shared-schemas.ts';
import { refuseStakeAccountAsWallet } from '../wallet/stake-account-input.ts';
import { historyEntry, historyEntrySchema } from './history-entry.ts';
import { coverageKey, type Search, searchAddress } from './search-address-history.ts';

/** Maximum number of stake accounts searched per request in addition to the wallet. Later requests search the others. */
const MAX_ACCOUNTS = 200;

/**
 * Maximum number of calls per request, for pages and transactions. Each transaction needs a second call for its
 * epoch. The search continues in the background.
 */
const MAX_CALLS = 8;
/**
 * Maximum number of wallets that are searched in the background at the same time. Other wallets wait for a
 * later request.
 */
const MAX_BACKGROUND_SEARCHES = 20;

/**
 * Number of slots (about a minute) for which an account counts as searched. Without this, no request could
 * complete the search of a wallet with many accounts.
 */
const CURRENT_SLOTS = 150n;

const NOT_SEARCHED = notice(
  'CHAIN_NOT_SEARCHED',
  'The chain cannot be searched right now, so transactions not sent through this service may be missing.',
);
const NOT_WHOLE = notice(
  'OLDER_TRANSACTIONS_SEARCHED',
  'Still searching for older transactions of this wallet. Repeat the request for more.',
);

/** `GET /api/v1/stake/history/{walletAddress}` */
export const walletHistory = defineOperation({
  name: 'walletHistory',
  summary: "A wallet's staking history",
  description:
    'Every finalized stake, unstake, withdrawal, split, merge and move of the wallet with this validator, and its donations, newest first. Includes transactions sent through the service and those submitted elsewhere, which are found on chain by the memo in the wallet’s transactions or, with or without a memo, in those of its stake accounts. What another stake authority signed is in that address’s history; if it changed control, also in the wallet’s alerts. legs lists the effects on every stake account. One request searches with a few RPC calls; the rest is searched in the background, within a budget shared by all requests, and complete is false until that is done. `coverageFromSlot` is the slot back to which the search is complete; 0 is the beginning.',
  effect: 'read',
  input: z.object({
    walletAddress: addressSchema('The wallet.'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(MAX_HISTORY_PAGE)
      .default(50)
      .meta({ description: 'Entries per page.' }),
    cursor: pageCursor,
  }),
  output: z.object({
    walletAddress: z.string(),
    history: z.array(historyEntrySchema),
    nextCursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
    coverageFromSlot: integer(
      'The history is complete from this slot on; 0 means from the beginning. Null until the chain has been searched for this wallet.',
    ).nullable(),
    complete: z
      .boolean()
      .meta({ description: 'True if nothing is missing: the search reached the beginning.' }),
    ...noticesMembers,
  }),
  errors: ['STAKE_ACCOUNT_ADDRESS_PROVIDED', 'STORE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, signal }) {
    const wallet = input.walletAddress;
    const searched = await searchWallet(ctx, wallet, input.cursor === undefined, signal);
    const { entries, nextCursor } = await ctx.store.transactions.pageWalletHistory(wallet, {
      limit: input.limit,
      cursor: input.cursor,
      throughSlot: searched.finalizedSlot,
    });
    return {
      body: {
        walletAddress: wallet,
        history: entries.map((record) => historyEntry(record, ctx.service.settings)),
        nextCursor,
        coverageFromSlot: searched.fromSlot === null ? null : Number(searched.fromSlot),
        complete: searched.fromSlot === 0n && searched.warnings.length === 0,
        ...noticesBody(searched.warnings),
      },
    };
  },
});

interface Searched {
  readonly finalizedSlot: bigint;
  readonly fromSlot: bigint | null;
  readonly warnings: readonly Notice[];
}

const asRecorded = async (ctx: Context, wallet: Address): Promise<Searched> => {
  const mark = await ctx.store.transactions.coverage(wallet);
  return {
    // If the chain is unreachable, only transactions found by an earlier search are known to be finalized.
    finalizedSlot: mark?.toSlot ?? 0n,
    fromSlot: mark?.fromSlot ?? null,
    warnings: [NOT_SEARCHED],
  };
};

/** Returns every stake account known to have ever belonged to the wallet. */
const accountsOf = async (ctx: Context, wallet: Address): Promise<readonly Address[]> => {
  const { entries } = await ctx.store.transactions.pageWalletHistory(wallet, { limit: MAX_HISTORY_PAGE });
  const recorded = entries.flatMap(stakeAccountsOf);
  return [...new Set([...(ctx.chain.index?.seenEver(wallet) ?? []), ...(recorded as Address[])])];
};

/**
 * Returns the slot from which all transactions of these accounts are known, with or without a memo. Returns
 * `otherwise` if one of the accounts was never searched.
 */
const coveredFrom = async (
  ctx: Context,
  accounts: readonly Address[],
  otherwise: bigint,
): Promise<bigint> => {
  let from = 0n;
  for (const account of accounts) {
    const mark = await ctx.store.transactions.coverage(coverageKey(account, 'every'));
    const fromSlot = mark === null ? otherwise : mark.reachesStart ? 0n : mark.fromSlot;
    if (fromSlot > from) from = fromSlot;
  }
  return from;
};

/**
 * Searches the accounts, least recently searched first. Returns the slot from which all of them are covered,
 * or the finalized slot if one of them was not searched recently.
 */
const searchAccounts = async (search: Search, accounts: readonly Address[]): Promise<bigint> => {
  const { ctx, finalizedSlot } = search;
  const dated: { readonly account: Address; readonly toSlot: bigint }[] = [];
  for (const account of accounts) {
    const mark = await ctx.store.transactions.coverage(coverageKey(account, 'every'));
    dated.push({ account, toSlot: mark?.toSlot ?? -1n });
  }
  dated.sort((a, b) => ascending(a.toSlot, b.toSlot));
  let isCurrent = true;
  for (const [at, { account }] of dated.entries()) {
    const mark = at < MAX_ACCOUNTS ? await searchAddress(search, account, 'every') : null;
    const searched = mark ?? (await ctx.store.transactions.coverage(coverageKey(account, 'every')));
    isCurrent &&= searched !== null && searched.toSlot >= finalizedSlot - CURRENT_SLOTS;
  }
  return isCurrent ? coveredFrom(ctx, accounts, finalizedSlot) : finalizedSlot;
};

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b);

const searchedTo = (finalizedSlot: bigint, mark: Coverage | null, fromAccounts: bigint): Searched => {
  const ownFrom = mark === null ? null : mark.reachesStart ? 0n : mark.fromSlot;
  const fromSlot = ownFrom === null ? null : later(ownFrom, fromAccounts);
  return { finalizedSlot, fromSlot, warnings: fromSlot === 0n ? [] : [NOT_WHOLE] };
};

/** Wallets that are being searched in the background, keyed by the object that reads the chain. */
const searching = new WeakMap<Context['chain']['reads'], Set<Address>>();

/** Continues the search after the response, with at most one search per wallet. */
const searchOn = (ctx: Context, wallet: Address, finalizedSlot: bigint): void => {
  const underWay = searching.get(ctx.chain.reads) ?? new Set<Address>();
  searching.set(ctx.chain.reads, underWay);
  if (underWay.has(wallet) || underWay.size >= MAX_BACKGROUND_SEARCHES) return;
  underWay.add(wallet);
  const search = { ctx, budget: ctx.chain.searchBudget, finalizedSlot, signal: ctx.service.lifetime };
  const run = async (): Promise<void> => {
    const mark = await searchAddress(search, wallet);
    await searchAccounts(search, await accountsOf(ctx, wallet));
    // For a wallet with many transactions, the donation address leads to its donations faster, because that
    // address has fewer transactions.
    if (!mark?.reachesStart) await searchAddress(search, ctx.service.settings.donationAddress);
  };
  run()
    // Errors are ignored, because the next request for the wallet continues where this search ended.
    .catch(() => undefined)
    .finally(() => underWay.delete(wallet));
};

const searchWallet = async (
  ctx: Context,
  wallet: Address,
  isFirstPage: boolean,
  signal: AbortSignal,
): Promise<Searched> => {
  try {
    const { slot: finalizedSlot, accounts } = await ctx.chain.reads.accounts([wallet], {
      signal,
      commitment: 'finalized',
    });
    refuseStakeAccountAsWallet(accounts[0] ?? null);
    // Later pages use the accounts found for the first page.
    if (!isFirstPage) {
      const mark = await ctx.store.transactions.coverage(wallet);
      const fromAccounts = await coveredFrom(ctx, await accountsOf(ctx, wallet), finalizedSlot);
      return searchedTo(finalizedSlot, mark, fromAccounts);
    }
    const search = { ctx, budget: limitedBudget(ctx.chain.searchBudget, MAX_CALLS), finalizedSlot, signal };
    const mark = await searchAddress(search, wallet);
    const fromAccounts = await searchAccounts(search, await accountsOf(ctx, wallet));
    const searched = searchedTo(finalizedSlot, mark, fromAccounts);
    if (searched.fromSlot !== 0n) searchOn(ctx, wallet, finalizedSlot);
    return searched;
  } catch (error) {
    signal.throwIfAborted();
    if (!isAppError(error, 'UPSTREAM_UNAVAILABLE')) throw error;
    return asRecorded(ctx, wallet);
  }
};

// What a wallet did here, whoever carried it out: kept when it landed, completed from the chain, finalized, and honest about how far back.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import { isAppError } from '../../kernel/app-error.ts';
import { MAX_HISTORY_PAGE } from '../../store/history-cursor.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema, integer } from '../schemas.ts';
import { refuseStakeAccountAsWallet } from '../stake/stake-account-input.ts';
import { historyEntry, historyEntrySchema } from './history-entry.ts';
import { searchAddress } from './search-address.ts';

/** Stake accounts searched beside the wallet in one request. */
const MOST_ACCOUNTS = 20;

const NOT_SEARCHED =
  'The chain could not be searched now: transactions that did not go through this service may be missing.';
const NOT_WHOLE =
  'The history of this wallet is not searched to its beginning yet: it reaches back to coverageFromSlot. Ask again to search further.';

/** `GET /api/v1/stake/history/{walletAddress}` */
export const walletHistory = defineOperation({
  name: 'walletHistory',
  summary: "A wallet's staking history",
  description:
    'Every finalized stake, unstake, withdrawal and donation that the wallet signed with the memo of this service, newest first: those that went through the service, and those submitted elsewhere, found on chain through the wallet, its stake accounts and the donation address and decoded one by one. One request searches a few pages of signatures under a budget that all requests share; coverageFromSlot says how far back the search has come, 0 means to the beginning.',
  effect: 'read',
  input: z.object({
    walletAddress: addressSchema('The wallet.'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(MAX_HISTORY_PAGE)
      .default(50)
      .meta({ description: 'Entries of one page.' }),
    cursor: z.string().min(1).max(200).optional().meta({ description: 'nextCursor of the page before.' }),
  }),
  output: z.object({
    walletAddress: z.string(),
    history: z.array(historyEntrySchema),
    nextCursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
    coverageFromSlot: integer(
      'From this slot on the history is complete; 0: to the beginning. Null while the chain was never searched for this wallet.',
    ).nullable(),
    warnings: z.array(z.string()),
  }),
  errors: ['STAKE_ACCOUNT_ADDRESS_PROVIDED', 'STORE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, signal }) {
    const wallet = input.walletAddress;
    const searched = await searchWallet(ctx, wallet, input.cursor === undefined, signal);
    const { entries, nextCursor } = await ctx.transactions.pageWalletHistory(wallet, {
      limit: input.limit,
      cursor: input.cursor,
      throughSlot: searched.finalizedSlot,
    });
    return {
      body: {
        walletAddress: wallet,
        history: entries.map((record) => historyEntry(record, ctx.settings)),
        nextCursor,
        coverageFromSlot: searched.fromSlot === null ? null : Number(searched.fromSlot),
        warnings: searched.warnings,
      },
    };
  },
});

interface Searched {
  readonly finalizedSlot: bigint;
  readonly fromSlot: bigint | null;
  readonly warnings: string[];
}

const asKept = async (ctx: Context, wallet: Address): Promise<Searched> => {
  const mark = await ctx.transactions.coverage(wallet);
  return {
    // Without the chain only what an earlier search saw is known to be finalized.
    finalizedSlot: mark?.toSlot ?? 0n,
    fromSlot: mark?.fromSlot ?? null,
    warnings: [NOT_SEARCHED],
  };
};

/** Every address beside the wallet itself in whose signatures its transactions may be. */
const furtherAddresses = async (ctx: Context, wallet: Address): Promise<readonly Address[]> => {
  const { entries } = await ctx.transactions.pageWalletHistory(wallet, { limit: MAX_HISTORY_PAGE });
  const recorded = entries.flatMap(({ stakeAccountAddress }) => stakeAccountAddress ?? []);
  const accounts = new Set([...(ctx.index?.seenEver(wallet) ?? []), ...(recorded as Address[])]);
  return [...[...accounts].slice(0, MOST_ACCOUNTS), ctx.settings.donationAddress];
};

const searchWallet = async (
  ctx: Context,
  wallet: Address,
  isFirstPage: boolean,
  signal: AbortSignal,
): Promise<Searched> => {
  try {
    const { slot: finalizedSlot, accounts } = await ctx.reads.accounts([wallet], {
      signal,
      commitment: 'finalized',
    });
    refuseStakeAccountAsWallet(accounts[0] ?? null);
    // Later pages go on with what the first one found.
    if (!isFirstPage) {
      const mark = await ctx.transactions.coverage(wallet);
      const warnings = mark?.reachesStart ? [] : [NOT_WHOLE];
      return { finalizedSlot, fromSlot: mark?.fromSlot ?? null, warnings };
    }
    const search = { ctx, budget: ctx.searchBudget, finalizedSlot, signal };
    const mark = await searchAddress(search, wallet);
    if (mark?.reachesStart) return { finalizedSlot, fromSlot: 0n, warnings: [] };
    // A busy wallet: what it did here is found sooner where less happens.
    for (const address of await furtherAddresses(ctx, wallet)) await searchAddress(search, address);
    return { finalizedSlot, fromSlot: mark?.fromSlot ?? null, warnings: [NOT_WHOLE] };
  } catch (error) {
    signal.throwIfAborted();
    if (!isAppError(error, 'UPSTREAM_UNAVAILABLE')) throw error;
    return asKept(ctx, wallet);
  }
};

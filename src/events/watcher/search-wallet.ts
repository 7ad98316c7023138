// Finds the stake accounts that a wallet's own transactions touched, including closed ones, which lists of
// existing accounts omit.
import type { Address } from '@solana/kit';
import { touchedBy } from '../../domain/stake/stake-operation.ts';
import type { Registration } from '../../store/registration-rows.ts';
import type { Webhooks } from '../../store/webhooks.ts';
import {
  type HistoryOptions,
  readTransactions,
  type SlotRange,
  signaturesWithin,
} from './account-history.ts';
import type { Gap } from './event-of-fact.ts';

/**
 * Maximum number of a wallet's transactions that a search reads. A staker signs a few per day. With more
 * transactions, accounts are still found as long as they exist.
 */
const MAX_TRANSACTIONS = 300;

interface WalletSearch {
  readonly accounts: readonly Address[];
  /** Reason why short-lived accounts within the range may be missing; null if none are. */
  readonly gap: Gap | null;
}

/**
 * Searches a range of finalized slots. Throws `AppError('UPSTREAM_UNAVAILABLE')` if no RPC node returns a
 * usable response.
 */
export const searchWallet = async (
  options: HistoryOptions,
  wallet: Address,
  range: SlotRange & { readonly after: bigint },
  most = MAX_TRANSACTIONS,
): Promise<WalletSearch> => {
  const { rows, isComplete } = await signaturesWithin(options, wallet, range);
  const newest = rows.slice(-most);
  const found = await readTransactions(
    options,
    newest.map(({ signature }) => signature),
  );
  const accounts = new Set<Address>();
  for (const transaction of found)
    for (const operation of transaction?.operations ?? [])
      for (const account of touchedBy(operation)) accounts.add(account);
  const reason: Gap['reason'] | null =
    !isComplete || newest.length < rows.length
      ? 'too-many-transactions'
      : found.includes(null)
        ? 'history-unavailable'
        : null;
  const gap = reason && {
    wallet,
    account: null,
    fromSlot: range.after,
    toSlot: range.through,
    reason,
  };
  return { accounts: [...accounts], gap };
};

const PAGE = 500;

/** All registrations from one read: grouped by wallet, plus their ids. */
export interface WatchedWallets {
  readonly byWallet: ReadonlyMap<Address, readonly Registration[]>;
  readonly ids: ReadonlySet<string>;
}

/**
 * Reads all registrations, 500 at a time. Throws `AppError('STORE_UNAVAILABLE')` if the store is unavailable.
 */
export const readWatchedWallets = async (webhooks: Pick<Webhooks, 'page'>): Promise<WatchedWallets> => {
  const byWallet = new Map<Address, Registration[]>();
  const ids = new Set<string>();
  for (let after: string | null = null; ; ) {
    const page: readonly Registration[] = await webhooks.page(after, PAGE);
    for (const registration of page) {
      const wallet = registration.walletAddress as Address;
      ids.add(registration.id);
      byWallet.set(wallet, [...(byWallet.get(wallet) ?? []), registration]);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return { byWallet, ids };
    after = last.id;
  }
};

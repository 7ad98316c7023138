// Groups the validator's accounts by wallet, filters and sorts them, and measures concentration. Pure.
import { lamportsOf } from '../../text/format-figures.ts';
import type { Account } from '../operator-api.ts';

export interface Staker {
  readonly walletAddress: string;
  /** The operator's name for the wallet; null without one. */
  readonly label: string | null;
  /** Accounts, largest first. */
  readonly accounts: readonly Account[];
  readonly stakeLamports: bigint;
  /** Share of the validator's active stake, in percent. */
  readonly sharePct: number;
  /**
   * Epoch since which the wallet has staked here without interruption. Null means since genesis; undefined
   * means without stake.
   */
  readonly sinceEpoch: number | null | undefined;
  /** ISO 8601 time; null for a short time after the account joined. */
  readonly firstSeenAt: string | null;
}

/** Columns by which the list can be sorted. */
export type StakerSort = 'wallet' | 'accounts' | 'stake' | 'since' | 'firstSeen';

/** Returns the earliest activation of the current stake. */
const sinceOf = (accounts: readonly Account[]): number | null | undefined => {
  const epochs = accounts.filter(({ state }) => state !== 'inactive').map((one) => one.activationEpoch);
  if (epochs.length === 0) return undefined;
  return epochs.includes(null) ? null : Math.min(...epochs.map(Number));
};

const stakerOf = (walletAddress: string, accounts: readonly Account[]): Staker => ({
  walletAddress,
  label: accounts[0]?.label ?? null,
  accounts,
  stakeLamports: accounts.reduce((sum, { stakeSol }) => sum + lamportsOf(stakeSol), 0n),
  sharePct: accounts.reduce((sum, { sharePct }) => sum + sharePct, 0),
  sinceEpoch: sinceOf(accounts),
  firstSeenAt: accounts.map(({ firstSeenAt }) => firstSeenAt).sort()[0] ?? null,
});

/** Groups `accounts` by wallet, largest share of the active stake first. */
export const groupStakers = (accounts: readonly Account[]): readonly Staker[] =>
  [...Map.groupBy(accounts, ({ walletAddress }) => walletAddress)]
    .map(([wallet, own]) => stakerOf(wallet, own))
    .sort((one, other) => other.sharePct - one.sharePct);

/** Computes the percentage of the active stake held by the `most` largest of these wallets. */
export const concentrationPct = (stakers: readonly Staker[], most: number): number =>
  stakers
    .map(({ sharePct }) => sharePct)
    .sort((one, other) => other - one)
    .slice(0, most)
    .reduce((sum, share) => sum + share, 0);

/**
 * Filters accounts by state ('' for any) and by `search`, which is matched against the wallet's label (ignoring
 * case) and the address of the account, the wallet or the stake authority.
 */
export const filterAccounts = (
  accounts: readonly Account[],
  search: string,
  state: Account['state'] | '',
): readonly Account[] =>
  accounts.filter(
    (one) =>
      (state === '' || one.state === state) &&
      (one.label?.toLowerCase().includes(search.toLowerCase()) ||
        [one.stakeAccountAddress, one.walletAddress, one.stakeAuthority].some((address) =>
          address.includes(search),
        )),
  );

const KEYS: Readonly<Record<StakerSort, (staker: Staker) => bigint | number | string>> = {
  wallet: ({ walletAddress }) => walletAddress,
  accounts: ({ accounts }) => accounts.length,
  stake: ({ stakeLamports }) => stakeLamports,
  // Genesis counts as the earliest, and wallets without stake come last.
  since: ({ sinceEpoch }) => (sinceEpoch === undefined ? Number.MAX_SAFE_INTEGER : (sinceEpoch ?? -1)),
  firstSeen: ({ firstSeenAt }) => firstSeenAt ?? '9999',
};

/** Sorts by a column, and wallets with equal values by address. */
export const sortStakers = (
  stakers: readonly Staker[],
  sort: StakerSort,
  order: 'asc' | 'desc',
): readonly Staker[] => {
  const sign = order === 'asc' ? 1 : -1;
  return stakers.toSorted((one, other) => {
    const [a, b] = [KEYS[sort](one), KEYS[sort](other)];
    return a === b ? (one.walletAddress < other.walletAddress ? -1 : 1) : sign * (a < b ? -1 : 1);
  });
};

// Finds, sorts and pages the accounts of the delegator list, processing a few thousand accounts per event-loop
// turn.
import { setImmediate } from 'node:timers/promises';
import type { Address } from '@solana/kit';
import type { IndexEntry, StakeIndex } from '../../chain/index/stake-index.ts';
import { EPOCH_ABSENT } from '../../domain/stake/stake-account.ts';
import { type StakeActivation, stakeActivation } from '../../domain/stake/stake-activation.ts';
import type { StakeHistory } from '../../domain/stake/stake-history.ts';
import { ascending } from '../../kernel/order.ts';
import type { FirstSeenMemory } from '../../store/first-seen-memory.ts';

export const DELEGATOR_SORTS = ['stake', 'firstSeen', 'wallet', 'account'] as const;
export const DELEGATOR_STATES = ['activating', 'active', 'deactivating', 'inactive'] as const;

type Sort = (typeof DELEGATOR_SORTS)[number];
type State = (typeof DELEGATOR_STATES)[number];
type Entry = Readonly<IndexEntry>;

/** An account with its state in the requested epoch. */
export interface DelegatorRow {
  readonly entry: Entry;
  readonly state: State;
  readonly activation: StakeActivation;
}

/** Sort position of a page's last row: its sort value, plus its address to break ties. */
export interface RowPlace {
  readonly key: string;
  readonly address: string;
}

/** Filter for accounts, with the epoch for which their states are determined. */
export interface RowFilter {
  readonly epoch: bigint;
  readonly history: StakeHistory;
  /** Part of the account's address, or of the address of one of its authorities. */
  readonly search?: string | undefined;
  readonly wallet?: Address | undefined;
  readonly state?: State | undefined;
}

interface RowQuery extends RowFilter {
  readonly sort: Sort;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly after: RowPlace | null;
}

/** Number of accounts processed per event-loop turn, which takes less than 10 ms (2026-11). */
export const ACCOUNTS_AT_ONCE = 4_000;
/** Number of collected candidates at which they are sorted and cut to the page size. */
const SORTED_AT = 8_192;

/** Returns the state of an account in `epoch`. */
export const rowOf = (entry: Entry, epoch: bigint, history: StakeHistory): DelegatorRow => {
  const activation = stakeActivation(entry, epoch, history);
  const isLeaving = entry.deactivationEpoch !== EPOCH_ABSENT;
  const state: State = isLeaving
    ? activation.effectiveLamports > 0n
      ? 'deactivating'
      : 'inactive'
    : activation.activatingLamports > 0n
      ? 'activating'
      : 'active';
  return { entry, state, activation };
};

/** Returns the stake shown and used for sorting: zero for inactive accounts. */
export const shownLamports = ({ stakeLamports }: Entry, state: State): bigint =>
  state === 'inactive' ? 0n : stakeLamports;

/** True if the account is delegated here and matches the filter. */
export const matchesFilter = (entry: Entry, { epoch, history, search, wallet, state }: RowFilter): boolean =>
  entry.live &&
  (wallet === undefined || entry.withdrawer.address === wallet) &&
  (search === undefined ||
    entry.address.includes(search) ||
    entry.withdrawer.address.includes(search) ||
    entry.staker.address.includes(search)) &&
  (state === undefined || rowOf(entry, epoch, history).state === state);

type Key = bigint | number | string;

const keyOf = (
  entry: Entry,
  { sort, epoch, history }: Pick<RowQuery, 'sort' | 'epoch' | 'history'>,
  firstSeen: FirstSeenMemory,
): Key => {
  if (sort === 'stake')
    return entry.deactivationEpoch === EPOCH_ABSENT
      ? entry.stakeLamports
      : shownLamports(entry, rowOf(entry, epoch, history).state);
  // Accounts that are not recorded in the delegator list yet count as the newest.
  if (sort === 'firstSeen') return firstSeen.of(entry.address)?.atMs ?? Number.MAX_SAFE_INTEGER;
  return sort === 'wallet' ? entry.withdrawer.address : entry.address;
};

const parsePlace = ({ key, address }: RowPlace, sort: Sort): { key: Key; address: string } => ({
  key: sort === 'stake' ? BigInt(key) : sort === 'firstSeen' ? Number(key) : key,
  address,
});

/**
 * Returns the rows of a page in order, and the position after which the next page starts (null on the last
 * page).
 */
export const pageRows = async (
  index: Pick<StakeIndex, 'entries'>,
  firstSeen: FirstSeenMemory,
  query: RowQuery,
): Promise<{ readonly rows: readonly DelegatorRow[]; readonly next: RowPlace | null }> => {
  const { epoch, history, sort, order, limit } = query;
  const after = query.after && parsePlace(query.after, sort);
  const sign = order === 'asc' ? 1 : -1;
  type Candidate = { readonly key: Key; readonly entry: Entry };
  const compare = (a: { key: Key; address: string }, b: { key: Key; address: string }): number =>
    sign * (ascending(a.key, b.key) || ascending(a.address, b.address));
  const place = ({ key, entry }: Candidate) => ({ key, address: entry.address as string });
  const byPlace = (a: Candidate, b: Candidate): number => compare(place(a), place(b));
  let best: Candidate[] = [];
  let worst: Candidate | null = null;
  let seen = 0;
  const keep = Math.max(SORTED_AT, 2 * limit);
  for (const entry of index.entries()) {
    seen += 1;
    if (seen % ACCOUNTS_AT_ONCE === 0) await setImmediate();
    if (!matchesFilter(entry, query)) continue;
    const candidate = { key: keyOf(entry, query, firstSeen), entry };
    if (after !== null && compare(place(candidate), after) <= 0) continue;
    if (worst !== null && byPlace(candidate, worst) >= 0) continue;
    best.push(candidate);
    if (best.length < keep + limit) continue;
    best = best.sort(byPlace).slice(0, limit + 1);
    worst = best.at(-1) ?? null;
  }
  const chosen = best.sort(byPlace).slice(0, limit);
  const last = chosen.at(-1);
  return {
    rows: chosen.map(({ entry }) => rowOf(entry, epoch, history)),
    next: best.length > limit && last ? { key: String(last.key), address: last.entry.address } : null,
  };
};

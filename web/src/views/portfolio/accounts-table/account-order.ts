// The columns of the account table: their sort orders, and the next date of an account.
import type { EpochTiming } from '../../../../../client/generated/shared-types.ts';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { boundaryTime, type EpochBoundary, timeText } from '../../../text/format-figures.ts';

/** The account fields needed. */
export type OrderedAccount = Pick<
  StakeAccount,
  | 'address'
  | 'state'
  | 'lamports'
  | 'activationEpoch'
  | 'withdrawReady'
  | 'withdrawableAtEpoch'
  | 'estimatedWithdrawableAt'
> & {
  /** Absent for stake that this service does not estimate, such as at another validator. */
  readonly estimatedDailyRewardSol?: number | null;
};

/** Next date of an account. `atMs`: 0 is now, null is not fixed. */
interface NextDate {
  /** For a column of dates. */
  readonly words: string;
  /** Standing alone; empty if the state says everything. */
  readonly sentence: string;
  readonly atMs: number | null;
}

type Boundary = EpochBoundary & Pick<EpochTiming, 'currentEpoch'>;

/** When an account becomes withdrawable or active. Without `timing` only the epoch is known. */
export const nextDate = (account: OrderedAccount, timing: Boundary | null, nowMs: number): NextDate => {
  const { state, withdrawReady, withdrawableAtEpoch: epoch, estimatedWithdrawableAt: at } = account;
  if (withdrawReady) return { words: 'Withdraw now', sentence: 'Ready to withdraw', atMs: 0 };
  if (state === 'activating') {
    const time = timing === null ? 'next epoch' : boundaryTime(timing, nowMs);
    return {
      words: `Active ${time}`,
      sentence: `Starts earning ${time}`,
      atMs: timing === null ? null : Date.parse(timing.estimatedEpochEnd),
    };
  }
  if (epoch === null)
    // Nothing is estimated while the validator is silent or keeps everything.
    return state === 'active' && (account.estimatedDailyRewardSol ?? 0) > 0
      ? { words: 'Earning', sentence: 'Earning', atMs: null }
      : { words: '–', sentence: '', atMs: null };
  const isNext = timing !== null && epoch === timing.currentEpoch + 1;
  const time = isNext ? boundaryTime(timing, nowMs) : at === null ? `epoch ${epoch}` : timeText(at, nowMs);
  return {
    words: `Withdraw ${time}`,
    sentence: `Ready to withdraw ${time}`,
    atMs: at === null ? null : Date.parse(at),
  };
};

/** Accounts that need attention come first. */
const URGENCY: Readonly<Record<StakeAccount['state'], number>> = {
  inactive: 0,
  deactivating: 1,
  activating: 2,
  active: 3,
  initialized: 4,
};

const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0);

const LAST = Number.POSITIVE_INFINITY;

const ORDERS = {
  account: (a: OrderedAccount, b: OrderedAccount) => compare(a.address, b.address),
  state: (a: OrderedAccount, b: OrderedAccount) =>
    URGENCY[a.state] - URGENCY[b.state] || b.lamports - a.lamports,
  sol: (a: OrderedAccount, b: OrderedAccount) => a.lamports - b.lamports,
  since: (a: OrderedAccount, b: OrderedAccount) =>
    compare(a.activationEpoch ?? LAST, b.activationEpoch ?? LAST),
  next: (a: OrderedAccount, b: OrderedAccount) =>
    compare(nextDate(a, null, 0).atMs ?? LAST, nextDate(b, null, 0).atMs ?? LAST) ||
    URGENCY[a.state] - URGENCY[b.state],
} as const;

/** A sortable column. */
export type AccountColumn = keyof typeof ORDERS;

/** Sort order of a table. */
export interface AccountOrder {
  readonly by: AccountColumn;
  readonly descending: boolean;
}

/** Sorts the accounts, equal ones by address, so that a refresh moves none. */
export const orderAccounts = <Account extends OrderedAccount>(
  accounts: readonly Account[],
  { by, descending }: AccountOrder,
): readonly Account[] =>
  accounts.toSorted(
    (a, b) => (descending ? ORDERS[by](b, a) : ORDERS[by](a, b)) || compare(a.address, b.address),
  );

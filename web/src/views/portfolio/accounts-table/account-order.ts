// The columns of the account table: their sort orders, and the next date of an account.
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { boundaryTime, type CurrentEpoch } from '../../../text/epoch-boundary.ts';
import { timeText } from '../../../text/format-figures.ts';
import { otherOwner } from '../../../text/other-owner.ts';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAccountsEnglish } from '../../../words/en/portfolio/accounts.ts';

const { say } = defineWords('portfolioAccounts', portfolioAccountsEnglish);

export type OrderedAccount = Pick<
  StakeAccount,
  | 'address'
  | 'state'
  | 'lamports'
  | 'activationEpoch'
  | 'withdrawReady'
  | 'withdrawableAtEpoch'
  | 'estimatedWithdrawableAt'
  | 'role'
  | 'withdrawAuthority'
> & {
  /** Absent for stake whose reward this service does not estimate, such as at another validator. */
  readonly estimatedDailyRewardSol?: number | null;
};

/** The next date of an account as text. */
interface NextDate {
  /** Text for a column of dates. */
  readonly words: string;
  /** Text for layouts without such a column; empty if the state says everything. */
  readonly sentence: string;
}

/** Describes when an account becomes withdrawable or active. Without `timing`, only the epoch is known. */
export const nextDate = (account: OrderedAccount, timing: CurrentEpoch | null, nowMs: number): NextDate => {
  const { state, withdrawReady, withdrawableAtEpoch: epoch, estimatedWithdrawableAt: at } = account;
  const owner = otherOwner(account);
  if (withdrawReady)
    return { words: say('withdrawNow', { owner }), sentence: say('withdrawNowSentence', { owner }) };
  if (state === 'activating') {
    const time = timing === null ? say('nextEpoch') : boundaryTime(timing, nowMs);
    return { words: say('activeAt', { time }), sentence: say('activeAtSentence', { time }) };
  }
  if (epoch === null)
    // The service estimates no reward while the validator is delinquent or keeps all rewards.
    return state === 'active' && (account.estimatedDailyRewardSol ?? 0) > 0
      ? { words: say('earning'), sentence: say('earning') }
      : { words: '–', sentence: '' };
  const isNext = timing !== null && epoch === timing.currentEpoch + 1;
  const time = isNext
    ? boundaryTime(timing, nowMs)
    : at === null
      ? say('oneEpoch', { epoch })
      : timeText(at, nowMs);
  return { words: say('withdrawAt', { owner, time }), sentence: say('withdrawAtSentence', { owner, time }) };
};

/** Sort key for the time at which an account can be withdrawn: 0 means now, and accounts without a known time come last. */
const withdrawableAtMs = (account: OrderedAccount): number => {
  const { withdrawReady, withdrawableAtEpoch, estimatedWithdrawableAt: at } = account;
  if (withdrawReady) return 0;
  return withdrawableAtEpoch === null || at === null ? LAST : Date.parse(at);
};

/** Sort key of the states: accounts that need attention come first. */
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
    compare(withdrawableAtMs(a), withdrawableAtMs(b)) || URGENCY[a.state] - URGENCY[b.state],
} as const;

/** A sortable column. */
export type AccountColumn = keyof typeof ORDERS;

/** Sort order of a table. */
export interface AccountOrder {
  readonly by: AccountColumn;
  readonly descending: boolean;
}

/** Sorts the accounts, equal ones by address, so a refresh moves none. */
export const orderAccounts = <Account extends OrderedAccount>(
  accounts: readonly Account[],
  { by, descending }: AccountOrder,
): readonly Account[] =>
  accounts.toSorted(
    (a, b) => (descending ? ORDERS[by](b, a) : ORDERS[by](a, b)) || compare(a.address, b.address),
  );

// Describes a landed transaction in words: its title and its steps.
import type { HistoryEntry, HistoryLeg } from '../../../../client/generated/stake-operations.ts';
import { shortAddress } from '../../../../src/domain/short-address.ts';
import { stakeAccountsOf } from '../../../../src/domain/transaction/transaction-legs.ts';
import { exactSol, lamportsOf, solShort } from '../../text/format-figures.ts';
import { defineWords } from '../../words/define-words.ts';
import { historyEnglish } from '../../words/en/portfolio/history.ts';
import { language } from '../../words/language.ts';

const { say } = defineWords('history', historyEnglish);

/** `none` selects the words without an amount. */
const amountOf = (sol: number | null, format = exactSol): string => (sol === null ? 'none' : format(sol));

const named = (address: string | null): string =>
  address === null ? say('anotherAccount') : shortAddress(address);

const TITLES = {
  rescue: 'titleRescue',
  authorize: 'titleAuthorize',
  stake: 'titleStake',
  topUp: 'titleTopUp',
  restake: 'titleRestake',
  undo: 'titleUndo',
  unstake: 'titleUnstake',
  merge: 'titleMerge',
  withdraw: 'titleWithdraw',
  split: 'titleSplit',
  move: 'titleMove',
  donate: 'titleDonate',
  change: 'titleChange',
} as const satisfies Readonly<Record<HistoryEntry['act'], keyof typeof historyEnglish>>;

const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Lists the stake accounts of a transaction, the main one first. Empty for a donation. */
export const accountsOf = ({
  stakeAccountAddress,
  legs,
}: Pick<HistoryEntry, 'stakeAccountAddress' | 'legs'>): readonly string[] =>
  stakeAccountsOf({
    stakeAccountAddress,
    legs: legs.map(({ type, stakeAccountAddress: stakeAccount, counterAccountAddress: counterAccount }) => ({
      type,
      stakeAccount,
      counterAccount,
    })),
  });

/** Sums what the merges moved; null if an amount or the steps are unknown. */
const mergedSol = (legs: HistoryEntry['legs']): number | null => {
  const amounts = legs.flatMap(({ type, amountSol }) => (type === 'merge' ? [amountSol] : []));
  return amounts.length === 0 || amounts.includes(null)
    ? null
    : Number(amounts.reduce((sum, one) => sum + lamportsOf(one!), 0n)) / 1e9;
};

/**
 * Lists all changes in a transaction, such as `Unstake 5 SOL, withdraw 3 SOL`. Amounts have the digits of the
 * other lists, unless `format` is `exactSol`.
 */
export const titleOf = (
  { acts, legs = [] }: Pick<HistoryEntry, 'acts'> & Partial<Pick<HistoryEntry, 'legs'>>,
  format: typeof exactSol = solShort,
): string =>
  acts
    .map(({ act, amountSol, accountCount, accountsLeft }) =>
      say(TITLES[act], {
        amount: amountOf(act === 'merge' ? mergedSol(legs) : amountSol, format),
        accounts: accountCount ?? 0,
        stakes: accountCount ?? 1,
        left: accountsLeft ?? 0,
      }),
    )
    // German nouns keep their capital.
    .map((words, index) => (index === 0 || language === 'de' ? words : lowerFirst(words)))
    .join(', ');

/** Describes one step in a sentence. */
export const legWords = ({
  type,
  stakeAccountAddress,
  counterAccountAddress,
  amountSol,
}: HistoryLeg): string =>
  say(type, {
    account: named(stakeAccountAddress),
    other: named(counterAccountAddress),
    amount: amountOf(amountSol),
  });

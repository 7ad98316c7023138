// Determines the actions on the selected accounts, each with one signature, or the reason why an action is not
// possible.
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import type { GoalName } from '../../../../../src/domain/plan/plan-goals.ts';
import { lamportsOf, solShort } from '../../../text/format-figures.ts';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAccountsEnglish } from '../../../words/en/portfolio/accounts.ts';
import { type CoolingAccount, canKeepStaked } from '../accounts/possible-actions.ts';

const { say } = defineWords('portfolioAccounts', portfolioAccountsEnglish);

export type TickedAccount = CoolingAccount &
  Pick<
    StakeAccount,
    'address' | 'lamports' | 'activeSol' | 'activatingSol' | 'withdrawReady' | 'lockup' | 'stakeAuthority'
  >;

type Where = Parameters<typeof canKeepStaked>[1];

interface SelectionGoal {
  /** True if the goal applies to this account. */
  readonly takes: (account: TickedAccount, where: Where) => boolean;
  readonly label: (accounts: readonly TickedAccount[]) => string;
  readonly name: 'withdrawEach' | 'stakeAgain' | 'undoUnstake' | 'unstake' | 'tidyUp';
  /** Computes the total amount, if the goal needs one. */
  readonly lamports?: (accounts: readonly TickedAccount[]) => bigint;
  readonly least: number;
  readonly most: number;
}

/** Maximum number of named accounts in a plan. */
const MAX_NAMED = 90;
/**
 * Maximum number of accounts for an amount, which must fit into one transaction. One transaction has room for
 * at least this many deactivations.
 */
const MAX_UNSTAKED = 20;

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);
const stakedLamports = (accounts: readonly TickedAccount[]): bigint =>
  sum(accounts.map(({ activeSol, activatingSol }) => lamportsOf(activeSol) + lamportsOf(activatingSol)));
const balance = (accounts: readonly TickedAccount[]): string =>
  solShort(sum(accounts.map(({ lamports }) => BigInt(lamports))));

const isOwn = ({ role, stakeAuthority }: TickedAccount, { walletAddress }: Where): boolean =>
  role === 'owner' && stakeAuthority === walletAddress;

/** Actions in the order of the buttons. */
const SELECTION_GOALS = {
  'withdraw-all': {
    takes: ({ role, withdrawReady }) => role === 'owner' && withdrawReady,
    name: 'withdrawEach',
    label: (accounts) => say('withdrawSelected', { count: accounts.length, amount: balance(accounts) }),
    least: 1,
    most: MAX_NAMED,
  },
  restake: {
    takes: (account, where) =>
      isOwn(account, where) &&
      account.state === 'inactive' &&
      account.withdrawReady &&
      account.voteAccount === where.validatorVoteAccount,
    name: 'stakeAgain',
    label: ({ length }) => say('restakeSelected', { count: length }),
    least: 1,
    most: MAX_NAMED,
  },
  undo: {
    takes: canKeepStaked,
    name: 'undoUnstake',
    label: ({ length }) => say('undoSelected', { count: length }),
    least: 1,
    most: MAX_NAMED,
  },
  unstake: {
    takes: (account, where) =>
      isOwn(account, where) && (account.state === 'active' || account.state === 'activating'),
    name: 'unstake',
    label: (accounts) =>
      say('unstakeSelected', { count: accounts.length, amount: solShort(stakedLamports(accounts)) }),
    lamports: stakedLamports,
    least: 1,
    most: MAX_UNSTAKED,
  },
  tidy: {
    takes: (account, where) =>
      isOwn(account, where) &&
      account.state === 'active' &&
      account.activatingSol === 0 &&
      account.lockup === null &&
      account.voteAccount === where.validatorVoteAccount,
    name: 'tidyUp',
    label: ({ length }) => say('tidySelected', { count: length }),
    least: 2,
    most: MAX_NAMED,
  },
} as const satisfies Partial<Record<GoalName, SelectionGoal>>;

type SelectionGoalName = keyof typeof SELECTION_GOALS;

/** A button for the selection. */
interface SelectionAction {
  readonly goal: SelectionGoalName;
  readonly label: string;
  /** The selected accounts that the action applies to. */
  readonly accounts: readonly string[];
  readonly amountLamports: bigint | undefined;
  /** Reason why the action is not possible; null if it is. */
  readonly refusal: string | null;
}

/** Lists the actions possible for the selection; may be empty. */
export const selectionActions = (
  selected: readonly TickedAccount[],
  where: Where,
): readonly SelectionAction[] => {
  if (where.timing.epochRewardsActive) return [];
  return (Object.entries(SELECTION_GOALS) as [SelectionGoalName, SelectionGoal][]).flatMap(
    ([goal, { takes, label, name, lamports, least, most }]) => {
      const taken = selected.filter((account) => takes(account, where));
      return taken.length < least
        ? []
        : {
            goal,
            label: label(taken),
            accounts: taken.map(({ address }) => address),
            amountLamports: lamports?.(taken),
            refusal: taken.length > most ? say('tooMany', { action: say(name), most }) : null,
          };
    },
  );
};

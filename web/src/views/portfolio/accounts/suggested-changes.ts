// Suggested changes above the account list: first estimated from the accounts, then with the figures of their
// plans.
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import type { PlanStakeChangeAnswer } from '../../../../../client/generated/transactions-operations.ts';
import type { GoalName } from '../../../../../src/domain/plan/plan-goals.ts';
import { planFacts } from '../../../flow/plan-facts.ts';
import { lamportsOf, solShort } from '../../../text/format-figures.ts';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAccountsEnglish } from '../../../words/en/portfolio/accounts.ts';
import { MIN_IDLE_LAMPORTS } from './idle-sol.ts';

const { say } = defineWords('portfolioAccounts', portfolioAccountsEnglish);

/** A suggestion: the reason, and the label of its button. */
export interface SuggestedChange {
  readonly goal: Extract<GoalName, 'withdraw-all' | 'sweep' | 'tidy'>;
  readonly text: string;
  readonly button: string;
}

export type ChangeableAccount = Pick<
  StakeAccount,
  | 'role'
  | 'state'
  | 'lamports'
  | 'withdrawReady'
  | 'withdrawableSol'
  | 'activatingSol'
  | 'stakeAuthority'
  | 'lockup'
  | 'voteAccount'
>;

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);

/** Lists the suggestions, most urgent first; empty while the Stake program accepts no instructions. */
export const suggestedChanges = (
  accounts: readonly ChangeableAccount[],
  {
    walletAddress,
    validatorVoteAccount,
    rewardsActive,
  }: { walletAddress: string; validatorVoteAccount: string; rewardsActive: boolean },
): readonly SuggestedChange[] => {
  if (rewardsActive) return [];
  const own = accounts.filter(({ role }) => role === 'owner');
  const ready = own.filter(({ withdrawReady }) => withdrawReady);
  const mergeable = own.filter(
    ({ state, activatingSol, lockup, stakeAuthority, voteAccount }) =>
      state === 'active' &&
      activatingSol === 0 &&
      lockup === null &&
      stakeAuthority === walletAddress &&
      voteAccount === validatorVoteAccount,
  );
  const idle = own.filter(({ withdrawReady, withdrawableSol }) => !withdrawReady && withdrawableSol > 0);
  const idleLamports = sum(idle.map(({ withdrawableSol }) => lamportsOf(withdrawableSol)));
  const lines: SuggestedChange[] = [];
  if (ready.length > 1)
    lines.push({
      goal: 'withdraw-all',
      text: say('allInactive', { count: ready.length }),
      button: say('withdrawAll', { amount: solShort(sum(ready.map(({ lamports }) => BigInt(lamports)))) }),
    });
  if (idleLamports >= MIN_IDLE_LAMPORTS)
    lines.push({
      goal: 'sweep',
      text: say('idle', { amount: solShort(idleLamports) }),
      button: say('withdrawIt'),
    });
  if (mergeable.length > 1)
    lines.push({
      goal: 'tidy',
      text: say('canMerge', { count: mergeable.length }),
      button: say('tidyUp'),
    });
  return lines;
};

type Planned = Pick<PlanStakeChangeAnswer, 'plan' | 'transactions'>;

/** Builds each suggestion with the figures of the plan to be signed. */
const PLANNED: Readonly<
  Record<
    SuggestedChange['goal'],
    (plan: NonNullable<Planned['plan']>, signatures: number) => Partial<SuggestedChange>
  >
> = {
  'withdraw-all': (plan, signatures) => {
    const { changed, nowLamports } = planFacts(plan);
    return {
      text: say('allInactiveSignatures', { count: changed.length, signatures }),
      button: say('withdrawAll', { amount: solShort(nowLamports) }),
    };
  },
  sweep: (plan) => ({ text: say('idle', { amount: solShort(planFacts(plan).nowLamports) }) }),
  tidy: (plan) => {
    const { changed, nowLamports } = planFacts(plan);
    const before = changed.length;
    const after = changed.filter((account) => account.after !== null).length;
    const amount = solShort(nowLamports);
    return {
      text:
        nowLamports > 0n ? say('mergesRent', { before, after, amount }) : say('merges', { before, after }),
    };
  },
};

/**
 * Returns the suggestion with its plan's figures; null if no plan is possible. `planned` is undefined while it
 * is not known yet.
 */
export const plannedLine = (
  change: SuggestedChange,
  planned: Planned | undefined,
): SuggestedChange | null => {
  if (planned === undefined) return change;
  const { plan, transactions } = planned;
  return plan === null ? null : { ...change, ...PLANNED[change.goal](plan, transactions.length) };
};

/**
 * Describes how idle SOL can be staked: the button's label and the amount added by the wallet; null if
 * impossible.
 */
export const stakeIdle = (
  planned: Pick<PlanStakeChangeAnswer, 'feasible' | 'refusal'> | undefined,
  walletLamports: bigint,
): { readonly label: string; readonly addedLamports: bigint | undefined } | null => {
  if (planned === undefined) return null;
  if (planned.feasible) return { label: say('stakeIt'), addedLamports: undefined };
  const { errorCode, shortfallSol } = planned.refusal ?? {};
  const added = lamportsOf(shortfallSol ?? 0);
  return errorCode === 'BELOW_MINIMUM_STAKE' && added > 0n && added <= walletLamports
    ? { label: say('stakeItWith', { amount: solShort(added) }), addedLamports: added }
    : null;
};

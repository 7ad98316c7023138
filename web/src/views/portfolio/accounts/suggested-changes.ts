// Suggested changes above the account list: first estimated from the accounts, then with the figures of their
// plans.
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import type { PlanStakeChangeAnswer } from '../../../../../client/generated/transactions-operations.ts';
import type { GoalName } from '../../../../../src/domain/plan/plan-goals.ts';
import { planFacts } from '../../../flow/plan-facts.ts';
import { lamportsOf, solText } from '../../../text/format-figures.ts';

/** A suggestion: the reason, and the label of its button. */
export interface SuggestedChange {
  readonly goal: Extract<GoalName, 'withdraw-all' | 'sweep' | 'tidy'>;
  readonly text: string;
  readonly button: string;
}

/** The account fields needed. */
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

/** Smaller idle amounts are not suggested; tips of one epoch often exceed this. */
const LEAST_IDLE_LAMPORTS = 10_000_000n;

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);

/** The suggestions, the most urgent first; empty while the Stake program accepts no instructions. */
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
      text: `${ready.length} accounts are inactive.`,
      button: `Withdraw all ${solText(sum(ready.map(({ lamports }) => BigInt(lamports))), 4)} SOL`,
    });
  if (idleLamports >= LEAST_IDLE_LAMPORTS)
    lines.push({
      goal: 'sweep',
      text: `${solText(idleLamports, 4)} SOL idle. It earns nothing beside its stake.`,
      button: 'Withdraw it',
    });
  if (mergeable.length > 1)
    lines.push({
      goal: 'tidy',
      text: `${mergeable.length} active accounts can become one.`,
      button: 'Tidy up',
    });
  return lines;
};

type Planned = Pick<PlanStakeChangeAnswer, 'plan' | 'transactions'>;

/** The suggestion with the figures of the plan to be signed. */
const PLANNED: Readonly<
  Record<
    SuggestedChange['goal'],
    (plan: NonNullable<Planned['plan']>, count: number) => Partial<SuggestedChange>
  >
> = {
  'withdraw-all': (plan, count) => {
    const { changed, nowLamports } = planFacts(plan);
    return {
      text: `${changed.length} accounts are inactive. ${count === 1 ? 'One signature is enough for all of them.' : `It takes ${count} signatures.`}`,
      button: `Withdraw all ${solText(nowLamports)} SOL`,
    };
  },
  sweep: (plan) => ({
    text: `${solText(planFacts(plan).nowLamports)} SOL idle. It earns nothing beside its stake.`,
  }),
  tidy: (plan) => {
    const { changed, nowLamports } = planFacts(plan);
    const rent = nowLamports > 0n ? `, ${solText(nowLamports)} SOL rent back` : '';
    return {
      text: `${changed.length} accounts → ${changed.filter(({ after }) => after !== null).length}${rent}.`,
    };
  },
};

/**
 * The suggestion with its plan's figures; null if there is no such plan. An undefined `planned` means not
 * known yet.
 */
export const plannedLine = (
  change: SuggestedChange,
  planned: Planned | undefined,
): SuggestedChange | null => {
  if (planned === undefined) return change;
  const { plan, transactions } = planned;
  return plan === null ? null : { ...change, ...PLANNED[change.goal](plan, transactions.length) };
};

/** How idle SOL can be staked: the button's label and the amount added by the wallet; null if impossible. */
export const stakeIdle = (
  planned: Pick<PlanStakeChangeAnswer, 'feasible' | 'refusal'> | undefined,
  walletLamports: bigint,
): { readonly label: string; readonly addedLamports: bigint | undefined } | null => {
  if (planned === undefined) return null;
  if (planned.feasible) return { label: 'Stake it', addedLamports: undefined };
  const { errorCode, shortfallSol } = planned.refusal ?? {};
  const added = lamportsOf(shortfallSol ?? 0);
  return errorCode === 'BELOW_MINIMUM_STAKE' && added > 0n && added <= walletLamports
    ? { label: `Stake it with ${solText(added)} SOL more`, addedLamports: added }
    : null;
};

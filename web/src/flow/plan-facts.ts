// Computes a plan's key figures, exact to the lamport: changed accounts, wallet amounts over time, and costs.
import type { PlannedAccount, StakePlan } from '../../../client/generated/shared-types.ts';
import { boundaryTime, boundedTime, type CurrentEpoch } from '../text/epoch-boundary.ts';
import { exactSol, lamportsOf } from '../text/format-figures.ts';
import { defineWords } from '../words/define-words.ts';
import { planEnglish } from '../words/en/flow/plan.ts';

const { say } = defineWords('plan', planEnglish);

/** SOL that becomes available later, with the bounds of its time. */
interface LaterSol {
  readonly lamports: bigint;
  /** The first epoch in which it is available. */
  readonly epoch: number;
  readonly estimatedAt: string;
  readonly earliestAt: string;
  readonly latestAt: string;
}

/** Key figures of a plan. */
interface PlanFacts {
  readonly changed: StakePlan['accounts'];
  readonly unchangedCount: number;
  /** SOL moved from stake accounts into the wallet when the plan lands. */
  readonly nowLamports: bigint;
  /** Balances of the accounts that this plan unstakes, including their rent. */
  readonly unstakingLamports: bigint;
  /** The stake in these accounts: `unstakingLamports` without rent and idle SOL. */
  readonly deactivatedLamports: bigint;
  /** The part of `unstakingLamports` that was never active and can be withdrawn right away. */
  readonly freedLamports: bigint;
  /** Amounts that this plan makes withdrawable later, ordered by time. */
  readonly later: readonly LaterSol[];
  /** Amounts that are delegated again once they are inactive, ordered by time. */
  readonly stakedLater: readonly LaterSol[];
  /** Stake that was already deactivating and counts toward the request. */
  readonly countedLamports: bigint;
  readonly feesLamports: bigint;
  /** Rent of new accounts; returned when they are closed. */
  readonly rentLamports: bigint;
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);

const byTime = (parts: StakePlan['wallet']['later']): readonly LaterSol[] => {
  const times = new Map<string, LaterSol>();
  for (const { sol, epoch, estimatedAt, earliestAt, latestAt } of parts) {
    const lamports = (times.get(estimatedAt)?.lamports ?? 0n) + lamportsOf(sol);
    times.set(estimatedAt, { lamports, epoch, estimatedAt, earliestAt, latestAt });
  }
  return [...times.values()];
};

const isUnstaked = ({ state }: PlannedAccount): boolean => state === 'deactivating' || state === 'inactive';

/** Computes the key figures of a plan. */
export const planFacts = ({ accounts, wallet, cost, laterSteps }: StakePlan): PlanFacts => {
  const changed = accounts.filter(
    ({ before, after }) =>
      before?.state !== after?.state || before?.sol !== after?.sol || before?.stakedSol !== after?.stakedSol,
  );
  const feesLamports = lamportsOf(cost.feesSol);
  const opened = accounts.flatMap(({ before, after }) => (before === null && after !== null ? [after] : []));
  const rentOf = (found: typeof opened): bigint =>
    sum(found.map(({ sol, stakedSol }) => lamportsOf(sol) - lamportsOf(stakedSol)));
  const rentLamports = rentOf(opened);
  // The wallet pays the rent of split-off accounts. Accounts that are staked again keep their rent, regardless of who
  // paid it.
  const rentLentLamports = rentOf(opened.filter(({ state }) => state !== 'activating'));
  const cooled = new Set(
    accounts.flatMap(({ stakeAccountAddress, before }) =>
      before?.state === 'deactivating' ? [stakeAccountAddress] : [],
    ),
  );
  const awaited = new Set(laterSteps.map(({ stakeAccountAddress }) => stakeAccountAddress));
  const restaked = new Set(
    laterSteps.flatMap(({ stakeAccountAddress, action }) =>
      action === 'delegate' ? [stakeAccountAddress] : [],
    ),
  );
  const laterOf = (isMeant: (account: string) => boolean): readonly LaterSol[] =>
    byTime(wallet.later.filter(({ stakeAccountAddress }) => isMeant(stakeAccountAddress)));
  const unstaking = accounts.flatMap(({ before, after }) =>
    after !== null && isUnstaked(after) && (before === null || !isUnstaked(before)) ? [after] : [],
  );
  const balanceOf = (found: typeof unstaking): bigint => sum(found.map(({ sol }) => lamportsOf(sol)));
  return {
    changed,
    unchangedCount: accounts.length - changed.length,
    nowLamports: lamportsOf(wallet.afterSol) - lamportsOf(wallet.beforeSol) + feesLamports + rentLentLamports,
    unstakingLamports: balanceOf(unstaking),
    deactivatedLamports: sum(unstaking.map(({ stakedSol }) => lamportsOf(stakedSol))),
    freedLamports: balanceOf(unstaking.filter(({ state }) => state === 'inactive')),
    later: laterOf((account) => !cooled.has(account) && !restaked.has(account)),
    stakedLater: laterOf((account) => restaked.has(account)),
    countedLamports: sum(
      wallet.later
        .filter(({ stakeAccountAddress: one }) => cooled.has(one) && awaited.has(one) && !restaked.has(one))
        .map(({ sol }) => lamportsOf(sol)),
    ),
    feesLamports,
    rentLamports,
  };
};

const laterWords = (
  parts: readonly LaterSol[],
  current: CurrentEpoch | null,
  nowMs: number,
): readonly string[] =>
  parts.map(({ lamports, epoch, estimatedAt, earliestAt, latestAt }) =>
    say('solFrom', {
      amount: exactSol(lamports),
      time:
        epoch - 1 === current?.currentEpoch
          ? boundaryTime(current, nowMs)
          : boundedTime(estimatedAt, [earliestAt, latestAt], nowMs),
    }),
  );

/**
 * Builds the summary: `You get 1.2 SOL now and can withdraw 3.8 SOL from Tue 14:10 (13:55–14:30).` Null if
 * there are no amounts. `current` is the page's estimate of the epoch's end, which replaces the plan's.
 */
export const whenSentence = (
  {
    nowLamports,
    freedLamports,
    later,
    stakedLater,
  }: Pick<PlanFacts, 'nowLamports' | 'freedLamports' | 'later' | 'stakedLater'>,
  current: CurrentEpoch | null,
  nowMs: number,
): string | null => {
  const now = nowLamports > 0n ? say('getNow', { amount: exactSol(nowLamports) }) : null;
  const freed = freedLamports > 0n ? [say('solNow', { amount: exactSol(freedLamports) })] : [];
  const amounts = [...freed, ...laterWords(later, current, nowMs)].join(say('and'));
  const then = amounts === '' ? null : say('canWithdraw', { amounts });
  const staked =
    stakedLater.length > 0
      ? say('canStake', { amounts: laterWords(stakedLater, current, nowMs).join(say('and')) })
      : null;
  const parts = [now, then, staked].filter((part) => part !== null);
  return parts.length === 0 ? null : say('you', { parts: parts.join(say('and')) });
};

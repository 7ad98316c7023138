// What a plan comes to for its owner: which accounts change, what is in the wallet when, and what it costs, to the lamport.
import type { StakePlan } from '../../../client/generated/transactions-operations.ts';
import { lamportsOf } from '../text/format-figures.ts';

/** SOL that can be withdrawn later, with the bounds of when. */
interface LaterSol {
  readonly lamports: bigint;
  readonly estimatedAt: string;
  readonly earliestAt: string;
  readonly latestAt: string;
}

/** A plan in figures for people. */
interface PlanFacts {
  /** The accounts that are not the same afterwards. */
  readonly changed: StakePlan['accounts'];
  readonly unchangedCount: number;
  /** Out of stake accounts into the wallet as soon as it landed. */
  readonly nowLamports: bigint;
  /** What this plan makes withdrawable later, by time. */
  readonly later: readonly LaterSol[];
  /** What cooled down before and is a part of what was asked for. */
  readonly countedLamports: bigint;
  readonly feesLamports: bigint;
  /** Rent of new accounts; it comes back when they are closed. */
  readonly rentLamports: bigint;
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);

/** The facts of a plan. */
export const planFacts = ({ accounts, wallet, cost, laterSteps }: StakePlan): PlanFacts => {
  const changed = accounts.filter(
    ({ before, after }) =>
      before?.state !== after?.state || before?.sol !== after?.sol || before?.stakedSol !== after?.stakedSol,
  );
  const feesLamports = lamportsOf(cost.feesSol);
  const rentLamports = sum(
    accounts.map(({ before, after }) =>
      before === null && after !== null ? lamportsOf(after.sol) - lamportsOf(after.stakedSol) : 0n,
    ),
  );
  const cooled = new Set(
    accounts.flatMap(({ stakeAccountAddress, before }) =>
      before?.state === 'deactivating' ? [stakeAccountAddress] : [],
    ),
  );
  const awaited = new Set(laterSteps.map(({ stakeAccountAddress }) => stakeAccountAddress));
  const byTime = new Map<string, LaterSol>();
  for (const { stakeAccountAddress, sol, ...times } of wallet.later) {
    if (cooled.has(stakeAccountAddress)) continue;
    const { estimatedAt, earliestAt, latestAt } = times;
    const lamports = (byTime.get(estimatedAt)?.lamports ?? 0n) + lamportsOf(sol);
    byTime.set(estimatedAt, { lamports, estimatedAt, earliestAt, latestAt });
  }
  return {
    changed,
    unchangedCount: accounts.length - changed.length,
    nowLamports: lamportsOf(wallet.afterSol) - lamportsOf(wallet.beforeSol) + feesLamports + rentLamports,
    later: [...byTime.values()],
    countedLamports: sum(
      wallet.later
        .filter(({ stakeAccountAddress: one }) => cooled.has(one) && awaited.has(one))
        .map(({ sol }) => lamportsOf(sol)),
    ),
    feesLamports,
    rentLamports,
  };
};

// Planning for wallets designed to be expensive: the slowest request, compared with a plan for the same
// wallet that needs no search.

import { unstakeAmounts } from '../src/domain/plan/goals/plan-unstake.ts';
import { planStakeChange } from '../src/domain/plan/plan-for-goal.ts';
import { withdrawAmounts } from '../src/domain/plan/withdraw-amounts.ts';
import { worstGoals, worstWallets } from '../test/support/worst-wallets.ts';
import { type BenchRow, median } from './benchmark-row.ts';

/** Number of stakes in the largest wallets of COST-1. */
const ACCOUNTS = [100, 1_000] as const;
const ROUNDS = 15;
const GOAL_MS = 50;

const timed = (run: () => unknown): number => {
  const startedAt = performance.now();
  run();
  return performance.now() - startedAt;
};

/** Finds the five slowest requests in an initial round. Returns the highest of their medians. */
const worstOf = (accounts: number): BenchRow => {
  const wallets = worstWallets(accounts, 1);
  const requests = wallets.flatMap(({ world }) => [
    { world, run: () => unstakeAmounts(world) },
    { world, run: () => withdrawAmounts(world) },
    ...worstGoals(world).map((goal) => ({ world, run: () => planStakeChange(goal, world) })),
  ]);
  // Warms up, because code is still being compiled during the first requests.
  for (const { run } of requests.slice(0, 100)) run();
  const slowest = requests
    .map((request) => ({ request, ms: timed(request.run) }))
    .sort((one, other) => other.ms - one.ms)
    .slice(0, 5);
  const medians = slowest.map(({ request: { world, run } }) => {
    const control = () => planStakeChange({ goal: 'withdraw-all' }, world);
    const rounds = Array.from({ length: ROUNDS }, () => [timed(run), timed(control)] as const);
    return { value: median(rounds.map(([ms]) => ms)), controlValue: median(rounds.map(([, ms]) => ms)) };
  });
  const { value, controlValue } = medians.reduce((one, other) => (other.value > one.value ? other : one));
  return {
    path: `worst of ${requests.length} requests about wallets of ${accounts} stakes that are designed to be expensive`,
    control: 'withdraw-all of the same wallet',
    value,
    controlValue,
    unit: 'ms',
    goal: `≤ ${GOAL_MS} ms`,
    met: value <= GOAL_MS,
  };
};

/** Returns one row per wallet size. */
export const benchWorstPlan = async (): Promise<readonly BenchRow[]> => ACCOUNTS.map(worstOf);

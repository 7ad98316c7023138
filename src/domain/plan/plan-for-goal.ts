// Plans a stake change: turns a goal into a plan that the Stake program accepts, or explains why there is none.
import { finishPlan, type PlanResult } from './finish-plan.ts';
import { type MigrateGoal, planMigrate } from './goals/plan-migrate.ts';
import { planRescue, type RescueGoal } from './goals/plan-rescue.ts';
import { planRestake, type RestakeGoal } from './goals/plan-restake.ts';
import { planSweep, type SweepGoal } from './goals/plan-sweep.ts';
import { planTidy } from './goals/plan-tidy.ts';
import { planTopUp, type TopUpGoal } from './goals/plan-top-up.ts';
import { planUndo, type UndoGoal } from './goals/plan-undo.ts';
import { planUnstake, type UnstakeGoal } from './goals/plan-unstake.ts';
import { planWithdrawAmount, planWithdrawReady } from './goals/plan-withdraw.ts';
import type { DraftOrRefusal, PlanInputs } from './plan.ts';
import { byStake } from './plan-accounts.ts';

/** The goal of a stake change. `planGoals` has a record for each goal. */
export type PlanGoal =
  | ({ readonly goal: 'unstake' } & UnstakeGoal)
  | ({ readonly goal: 'withdraw-amount' } & UnstakeGoal)
  | ({ readonly goal: 'undo' } & UndoGoal)
  | ({ readonly goal: 'restake' } & RestakeGoal)
  | ({ readonly goal: 'top-up' } & TopUpGoal)
  | ({ readonly goal: 'sweep' } & SweepGoal)
  | ({ readonly goal: 'migrate' } & MigrateGoal)
  | ({ readonly goal: 'rescue' } & RescueGoal)
  | { readonly goal: 'tidy' }
  | { readonly goal: 'withdraw-all' };

const draft = (goal: PlanGoal, world: PlanInputs): DraftOrRefusal => {
  switch (goal.goal) {
    case 'unstake':
      return planUnstake(goal, world);
    case 'withdraw-amount':
      return planWithdrawAmount(goal, world);
    case 'undo':
      return planUndo(goal, world);
    case 'restake':
      return planRestake(goal, world);
    case 'top-up':
      return planTopUp(goal, world);
    case 'sweep':
      return planSweep(goal, world);
    case 'migrate':
      return planMigrate(goal, world);
    case 'rescue':
      return planRescue(goal, world);
    case 'tidy':
      return planTidy(world);
    case 'withdraw-all':
      return planWithdrawReady(world);
  }
};

/**
 * Plans the goal. Pure: the same goal and accounts always yield the same plan, in whatever order the accounts
 * were read.
 */
export const planStakeChange = (goal: PlanGoal, given: PlanInputs): PlanResult => {
  // A person approves the exact bytes. If they depended on the order in which accounts were read, a rebuilt
  // transaction would need a new approval although nothing has changed.
  const world = { ...given, accounts: [...given.accounts].sort(byStake) };
  return finishPlan(draft(goal, world), world);
};

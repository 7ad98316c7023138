// Plans closing every account that holds no stake any more.
import type { Drafted, PlanWorld } from './plan.ts';
import { blockedUntilReleased, isReleased, withdrawAll } from './plan-accounts.ts';

/** Closes every account that the wallet can close now. */
export const planWithdrawReady = (world: PlanWorld): Drafted => ({
  steps: world.accounts.filter((one) => isReleased(one, world)).map((one) => [withdrawAll(one, world)]),
  blocked: world.accounts
    .filter((one) => one.withdrawAuthority === world.wallet && !isReleased(one, world))
    .flatMap((one) => blockedUntilReleased(one, world)),
});

// Plans taking stakes back: whose stake authority is somebody else's and who may be withdrawn by the wallet, so that nobody else may unstake, split or redelegate them.
import type { Address } from '@solana/kit';
import { rescuableStakes } from '../alerts/rescuable-stakes.ts';
import type { Drafted, PlanWorld } from './plan.ts';

/** Which accounts to take back; without them all. */
export interface RescueGoal {
  readonly accounts?: readonly Address[];
}

/** Each account by itself: of several that do not fit into one transaction the first are safe at once. */
export const planRescue = ({ accounts: named }: RescueGoal, { accounts, wallet }: PlanWorld): Drafted => ({
  steps: rescuableStakes(accounts, wallet)
    .filter(({ address }) => named?.includes(address) ?? true)
    .map(({ address }) => [
      { type: 'authorize', account: address, role: 'staker', authority: wallet, newAuthority: wallet },
    ]),
});

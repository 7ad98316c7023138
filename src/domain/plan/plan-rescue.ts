// Plans recovering stakes whose stake authority is another address although the wallet can withdraw, so that no one else can unstake, split or redelegate them.
import type { Address } from '@solana/kit';
import { rescuableStakes } from '../alerts/rescuable-stakes.ts';
import type { Drafted, PlanWorld } from './plan.ts';

/** Accounts to recover; default: all. */
export interface RescueGoal {
  readonly accounts?: readonly Address[];
}

/** One step per account, so that if they need several transactions, the first accounts are safe at once. */
export const planRescue = ({ accounts: named }: RescueGoal, { accounts, wallet }: PlanWorld): Drafted => ({
  steps: rescuableStakes(accounts, wallet)
    .filter(({ address }) => named?.includes(address) ?? true)
    .map(({ address }) => [
      { type: 'authorize', account: address, role: 'staker', authority: wallet, newAuthority: wallet },
    ]),
});

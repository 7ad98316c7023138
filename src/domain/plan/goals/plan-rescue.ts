// Plans the recovery of stakes that the wallet can withdraw but whose stake authority is another address.
// Afterwards, no one else can unstake, split or redelegate them.
import type { Address } from '@solana/kit';
import { rescuableStakes } from '../../alerts/rescuable-stakes.ts';
import type { DraftOrRefusal, PlanInputs } from '../plan.ts';

/** Accounts to recover; default: all. */
export interface RescueGoal {
  readonly accounts?: readonly Address[];
}

/**
 * Plans one step per account, so if several transactions are needed, the first ones already protect their
 * accounts.
 */
export const planRescue = (
  { accounts: named }: RescueGoal,
  { accounts, wallet }: PlanInputs,
): DraftOrRefusal => ({
  steps: rescuableStakes(accounts, wallet)
    .filter(({ address }) => named?.includes(address) ?? true)
    .map(({ address }) => [
      { type: 'authorize', account: address, role: 'staker', authority: wallet, newAuthority: wallet },
    ]),
});

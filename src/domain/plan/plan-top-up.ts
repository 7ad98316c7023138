// Plans more stake for an account that is still activating: a new account is merged into it, so that the program compares the owners.
import type { Address } from '@solana/kit';
import { mergeClassOf } from '../machine/merge-class.ts';
import type { Drafted, PlanWorld } from './plan.ts';
import { byStake, isLocked, ownAccounts } from './plan-accounts.ts';

/** How much to add, lamports, and to which account; by default the largest. */
export interface TopUpGoal {
  readonly lamports: bigint;
  readonly account?: Address;
}

/** All of `lamports` becomes stake. A transfer instead could end in an account that others can empty. */
export const planTopUp = ({ lamports, account }: TopUpGoal, world: PlanWorld): Drafted => {
  const { chain, wallet, voteAccount } = world;
  const activating = ownAccounts(world)
    .filter(
      (one) =>
        (account === undefined || one.address === account) &&
        one.delegation?.voteAccount === voteAccount &&
        mergeClassOf(one, chain) === 'activating',
    )
    .sort(byStake);
  const target = activating.find((one) => !isLocked(one, world));
  if (target === undefined) return { refusal: { why: activating.length > 0 ? 'LOCKED' : 'NOT_ACTIVATING' } };
  if (lamports < chain.stakeRentLamports)
    return {
      refusal: {
        why: 'AMOUNT_NOT_REACHABLE',
        nearestBelowLamports: null,
        nearestAboveLamports: chain.stakeRentLamports,
      },
    };
  const created = world.newAddress(0);
  const { stakeAuthority, withdrawAuthority, lockup } = target;
  return {
    steps: [
      [
        { type: 'create', account: created, payer: wallet, lamports },
        { type: 'initialize', account: created, stakeAuthority, withdrawAuthority, lockup },
        { type: 'merge', account: target.address, from: created, authority: wallet },
      ],
    ],
  };
};

// Plans more stake for an account that is still activating: a new account is merged into it, so that the program compares the owners.
import type { Address } from '@solana/kit';
import { mergeClassOf } from '../machine/merge-class.ts';
import { lockupInForce, NO_LOCKUP } from '../stake/stake-account.ts';
import type { Drafted, PlanWorld } from './plan.ts';
import { byStake, ownAccounts } from './plan-accounts.ts';

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
  const target = activating.find(({ lockup }) => !lockupInForce(lockup, chain.epoch, chain.unixTimestamp));
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
  return {
    steps: [
      [
        { type: 'create', account: created, payer: wallet, lamports },
        {
          type: 'initialize',
          account: created,
          stakeAuthority: wallet,
          withdrawAuthority: wallet,
          lockup: NO_LOCKUP,
        },
        { type: 'merge', account: target.address, from: created, authority: wallet },
      ],
    ],
  };
};

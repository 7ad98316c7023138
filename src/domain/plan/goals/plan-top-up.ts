// Plans adding stake to an activating account. The new account stays open after its transaction, so that the
// transaction cannot land twice.
import type { Address } from '@solana/kit';
import { mergeClassOf } from '../../machine/merge-class.ts';
import { lockupInForce, type StakeAccount } from '../../stake/stake-account.ts';
import type { DraftOrRefusal, PlanInputs } from '../plan.ts';
import { byStake, canBeDivided, newAccount, newStake, ownAccounts } from '../plan-accounts.ts';

/** Amount to add, in lamports, and the target, by default the largest account that can receive it. */
export interface TopUpGoal {
  readonly lamports: bigint;
  readonly account?: Address;
  /** True if the plan must be a single transaction. */
  readonly isSingle?: boolean;
}

/**
 * Plans the top-up; all of `lamports` becomes stake. An amount of at least the minimum delegation is staked
 * separately and merged in a second transaction, in which the chain checks that both stakes have the same
 * validator. A smaller amount is moved out of a new account, which keeps its rent-exempt minimum; the program
 * checks that both accounts have the same owner. A plain transfer could end up in an account that others can
 * empty.
 */
export const planTopUp = (
  { lamports, account, isSingle = false }: TopUpGoal,
  world: PlanInputs,
): DraftOrRefusal => {
  const { chain, wallet, voteAccount } = world;
  const activating = ownAccounts(world)
    .filter(
      (one) =>
        (account === undefined || one.address === account) &&
        one.delegation?.voteAccount === voteAccount &&
        mergeClassOf(one, chain) === 'activating',
    )
    .sort(byStake);
  const open = activating.filter(({ lockup }) => !lockupInForce(lockup, chain.epoch, chain.unixTimestamp));
  const least = chain.minimumDelegationLamports + chain.stakeRentLamports;
  // If the rent-exempt minimum now exceeds the one that the account holds, delegating again would stake less
  // than before.
  const canGrow = (one: StakeAccount): boolean =>
    canBeDivided(one, world) && one.lamports + lamports >= least;
  const target = open.find(canGrow) ?? open[0];
  if (target === undefined) return { refusal: { why: activating.length > 0 ? 'LOCKED' : 'NOT_ACTIVATING' } };
  const created = world.newAddress(0);
  if (canGrow(target) && (isSingle || lamports < least))
    return {
      steps: [
        [
          ...newAccount(created, chain.stakeRentLamports + lamports, world),
          { type: 'moveLamports', account: created, into: target.address, lamports, authority: wallet },
          { type: 'delegate', account: target.address, voteAccount, authority: wallet },
        ],
      ],
      laterSteps: [{ account: created, action: 'withdraw', epoch: chain.epoch + 1n }],
    };
  if (lamports < least)
    return {
      refusal: {
        why: 'AMOUNT_NOT_REACHABLE',
        nearestBelowLamports: null,
        nearestAboveLamports: least,
        isComplete: true,
      },
    };
  return {
    steps: [
      newStake(created, lamports, world),
      [{ type: 'merge', account: target.address, from: created, authority: wallet }],
    ],
    isPacked: false,
  };
};

// Plans delegating what has cooled down or was never delegated: accounts of one owner become one stake.
import type { Address } from '@solana/kit';
import { mergeClassOf } from '../machine/merge-class.ts';
import type { MachineOperation } from '../machine/stake-machine-state.ts';
import type { Drafted, PlanWorld } from './plan.ts';
import { combinedGroups, ownAccounts } from './plan-accounts.ts';

/** Which accounts to delegate again; without them all that hold no stake. */
export interface RestakeGoal {
  readonly accounts?: readonly Address[];
}

/** Merges each group and delegates it to the vote account of the world; together a group needs the minimum. */
export const planRestake = ({ accounts }: RestakeGoal, world: PlanWorld): Drafted => {
  const { chain, wallet, voteAccount } = world;
  const inactive = ownAccounts(world).filter(
    (one) => (accounts?.includes(one.address) ?? true) && mergeClassOf(one, chain) === 'inactive',
  );
  const least = chain.minimumDelegationLamports + chain.stakeRentLamports;
  const groups = combinedGroups(inactive, world).map((group) => ({
    group,
    lamports: group.reduce((sum, one) => sum + one.lamports, 0n),
  }));
  const enough = groups.filter(({ lamports }) => lamports >= least);
  if (groups.length > 0 && enough.length === 0) {
    const most = groups.reduce((largest, { lamports }) => (lamports > largest ? lamports : largest), 0n);
    return { refusal: { why: 'BELOW_MINIMUM', missingLamports: least - most } };
  }
  const steps = enough.flatMap(({ group: [into, ...others] }) => [
    ...others.map((one): MachineOperation[] => [
      { type: 'merge', account: into!.address, from: one.address, authority: wallet },
    ]),
    [{ type: 'delegate' as const, account: into!.address, voteAccount, authority: wallet }],
  ]);
  return { steps };
};

// Plans the delegation of inactive or never delegated accounts. Accounts of the same owner are merged into
// one stake.
import type { Address } from '@solana/kit';
import { mergeClassOf } from '../../machine/merge-class.ts';
import type { MachineOperation } from '../../machine/stake-machine-state.ts';
import type { StakeAccount } from '../../stake/stake-account.ts';
import type { AtomicStep, DraftOrRefusal, PlanInputs } from '../plan.ts';
import {
  combinedGroups,
  isLocked,
  mayWithdraw,
  newStake,
  ownAccounts,
  withdrawAll,
} from '../plan-accounts.ts';
import { MAX_PLANNED_BYTES, transactionBytes } from '../transaction-size.ts';

/** Accounts to delegate again; default: all accounts without stake. */
export interface RestakeGoal {
  readonly accounts?: readonly Address[];
}

const sum = (accounts: readonly StakeAccount[]): bigint =>
  accounts.reduce((all, { lamports }) => all + lamports, 0n);

/** Sorts by balance, largest first. */
const byBalance = (one: StakeAccount, other: StakeAccount): number => {
  if (one.lamports !== other.lamports) return one.lamports > other.lamports ? -1 : 1;
  return one.address < other.address ? -1 : 1;
};

/**
 * Spreads the merges over several transactions. All accounts are merged into the first one, and each
 * transaction ends with its delegation, so the chain itself ensures that the merged SOL stays with this
 * validator.
 */
const partsOf = (
  [into, ...others]: readonly StakeAccount[],
  world: PlanInputs,
): readonly { readonly step: AtomicStep; readonly merged: number }[] => {
  const { wallet, voteAccount } = world;
  const account = into!.address;
  const delegate: MachineOperation = { type: 'delegate', account, voteAccount, authority: wallet };
  const parts: { step: AtomicStep; merged: number }[] = [];
  let merges: MachineOperation[] = [];
  for (const { address } of others) {
    const more: MachineOperation[] = [
      ...merges,
      { type: 'merge', account, from: address, authority: wallet },
    ];
    if (transactionBytes(world, [...more, delegate]) <= MAX_PLANNED_BYTES) merges = more;
    else {
      parts.push({ step: [...merges, delegate], merged: merges.length });
      merges = more.slice(-1);
    }
  }
  return [...parts, { step: [...merges, delegate], merged: merges.length }];
};

/**
 * Delegates each group to our vote account. A group needs at least the minimum delegation in total. If its
 * first transaction cannot merge that much, the group is withdrawn and forms a new stake together with other
 * such groups.
 */
export const planRestake = ({ accounts }: RestakeGoal, world: PlanInputs): DraftOrRefusal => {
  const { chain } = world;
  const inactive = ownAccounts(world).filter(
    (one) => (accounts?.includes(one.address) ?? true) && mergeClassOf(one, chain) === 'inactive',
  );
  const least = chain.minimumDelegationLamports + chain.stakeRentLamports;
  const merges: AtomicStep[] = [];
  const withdrawn: StakeAccount[] = [];
  let mostLamports = 0n;
  const offer = (lamports: bigint): void => {
    if (lamports > mostLamports) mostLamports = lamports;
  };
  for (const found of combinedGroups(inactive, world)) {
    const group = [...found].sort(byBalance);
    const parts = partsOf(group, world);
    const inFirst = sum(group.slice(0, 1 + parts[0]!.merged));
    if (inFirst >= least) merges.push(...parts.map(({ step }) => step));
    else if (sum(group) >= least && !isLocked(group[0]!, world) && mayWithdraw(world))
      withdrawn.push(...group);
    else offer(inFirst);
  }
  if (withdrawn.length > 0)
    return {
      steps: [
        ...merges,
        ...withdrawn.map((one) => [withdrawAll(one, world)]),
        newStake(world.newAddress(0), sum(withdrawn), world),
      ],
    };
  if (merges.length === 0 && inactive.length > 0)
    return { refusal: { why: 'BELOW_MINIMUM', missingLamports: least - mostLamports } };
  return { steps: merges };
};

// Plans the merging of all accounts that the program can merge, and recovers their rent. Reports why other
// accounts stay separate, and until when.
import { mergeClassOf } from '../../machine/merge-class.ts';
import type { MachineOperation } from '../../machine/stake-machine-state.ts';
import type { StakeAccount } from '../../stake/stake-account.ts';
import { predictCooledEpoch } from '../../stake/stake-state-prediction.ts';
import { stakeOf } from '../divide-group.ts';
import type { AtomicStep, BlockedAccount, DraftOrRefusal, PlanInputs } from '../plan.ts';
import {
  combinedGroups,
  isLocked,
  isNotDeactivating,
  mayWithdraw,
  ownAccounts,
  ownerOf,
  withdrawPart,
} from '../plan-accounts.ts';

/** Merges every group of accounts that can be combined. Cancels no activation and stakes no free lamports. */
export const planTidy = (world: PlanInputs): DraftOrRefusal => {
  const own = ownAccounts(world);
  const groups = combinedGroups(own, world);
  return {
    steps: groups.flatMap((group) => mergeGroup(group, world)),
    blocked: [
      ...blockedByTime(groups, world),
      ...world.accounts
        .filter((one) => one.withdrawAuthority === ownerOf(world) && !own.includes(one))
        .map(({ address }) => ({
          account: address,
          reason: 'other authorities' as const,
          possibleFromEpoch: null,
        })),
    ],
  };
};

const mergeGroup = (group: readonly StakeAccount[], world: PlanInputs): readonly AtomicStep[] => {
  const [into, ...others] = group;
  const merges: MachineOperation[][] = [];
  let { lamports } = into!;
  for (const one of others) {
    const merge: MachineOperation = {
      type: 'merge',
      account: into!.address,
      from: one.address,
      authority: world.wallet,
    };
    // If the rent-exempt minimum now exceeds the target's balance, the target may only grow if it reaches
    // that minimum in the same transaction.
    const last = lamports < world.chain.stakeRentLamports ? merges.at(-1) : undefined;
    if (last === undefined) merges.push([merge]);
    else last.push(merge);
    lamports += one.lamports;
  }
  if (lamports < world.chain.stakeRentLamports) return [];
  const rent = returnedRent(group, world);
  return rent > 0n ? [...merges, [withdrawPart(into!, rent, world)]] : merges;
};

/**
 * Computes the rent that merging active stakes leaves idle in the remaining account, to be withdrawn
 * afterwards. In other states, the rent is withdrawable or staked anyway.
 */
const returnedRent = (group: readonly StakeAccount[], world: PlanInputs): bigint => {
  const { chain } = world;
  if (!mayWithdraw(world)) return 0n;
  if (group.length < 2 || mergeClassOf(group[0]!, chain) !== 'active' || isLocked(group[0]!, world))
    return 0n;
  const idle = group.reduce((sum, one) => sum + one.lamports - stakeOf(one), -chain.stakeRentLamports);
  const rent = BigInt(group.length - 1) * chain.stakeRentLamports;
  return idle < rent ? idle : rent;
};

/**
 * Lists accounts that cannot be merged yet because they are locked or in transition, and the epoch from which
 * they can be merged, if known.
 */
const blockedByTime = (
  groups: readonly (readonly StakeAccount[])[],
  world: PlanInputs,
): readonly BlockedAccount[] => {
  const { chain } = world;
  if (groups.length < 2) return [];
  return groups.flatMap(([account]): readonly BlockedAccount[] => {
    const { address, delegation } = account!;
    const held = mergeClassOf(account!, chain);
    const at = (reason: BlockedAccount['reason'], possibleFromEpoch: bigint | null): BlockedAccount[] => [
      { account: address, reason, possibleFromEpoch },
    ];
    if (isLocked(account!, world)) return at('lockup', null);
    if (held === 'activating') return at('activating', chain.epoch + 1n);
    if (held !== 'transient') return [];
    return isNotDeactivating(account!)
      ? at('warming up', chain.epoch + 1n)
      : at('cooling down', predictCooledEpoch(delegation!, chain.epoch, chain.history));
  });
};

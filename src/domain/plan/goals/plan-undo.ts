// Plans undoing deactivations of this epoch before the boundary makes them final, for whole accounts or for
// an exact amount.
import type { Address } from '@solana/kit';
import { larger } from '../../../kernel/order.ts';
import { mergeClassOf } from '../../machine/merge-class.ts';
import type { MachineOperation } from '../../machine/stake-machine-state.ts';
import { EPOCH_ABSENT, type StakeAccount } from '../../stake/stake-account.ts';
import { activationOf } from '../../stake/stake-state.ts';
import { amountNotReachable } from '../amount-ranges.ts';
import { divideAmount, type Part, reachableAmounts } from '../divide-amount.ts';
import { limitSplits, mergeGroupOf, stakeOf } from '../divide-group.ts';
import type { AtomicStep, DraftOrRefusal, PlanInputs, PlanRefusal } from '../plan.ts';
import {
  byStake,
  canBeDivided,
  createAccount,
  draftWithAccounts,
  isLocked,
  mayWithdraw,
  ownAccounts,
  payableAccounts,
  withdrawPart,
} from '../plan-accounts.ts';
import { MAX_SPLITS } from '../plan-goals.ts';

/** Stake to keep; default: all. */
export interface UndoGoal {
  readonly accounts?: readonly Address[];
  /** An exact amount of stake, in lamports. */
  readonly lamports?: bigint;
}

/**
 * Returns true if the stake was deactivated in this epoch, is delegated to our validator, and is still
 * effective or was also delegated in this epoch.
 */
const canBeUndone = (account: StakeAccount, { chain, voteAccount }: PlanInputs): boolean =>
  account.delegation?.deactivationEpoch === chain.epoch &&
  account.delegation.voteAccount === voteAccount &&
  (activationOf(account, chain).effectiveLamports > 0n || account.delegation.activationEpoch === chain.epoch);

/** Builds the step that delegates the account again, or returns the refusal. */
const undo = (account: StakeAccount, world: PlanInputs): AtomicStep | PlanRefusal => {
  const { chain, wallet } = world;
  const delegation = account.delegation!;
  const isEffective = mergeClassOf(account, chain) !== 'inactive';
  const backing = account.lamports - chain.stakeRentLamports;
  const needed = larger(isEffective ? delegation.stakeLamports : 0n, chain.minimumDelegationLamports);
  const missingLamports = needed - backing;
  const again: MachineOperation = {
    type: 'delegate',
    account: account.address,
    voteAccount: delegation.voteAccount,
    authority: wallet,
  };
  if (missingLamports <= 0n) return [again];
  // If only the minimum is missing, the wallet lends it for one instruction. Lamports missing from the stake
  // itself could not be withdrawn afterwards.
  if (!isEffective || backing < delegation.stakeLamports || isLocked(account, world) || !mayWithdraw(world))
    return { why: 'UNDO_IMPOSSIBLE', missingLamports };
  return [
    { type: 'transfer', from: wallet, to: account.address, lamports: missingLamports },
    again,
    withdrawPart(account, missingLamports, world),
  ];
};

/** Plans the undo. Refuses the whole goal if one of the named accounts cannot be undone. */
export const planUndo = ({ accounts, lamports }: UndoGoal, world: PlanInputs): DraftOrRefusal => {
  const own = ownAccounts(world).filter(({ address }) => accounts?.includes(address) ?? true);
  const found = own.filter((one) => canBeUndone(one, world)).sort(byStake);
  if (found.length === 0) {
    const wasDeactivated = own.some(
      ({ delegation }) => delegation !== null && delegation.deactivationEpoch !== EPOCH_ABSENT,
    );
    return { refusal: { why: wasDeactivated ? 'UNDO_TOO_LATE' : 'NOTHING_TO_UNDO' } };
  }
  if (lamports !== undefined) return undoAmount(lamports, found, world);
  const undone = found.map((one) => undo(one, world));
  const refusal = undone.find((one): one is PlanRefusal => 'why' in one);
  const steps = undone.filter((one): one is AtomicStep => !('why' in one));
  return refusal !== undefined && (steps.length === 0 || accounts !== undefined) ? { refusal } : { steps };
};

/** Plans the undo of exactly `lamports`. Splits off the part that keeps deactivating. */
const undoAmount = (lamports: bigint, found: readonly StakeAccount[], world: PlanInputs): DraftOrRefusal => {
  const { chain } = world;
  const minimum = chain.minimumDelegationLamports;
  const isEffective = (one: StakeAccount): boolean => mergeClassOf(one, chain) !== 'inactive';
  // Stake that was never effective is delegated with its whole balance, so it can only be used if that equals
  // the old stake.
  const isAsBefore = (one: StakeAccount): boolean =>
    isEffective(one) || one.lamports - chain.stakeRentLamports === stakeOf(one);
  const possible = found.filter((one) => isAsBefore(one) && !('why' in undo(one, world)));
  const all = possible.map((one) =>
    mergeGroupOf([one], isEffective(one) && canBeDivided(one, world) ? 'split' : 'whole', minimum),
  );
  const groupsWith = (newAccounts: number) =>
    limitSplits(
      all,
      newAccounts,
      () => true,
      (account) => isLocked(account, world),
    );
  const payable = payableAccounts(world);
  // If only the wallet's balance is too low, `finishPlan` reports the shortfall of this draft.
  const cost = ({ group, lamports: part }: Part): number => (part === stakeOf(group.accounts[0]!) ? 1 : 3);
  const draft = draftWithAccounts([payable, Math.min(payable + 1, MAX_SPLITS)], (newAccounts) => {
    const parts = divideAmount(groupsWith(newAccounts), lamports, cost);
    return parts && { steps: undoParts(parts, world) };
  });
  if (draft !== null) return draft;
  return amountNotReachable(lamports, reachableAmounts(groupsWith(payable)));
};

const undoParts = (parts: readonly Part[], world: PlanInputs): readonly AtomicStep[] => {
  const { wallet, chain } = world;
  let created = 0;
  return parts.map(({ group, lamports: part }): AtomicStep => {
    const [account] = group.accounts;
    const rest = stakeOf(account!) - part;
    if (rest === 0n) return undo(account!, world) as AtomicStep;
    const child = world.newAddress(created++);
    return [
      createAccount(child, chain.stakeRentLamports, world),
      { type: 'split', account: account!.address, into: child, lamports: rest, authority: wallet },
      {
        type: 'delegate',
        account: account!.address,
        voteAccount: account!.delegation!.voteAccount,
        authority: wallet,
      },
    ];
  });
};

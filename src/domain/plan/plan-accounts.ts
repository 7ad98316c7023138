// The wallet's accounts by what can be done with them now.

import type { Address } from '@solana/kit';
import { mergeClassOf, sameOwnership } from '../machine/merge-class.ts';
import { walletRentLamports } from '../machine/stake-machine.ts';
import type { MachineOperation } from '../machine/stake-machine-state.ts';
import { EPOCH_ABSENT, lockupInForce, NO_LOCKUP, type StakeAccount } from '../stake/stake-account.ts';
import { limitsWithoutLockup } from '../stake/stake-state.ts';
import { predictCooledEpoch } from '../stake/stake-state-prediction.ts';
import type { AtomicStep, BlockedAccount, PlanDraft, PlanWorld } from './plan.ts';
import { MOST_SPLITS } from './plan-goals.ts';

/** Both authorities are the wallet. */
export const ownAccounts = ({ accounts, wallet }: PlanWorld): readonly StakeAccount[] =>
  accounts.filter((one) => one.stakeAuthority === wallet && one.withdrawAuthority === wallet);

/** Another custodian than the wallet holds the balance. */
export const isLocked = (
  { lockup }: Pick<StakeAccount, 'lockup'>,
  { wallet, chain }: Pick<PlanWorld, 'wallet' | 'chain'>,
): boolean => lockup.custodian !== wallet && lockupInForce(lockup, chain.epoch, chain.unixTimestamp);

/** Delegated, and no deactivation is set. */
export const isStaying = ({ delegation }: StakeAccount): boolean =>
  delegation !== null && delegation.deactivationEpoch === EPOCH_ABSENT;

/** What can be withdrawn while the account stays as it is. */
export const freeLamports = (account: StakeAccount, { chain }: PlanWorld): bigint =>
  limitsWithoutLockup(account, chain).partialWithdrawMaxLamports;

/** Rent can rise above what an account was opened with: the Stake program then sets nothing of its stake apart. */
export const canBeDivided = ({ lamports, delegation }: StakeAccount, { chain }: PlanWorld): boolean =>
  lamports - (delegation?.stakeLamports ?? 0n) >= chain.stakeRentLamports;

type Withdraw = Extract<MachineOperation, { readonly type: 'withdraw' }>;

/** Where the wallet is the custodian of a lockup in force, it signs as such too. */
export const withdrawPart = (account: StakeAccount, lamports: bigint, world: PlanWorld): Withdraw => ({
  type: 'withdraw',
  account: account.address,
  to: world.wallet,
  lamports,
  authority: world.wallet,
  ...(lockupInForce(account.lockup, world.chain.epoch, world.chain.unixTimestamp)
    ? { custodian: world.wallet }
    : {}),
});

/** Closes the account. */
export const withdrawAll = (account: StakeAccount, world: PlanWorld): Withdraw =>
  withdrawPart(account, account.lamports, world);

/** Creates an account with both authorities of the wallet and without a lockup. */
export const newAccount = (account: Address, lamports: bigint, { wallet }: PlanWorld): AtomicStep => [
  { type: 'create', account, payer: wallet, lamports },
  { type: 'initialize', account, stakeAuthority: wallet, withdrawAuthority: wallet, lockup: NO_LOCKUP },
];

/** A new account with `lamports` that is delegated to the vote account of the world. */
export const newStake = (account: Address, lamports: bigint, world: PlanWorld): AtomicStep => [
  ...newAccount(account, lamports, world),
  { type: 'delegate', account, voteAccount: world.voteAccount, authority: world.wallet },
];

/** Nothing is staked, and the wallet alone can withdraw all of it. */
export const isReleased = (account: StakeAccount, world: PlanWorld): boolean =>
  account.withdrawAuthority === world.wallet &&
  mergeClassOf(account, world.chain) === 'inactive' &&
  !isLocked(account, world);

/** Why an account that cools down or is locked cannot be closed yet. */
export const blockedUntilReleased = (account: StakeAccount, world: PlanWorld): readonly BlockedAccount[] => {
  const { chain } = world;
  const { address, delegation } = account;
  if (isLocked(account, world)) return [{ account: address, reason: 'lockup', possibleFromEpoch: null }];
  if (delegation === null || isStaying(account)) return [];
  const possibleFromEpoch = predictCooledEpoch(delegation, chain.epoch, chain.history);
  return [{ account: address, reason: 'cooling down', possibleFromEpoch }];
};

/** Largest stake first; of equal ones the lower address, so that a plan does not depend on the order of reading. */
export const byStake = (one: StakeAccount, other: StakeAccount): number => {
  const difference = (other.delegation?.stakeLamports ?? 0n) - (one.delegation?.stakeLamports ?? 0n);
  if (difference !== 0n) return difference > 0n ? 1 : -1;
  return one.address < other.address ? -1 : 1;
};

/** The class that decides what an account combines with, and for a delegated one the vote account. */
export const combinesWith = (one: StakeAccount, other: StakeAccount, { chain }: PlanWorld): boolean => {
  const held = mergeClassOf(one, chain);
  if (held === 'transient' || held !== mergeClassOf(other, chain)) return false;
  if (!sameOwnership(one, other, chain)) return false;
  return (
    held === 'inactive' ||
    (one.delegation!.voteAccount === other.delegation!.voteAccount && isStaying(one) && isStaying(other))
  );
};

/** Accounts in groups that combine; one that combines with none is a group of its own. */
export const combinedGroups = (
  accounts: readonly StakeAccount[],
  world: PlanWorld,
): readonly (readonly StakeAccount[])[] => {
  const groups: StakeAccount[][] = [];
  // Accounts in transition combine with none: of a thousand of them each would be compared with every other.
  const open: StakeAccount[][] = [];
  for (const account of [...accounts].sort(byStake)) {
    const isTransient = mergeClassOf(account, world.chain) === 'transient';
    const group = isTransient ? undefined : open.find(([first]) => combinesWith(first!, account, world));
    if (group) {
      group.push(account);
      continue;
    }
    groups.push([account]);
    if (!isTransient) open.push(groups.at(-1)!);
  }
  return groups;
};

/** New stake accounts that the wallet can pay for in one transaction, at most `MOST_SPLITS`; it keeps its own rent or nothing. */
export const payableAccounts = (world: PlanWorld): number => {
  const { walletLamports, chain, signatureFeeLamports, priorityFeeLamports } = world;
  const perAccount = chain.stakeRentLamports + signatureFeeLamports;
  for (let count = MOST_SPLITS; count > 0; count -= 1) {
    const left = walletLamports - priorityFeeLamports - signatureFeeLamports - BigInt(count) * perAccount;
    if (left === 0n || left >= walletRentLamports(chain.stakeRentLamports)) return count;
  }
  return 0;
};

/**
 * The first draft there is with one of these numbers of new accounts. If the wallet is short for it, any number may do: what is missing
 * then is exactly what makes one of them work.
 */
export const draftWithAccounts = (
  numbers: readonly number[],
  draftWith: (newAccounts: number) => PlanDraft | null,
): PlanDraft | null => {
  for (const newAccounts of new Set(numbers)) {
    const draft = draftWith(newAccounts);
    if (draft === null) continue;
    const others = Array.from({ length: MOST_SPLITS + 1 }, (_, count) => count).filter(
      (one) => one !== newAccounts,
    );
    return { ...draft, otherwise: () => others.flatMap((count) => draftWith(count) ?? []) };
  }
  return null;
};

// Groups the wallet's accounts by the actions that are possible now.

import type { Address } from '@solana/kit';
import { mergeClassOf, sameOwnership } from '../machine/merge-class.ts';
import { walletRentLamports } from '../machine/stake-machine.ts';
import type { MachineOperation } from '../machine/stake-machine-state.ts';
import { EPOCH_ABSENT, lockupInForce, NO_LOCKUP, type StakeAccount } from '../stake/stake-account.ts';
import { limitsWithoutLockup } from '../stake/stake-state.ts';
import { predictCooledEpoch } from '../stake/stake-state-prediction.ts';
import { priorityFeeOf } from '../transaction/instruction-fees.ts';
import type { AtomicStep, BlockedAccount, PlanDraft, PlanInputs } from './plan.ts';
import { MAX_SPLITS } from './plan-goals.ts';

/** Returns the withdraw authority of the accounts that a plan changes. */
export const ownerOf = ({ wallet, owner = wallet }: Pick<PlanInputs, 'wallet' | 'owner'>): Address => owner;

/** Returns true if the wallet itself may withdraw. */
export const mayWithdraw = (world: Pick<PlanInputs, 'wallet' | 'owner'>): boolean =>
  ownerOf(world) === world.wallet;

/**
 * Lists the accounts for which the wallet holds both authorities or, for another owner's accounts, the stake
 * authority.
 */
export const ownAccounts = (world: PlanInputs): readonly StakeAccount[] =>
  world.accounts.filter(
    (one) => one.stakeAuthority === world.wallet && one.withdrawAuthority === ownerOf(world),
  );

/** Returns true if a custodian other than the wallet locks the balance. */
export const isLocked = (
  { lockup }: Pick<StakeAccount, 'lockup'>,
  { wallet, chain }: Pick<PlanInputs, 'wallet' | 'chain'>,
): boolean => lockup.custodian !== wallet && lockupInForce(lockup, chain.epoch, chain.unixTimestamp);

/** Returns true for a delegated account that is not deactivating. */
export const isNotDeactivating = ({ delegation }: StakeAccount): boolean =>
  delegation !== null && delegation.deactivationEpoch === EPOCH_ABSENT;

/** Computes the amount that can be withdrawn without changing the account's state. */
export const freeLamports = (account: StakeAccount, { chain }: PlanInputs): bigint =>
  limitsWithoutLockup(account, chain).partialWithdrawMaxLamports;

/**
 * Returns false if the rent-exempt minimum now exceeds the one that the account holds. The Stake program then
 * refuses to divide the stake.
 */
export const canBeDivided = ({ lamports, delegation }: StakeAccount, { chain }: PlanInputs): boolean =>
  lamports - (delegation?.stakeLamports ?? 0n) >= chain.stakeRentLamports;

type Withdraw = Extract<MachineOperation, { readonly type: 'withdraw' }>;

/**
 * Builds the withdrawal of part of the balance to the wallet. If a lockup is in force, the wallet also signs as
 * its custodian.
 */
export const withdrawPart = (account: StakeAccount, lamports: bigint, world: PlanInputs): Withdraw => ({
  type: 'withdraw',
  account: account.address,
  to: world.wallet,
  lamports,
  authority: world.wallet,
  ...(lockupInForce(account.lockup, world.chain.epoch, world.chain.unixTimestamp)
    ? { custodian: world.wallet }
    : {}),
});

/** Builds the withdrawal of the whole balance, which closes the account. */
export const withdrawAll = (account: StakeAccount, world: PlanInputs): Withdraw =>
  withdrawPart(account, account.lamports, world);

/** Builds the creation of an empty stake account that the wallet pays for. */
export const createAccount = (
  account: Address,
  lamports: bigint,
  { wallet, seedOf }: Pick<PlanInputs, 'wallet' | 'seedOf'>,
): MachineOperation => ({
  type: 'create',
  account,
  payer: wallet,
  lamports,
  ...(seedOf && { seed: seedOf(account) }),
});

/** Builds the creation of an account without a lockup, with the wallet as both authorities. */
export const newAccount = (account: Address, lamports: bigint, world: PlanInputs): AtomicStep => [
  createAccount(account, lamports, world),
  {
    type: 'initialize',
    account,
    stakeAuthority: world.wallet,
    withdrawAuthority: world.wallet,
    lockup: NO_LOCKUP,
  },
];

/** Builds the creation of an account with `lamports` and its delegation to our vote account. */
export const newStake = (account: Address, lamports: bigint, world: PlanInputs): AtomicStep => [
  ...newAccount(account, lamports, world),
  { type: 'delegate', account, voteAccount: world.voteAccount, authority: world.wallet },
];

/** Returns true if the account holds no stake and the wallet alone can withdraw its whole balance. */
export const isReleased = (account: StakeAccount, world: PlanInputs): boolean =>
  account.withdrawAuthority === world.wallet &&
  mergeClassOf(account, world.chain) === 'inactive' &&
  !isLocked(account, world);

/** Returns why a deactivating or locked account cannot be closed yet, and the epoch from which it can. */
export const blockedUntilReleased = (account: StakeAccount, world: PlanInputs): readonly BlockedAccount[] => {
  const { chain } = world;
  const { address, delegation } = account;
  if (isLocked(account, world)) return [{ account: address, reason: 'lockup', possibleFromEpoch: null }];
  if (delegation === null || isNotDeactivating(account)) return [];
  const possibleFromEpoch = predictCooledEpoch(delegation, chain.epoch, chain.history);
  return [{ account: address, reason: 'cooling down', possibleFromEpoch }];
};

/** Sorts by stake, largest first, then by address, so that a plan does not depend on the order in which accounts were read. */
export const byStake = (one: StakeAccount, other: StakeAccount): number => {
  const difference = (other.delegation?.stakeLamports ?? 0n) - (one.delegation?.stakeLamports ?? 0n);
  if (difference !== 0n) return difference > 0n ? 1 : -1;
  return one.address < other.address ? -1 : 1;
};

/**
 * Returns true if both accounts have the same class, authorities and lockup. If they hold stake, they must
 * also have the same vote account and not be deactivating.
 */
const combinesWith = (one: StakeAccount, other: StakeAccount, { chain }: PlanInputs): boolean => {
  const held = mergeClassOf(one, chain);
  if (held === 'transient' || held !== mergeClassOf(other, chain)) return false;
  if (!sameOwnership(one, other, chain)) return false;
  return (
    held === 'inactive' ||
    (one.delegation!.voteAccount === other.delegation!.voteAccount &&
      isNotDeactivating(one) &&
      isNotDeactivating(other))
  );
};

/**
 * Groups accounts that can be combined. An account that cannot be combined with any other forms its own
 * group.
 */
export const combinedGroups = (
  accounts: readonly StakeAccount[],
  world: PlanInputs,
): readonly (readonly StakeAccount[])[] => {
  const groups: StakeAccount[][] = [];
  // Transient accounts can never be combined. Skipping them avoids comparing each of a thousand accounts with
  // every other.
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

/** Operations that divide an account by creating a new one. */
const NEW_ACCOUNT = [{ type: 'create' }, { type: 'split' }, { type: 'deactivate' }] as const;

/**
 * Computes how many stake accounts the wallet can pay for in one transaction, at most `MAX_SPLITS`. The
 * wallet keeps its own rent-exempt minimum or ends up empty.
 */
export const payableAccounts = (world: PlanInputs): number => {
  const { walletLamports, chain, signatureFeeLamports, unitPrice, memoBytes, seedOf } = world;
  const perAccount = chain.stakeRentLamports + (seedOf === undefined ? signatureFeeLamports : 0n);
  for (let count = MAX_SPLITS; count > 0; count -= 1) {
    const operations = Array.from({ length: count }, () => NEW_ACCOUNT).flat();
    const feeLamports =
      signatureFeeLamports + (priorityFeeOf(unitPrice, operations, memoBytes)?.lamports ?? 0n);
    const left = walletLamports - feeLamports - BigInt(count) * perAccount;
    if (left === 0n || left >= walletRentLamports(chain.stakeRentLamports)) return count;
  }
  return 0;
};

/**
 * Tries these numbers of new accounts in order, and returns the first draft found. If the wallet cannot pay for
 * it, `finishPlan` tries the other numbers and reports the smallest shortfall.
 */
export const draftWithAccounts = (
  numbers: readonly number[],
  draftWith: (newAccounts: number) => PlanDraft | null,
): PlanDraft | null => {
  for (const newAccounts of new Set(numbers)) {
    const draft = draftWith(newAccounts);
    if (draft === null) continue;
    const others = Array.from({ length: MAX_SPLITS + 1 }, (_, count) => count).filter(
      (one) => one !== newAccounts,
    );
    return { ...draft, otherwise: () => others.flatMap((count) => draftWith(count) ?? []) };
  }
  return null;
};

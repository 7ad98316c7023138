// Derives changes to authorities, lockup and delegation from a transaction, for the wallet that previously held
// the withdraw authority.
import type { Address } from '@solana/kit';
import { epochOfSlot, firstSlotOf } from '../epoch-of-slot.ts';
import type { FactStamp } from '../stake/detect-stake-events.ts';
import { EPOCH_ABSENT, isSameLockup, type Lockup } from '../stake/stake-account.ts';
import type { ReplayedOperation } from '../stake/stake-replay.ts';

/**
 * Authorities and lockup of an account. A field is null if the account was split from another account whose
 * history no node has.
 */
export interface AccountControl {
  readonly stakeAuthority: Address | null;
  readonly withdrawAuthority: Address;
  readonly lockup: Lockup | null;
}

/** Kinds of changes that can be derived from a transaction. */
type Change =
  | { readonly type: 'stake_authority_changed' | 'stake_lockup_changed' }
  | {
      readonly type: 'unexpected_deactivation';
      readonly deactivationEpoch: bigint;
      readonly undoUntilSlot: bigint;
    }
  | {
      readonly type: 'stake_moved_away';
      /**
       * The other validator's vote account, or the account that received the balance of the closed account.
       */
      readonly to: Address | null;
      readonly how: 'redelegated' | 'withdrawn';
    };

/** A change made by one transaction, for the wallet that previously held the withdraw authority. */
export type ChangeFact = Change & {
  readonly account: Address;
  readonly wallet: Address;
  readonly epoch: bigint;
  readonly identity: string;
  readonly stamp: FactStamp;
  readonly signature: string;
  /** Signers of the transaction, the fee payer first. */
  readonly signers: readonly Address[];
  /** Unix seconds; null if no node reports the time. */
  readonly seconds: bigint | null;
  readonly before: AccountControl;
  readonly after: AccountControl;
  /**
   * True if the change happened in the epoch in which the stake was delegated, so the stake was not yet
   * effective.
   */
  readonly isActivating: boolean;
};

export interface AccountTransaction {
  readonly signature: string;
  readonly signers: readonly Address[];
  readonly operations: readonly ReplayedOperation[];
}

interface ChangeOptions {
  readonly voteAccount: Address;
  readonly grid: Parameters<typeof firstSlotOf>[1];
}

const decidersOf = ({ staker, withdrawer, lockup }: ReplayedOperation['before']): AccountControl => ({
  stakeAuthority: staker,
  withdrawAuthority: withdrawer,
  lockup,
});

const isLockupChanged = (before: Lockup | null, after: Lockup | null): boolean =>
  after !== null && (before === null || !isSameLockup(before, after));

/**
 * Returns the operations after the split that created the account; everything up to that split was the
 * creator's intent. Returns null if the transaction initializes the account.
 */
const afterBeginning = (
  account: Address,
  operations: readonly ReplayedOperation[],
): readonly ReplayedOperation[] | null => {
  if (operations.some(({ operation }) => operation.type === 'initialize')) return null;
  const from = operations.findLastIndex(
    ({ operation, before }) => operation.type === 'split' && operation.into === account && !before.exists,
  );
  return operations.slice(from + 1);
};

const movedAway = (
  account: Address,
  operations: readonly ReplayedOperation[],
  wallet: Address,
  voteAccount: Address,
): Extract<Change, { readonly type: 'stake_moved_away' }> | null => {
  const last = operations.at(-1)!;
  const to = last.after.held?.voteAccount ?? voteAccount;
  if (to !== voteAccount) return { type: 'stake_moved_away', how: 'redelegated', to };
  const isClosed = last.operation.type === 'withdraw' && last.step.lamportsAfter === 0n;
  // If one transaction contains several withdrawals from the account, only the last one closes it.
  if (!isClosed || last.step.operations.findLast((one) => one.account === account) !== last.operation)
    return null;
  const { recipient } = last.operation as Extract<typeof last.operation, { readonly type: 'withdraw' }>;
  return recipient === wallet ? null : { type: 'stake_moved_away', how: 'withdrawn', to: recipient };
};

/**
 * Returns true if the account was delegated to our validator. An unknown previous vote account counts as ours,
 * because the account is delegated to our validator now.
 */
const isOurs = ({ held }: ReplayedOperation['before'], voteAccount: Address): boolean =>
  held !== null && (held.voteAccount ?? voteAccount) === voteAccount;

/** Returns the changes made by one transaction, at most one per type. Pure. */
export const factsOfChange = (
  account: Address,
  { signature, signers, operations: all }: AccountTransaction,
  { voteAccount, grid }: ChangeOptions,
): readonly ChangeFact[] => {
  const operations = afterBeginning(account, all);
  const first = operations?.[0];
  if (!operations || !first?.before.exists || !isOurs(first.before, voteAccount)) return [];
  const last = operations.at(-1)!;
  const [before, after] = [decidersOf(first.before), decidersOf(last.after)];
  const wallet = before.withdrawAuthority;
  const { slot, seconds } = first.step;
  const epoch = epochOfSlot(slot, grid);
  const changes: Change[] = [];
  if (before.stakeAuthority !== after.stakeAuthority || wallet !== after.withdrawAuthority)
    changes.push({ type: 'stake_authority_changed' });
  if (isLockupChanged(before.lockup, after.lockup)) changes.push({ type: 'stake_lockup_changed' });
  const { held } = last.after;
  const isDeactivated =
    operations.some(({ operation }) => operation.type === 'deactivate' && operation.account === account) &&
    held?.voteAccount === voteAccount &&
    held.deactivationEpoch !== EPOCH_ABSENT;
  if (isDeactivated && !signers.includes(wallet))
    changes.push({
      type: 'unexpected_deactivation',
      deactivationEpoch: epoch,
      undoUntilSlot: firstSlotOf(epoch + 1n, grid) - 1n,
    });
  const moved = movedAway(account, operations, wallet, voteAccount);
  if (moved) changes.push(moved);
  const isActivating = first.before.held?.activationEpoch === epoch;
  return changes.map((change) => ({
    ...change,
    account,
    wallet,
    epoch,
    identity: `${account} ${signature}`,
    stamp: { slots: [slot] },
    signature,
    signers,
    seconds,
    before,
    after,
    isActivating,
  }));
};

// What the Stake program would accept from this wallet now, and in words what happens next or stands in the way.
import type { EpochTiming } from '../../../../../client/generated/shared-types.ts';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { type RequestKind, requestKinds } from '../../../../../client/staking/staking-request.ts';
import { UNDO_MARGIN_SLOTS } from '../../../../../src/domain/plan/plan-goals.ts';

/** The parts of an account that decide. */
export type ActedAccount = Pick<
  StakeAccount,
  'role' | 'state' | 'suggestedActions' | 'withdrawReady' | 'lockup' | 'activeSol'
>;

/** What may be done, and a sentence about it. */
interface PossibleActions {
  /** In the order of the kinds. */
  readonly kinds: readonly RequestKind[];
  readonly hint: string | null;
}

const hintOf = (account: ActedAccount, mayUnstake: boolean, untilBoundary: string | null): string | null => {
  const { role, state, withdrawReady, lockup, activeSol } = account;
  const boundary =
    untilBoundary === null
      ? 'when this epoch ends, at the earliest'
      : `when this epoch ends, in about ${untilBoundary}, at the earliest`;
  if (mayUnstake)
    return state === 'activating' && activeSol === 0
      ? 'Not active yet. If you unstake now, you can withdraw at once.'
      : `If you unstake now, it earns until the epoch ends and can be withdrawn ${boundary}.`;
  if (withdrawReady) return role === 'owner' ? 'Withdraw all or part. It arrives at once.' : null;
  if (state === 'deactivating') return `It can be withdrawn ${boundary}. There is nothing more to do.`;
  if (state === 'inactive' && lockup !== null) return 'It has cooled down but is locked.';
  return state === 'active' || state === 'activating' ? 'Only its stake authority can unstake it.' : null;
};

/** The service's suggestions decide; without one for it, nothing is offered. */
export const possibleActions = (
  account: ActedAccount,
  { rewardsActive, untilBoundary }: { rewardsActive: boolean; untilBoundary: string | null },
): PossibleActions => {
  if (rewardsActive)
    return {
      kinds: [],
      hint: 'Last epoch’s rewards are being paid out. The Stake program accepts no instructions until that is done, usually within minutes.',
    };
  const suggested = account.suggestedActions.map(({ action }) => action);
  const kinds = requestKinds.filter((kind) => suggested.includes(kind));
  return { kinds, hint: hintOf(account, kinds.includes('unstake'), untilBoundary) };
};

/** The parts of an account that decide whether its unstaking can be taken back. */
export type CoolingAccount = Pick<
  StakeAccount,
  'role' | 'state' | 'deactivationEpoch' | 'stakeAuthority' | 'voteAccount'
>;

/** Whether the wallet alone decides about an account that is delegated here. */
export const isOwnHere = (
  { role, stakeAuthority, voteAccount }: Pick<CoolingAccount, 'role' | 'stakeAuthority' | 'voteAccount'>,
  { walletAddress, validatorVoteAccount }: { walletAddress: string; validatorVoteAccount: string },
): boolean => role === 'owner' && stakeAuthority === walletAddress && voteAccount === validatorVoteAccount;

/** True while the unstaking of this account costs nothing to take back: until the epoch ends in which it began. */
export const canKeepStaked = (
  account: CoolingAccount,
  where: {
    walletAddress: string;
    validatorVoteAccount: string;
    timing: Pick<EpochTiming, 'currentEpoch' | 'slotsRemaining' | 'epochRewardsActive'>;
  },
): boolean =>
  isOwnHere(account, where) &&
  account.state === 'deactivating' &&
  account.deactivationEpoch === where.timing.currentEpoch &&
  where.timing.slotsRemaining > UNDO_MARGIN_SLOTS &&
  !where.timing.epochRewardsActive;

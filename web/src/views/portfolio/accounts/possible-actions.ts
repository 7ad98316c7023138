// Determines the actions that the Stake program would accept from this wallet now, and what happens next or
// prevents them.
import type { EpochTiming } from '../../../../../client/generated/shared-types.ts';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { type RequestKind, requestKinds } from '../../../../../client/staking/staking-request.ts';
import { UNDO_MARGIN_SLOTS } from '../../../../../src/domain/plan/plan-goals.ts';
import { otherOwner } from '../../../text/other-owner.ts';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAccountsEnglish } from '../../../words/en/portfolio/accounts.ts';

const { say } = defineWords('portfolioAccounts', portfolioAccountsEnglish);

export type ActedAccount = Pick<
  StakeAccount,
  'role' | 'state' | 'suggestedActions' | 'withdrawReady' | 'lockup' | 'activeSol' | 'withdrawAuthority'
>;

/** Possible actions and a sentence about them. */
interface PossibleActions {
  /** Actions in the order of the request kinds. */
  readonly kinds: readonly RequestKind[];
  readonly hint: string | null;
}

interface HintFacts {
  /** Duration until the epoch ends; null if unknown. */
  readonly untilBoundary: string | null;
  /** True if the stake is delegated to another validator. */
  readonly isElsewhere: boolean;
}

const hintOf = (
  account: ActedAccount,
  mayUnstake: boolean,
  { untilBoundary: duration, isElsewhere }: HintFacts,
): string | null => {
  const { role, state, withdrawReady, lockup, activeSol } = account;
  const owner = otherOwner(account);
  if (mayUnstake)
    return state === 'activating' && activeSol === 0
      ? say('hintNotActive', { owner })
      : duration === null
        ? say('hintUnstake', { owner })
        : say('hintUnstakeIn', { owner, duration });
  if (withdrawReady) return role === 'owner' ? say('hintWithdraw') : null;
  if (state === 'deactivating' && isElsewhere && role === 'owner') return say('hintDeactivatingElsewhere');
  if (state === 'deactivating')
    return duration === null
      ? say('hintDeactivating', { owner })
      : say('hintDeactivatingIn', { owner, duration });
  if (state === 'inactive' && lockup !== null) return say('hintLocked');
  return state === 'active' || state === 'activating' ? say('hintOnlyAuthority') : null;
};

/** Derives the actions from the service's suggestions. Without a suggestion, no action is offered. */
export const possibleActions = (
  account: ActedAccount,
  { rewardsActive, ...facts }: HintFacts & { readonly rewardsActive: boolean },
): PossibleActions => {
  if (rewardsActive) return { kinds: [], hint: say('hintRewards') };
  const suggested = account.suggestedActions.map(({ action }) => action);
  const kinds = requestKinds.filter((kind) => suggested.includes(kind));
  return { kinds, hint: hintOf(account, kinds.includes('unstake'), facts) };
};

/** Account fields that determine whether an unstake can be undone. */
export type CoolingAccount = Pick<
  StakeAccount,
  'role' | 'state' | 'deactivationEpoch' | 'stakeAuthority' | 'voteAccount'
>;

/** True if the wallet alone controls the account and it is delegated here. */
export const isOwnHere = (
  { role, stakeAuthority, voteAccount }: Pick<CoolingAccount, 'role' | 'stakeAuthority' | 'voteAccount'>,
  { walletAddress, validatorVoteAccount }: { walletAddress: string; validatorVoteAccount: string },
): boolean => role === 'owner' && stakeAuthority === walletAddress && voteAccount === validatorVoteAccount;

/** True while this unstake can be undone for free: until the end of the epoch in which it started. */
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

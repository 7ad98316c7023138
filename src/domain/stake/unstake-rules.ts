// Checks whether the Stake program would accept a deactivation. If not, returns the reason and the fix.

import type { Address } from '@solana/kit';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step, wording } from '../../kernel/guidance.ts';
import { sentenceMembers } from '../../kernel/sentence.ts';
import { refuseDuringEpochRewards } from '../rewards-freeze.ts';
import { EPOCH_ABSENT, type StakeAccount } from './stake-account.ts';
import type { StakeAssessment } from './stake-state.ts';

/** Wording for the result of `withdrawReadiness` that callers wait for. */
export const WITHDRAW_READY = wording('withdrawReady is true', 'it can be withdrawn');

/** Advice for a stake that the wallet may withdraw while another address is its stake authority. */
export const TAKE_BACK = guidance`Unless you set this up, take the stake authority back first (${wording(guidance`${step('planStakeChange')} with the goal rescue`, 'rescue')}), then unstake.`;

/**
 * Throws `AppError` with `AUTHORITY_MISMATCH` (the wallet is not the stake authority),
 * `EPOCH_REWARDS_ACTIVE`, `STAKE_NOT_DELEGATED` or `STAKE_ALREADY_DEACTIVATED`, in this order. A lockup does
 * not prevent a deactivation.
 */
export const checkUnstake = (
  account: StakeAccount,
  assessment: StakeAssessment,
  { wallet, isOneShot = false }: { readonly wallet: Address; readonly isOneShot?: boolean | undefined },
): void => {
  if (account.stakeAuthority !== wallet) {
    throw new AppError(
      'AUTHORITY_MISMATCH',
      'Only the stake authority {stakeAuthority} can deactivate stake account {address}, not {wallet}.',
      {
        reason: 'UNSTAKE',
        params: { stakeAuthority: account.stakeAuthority, address: account.address, wallet },
        suggestedAction:
          account.withdrawAuthority === wallet
            ? TAKE_BACK
            : 'Unstake with the wallet that is the stake authority of this stake account.',
      },
    );
  }
  refuseDuringEpochRewards(assessment.epochRewardsActive);
  const described = sentenceMembers('stateDescription', assessment.stateSentences());
  const withdraw = step(isOneShot ? 'withdraw' : 'createWithdrawTransaction');
  if (account.delegation === null) {
    throw new AppError(
      'STAKE_NOT_DELEGATED',
      'Stake account {address} is not delegated, so there is nothing to unstake.',
      {
        params: { address: account.address },
        suggestedAction: guidance`Its balance can be withdrawn with ${withdraw}.`,
        body: { currentState: account.kind, ...described },
      },
    );
  }
  if (account.delegation.deactivationEpoch !== EPOCH_ABSENT) {
    throw new AppError(
      'STAKE_ALREADY_DEACTIVATED',
      `Stake account {address} was deactivated in epoch {deactivationEpoch}. ${described.stateDescription}`,
      {
        reason: assessment.withdrawReady ? 'WITHDRAWABLE' : 'DEACTIVATING',
        params: { address: account.address, deactivationEpoch: Number(account.delegation.deactivationEpoch) },
        suggestedAction: assessment.withdrawReady
          ? guidance`Withdraw it with ${withdraw}.`
          : guidance`Poll ${step('withdrawReadiness', { walletAddress: account.withdrawAuthority })} until ${WITHDRAW_READY}, then withdraw.`,
        body: { currentState: account.kind, ...described },
      },
    );
  }
};

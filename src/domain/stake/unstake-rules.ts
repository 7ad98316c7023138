// Checks whether the Stake program would accept a deactivation; if not, the reason and the remedy.
import type { Address } from '@solana/kit';
import { AppError } from '../../kernel/app-error.ts';
import { refuseDuringEpochRewards } from '../rewards-freeze.ts';
import { EPOCH_ABSENT, type StakeAccount } from './stake-account.ts';
import type { StakeAssessment } from './stake-state.ts';

/**
 * Throws `AppError` with `AUTHORITY_MISMATCH` (the wallet is not the stake authority), `EPOCH_REWARDS_ACTIVE`, `STAKE_NOT_DELEGATED`
 * or `STAKE_ALREADY_DEACTIVATED`, in this order. A lockup does not hinder a deactivation.
 */
export const checkUnstake = (
  account: StakeAccount,
  assessment: StakeAssessment,
  { wallet, isOneShot = false }: { readonly wallet: Address; readonly isOneShot?: boolean | undefined },
): void => {
  if (account.stakeAuthority !== wallet) {
    throw new AppError(
      'AUTHORITY_MISMATCH',
      `Only the stake authority ${account.stakeAuthority} can deactivate stake account ${account.address}; ${wallet} is not it.`,
      { suggestedAction: 'Unstake with the wallet that is the stake authority of this stake account.' },
    );
  }
  refuseDuringEpochRewards(assessment.epochRewardsActive);
  const { stateDescription } = assessment;
  const withdraw = isOneShot ? 'POST /api/v1/withdraw' : 'POST /api/v1/withdraw/transaction';
  if (account.delegation === null) {
    throw new AppError(
      'STAKE_NOT_DELEGATED',
      `Stake account ${account.address} is not delegated, so there is nothing to unstake.`,
      {
        suggestedAction: `Its balance can be withdrawn with ${withdraw}.`,
        body: { currentState: account.kind, stateDescription },
      },
    );
  }
  if (account.delegation.deactivationEpoch !== EPOCH_ABSENT) {
    throw new AppError(
      'STAKE_ALREADY_DEACTIVATED',
      `Stake account ${account.address} was deactivated in epoch ${account.delegation.deactivationEpoch}. ${stateDescription}`,
      {
        suggestedAction: assessment.withdrawReady
          ? `Withdraw it with ${withdraw}.`
          : `Poll GET /api/v1/stake/accounts/${account.withdrawAuthority}/withdraw-ready until withdrawReady is true, then withdraw.`,
        body: { currentState: account.kind, stateDescription },
      },
    );
  }
};

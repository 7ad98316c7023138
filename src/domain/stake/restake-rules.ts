// Checks whether the Stake program would delegate an account again, and with which amount. If not, reports
// the reason and the fix.

import type { Address } from '@solana/kit';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import { sentenceMembers } from '../../kernel/sentence.ts';
import { solFigure, solNumber } from '../lamports.ts';
import { refuseDuringEpochRewards } from '../rewards-freeze.ts';
import type { StakeAccount } from './stake-account.ts';
import type { StakeAssessment } from './stake-state.ts';

export interface DelegationLimits {
  /** The cluster's current rent-exempt minimum for 200 bytes, not the rent reserve stored in the account. */
  readonly stakeRentLamports: bigint;
  readonly minimumDelegationLamports: bigint;
}

/** Computes the amount of a new delegation of the account: everything except the rent-exempt minimum. */
export const restakedLamports = (
  { lamports }: Pick<StakeAccount, 'lamports'>,
  { stakeRentLamports }: DelegationLimits,
): bigint => lamports - stakeRentLamports;

/**
 * Returns true if no stake is effective, activating or deactivating. A lockup does not prevent a delegation.
 */
export const canBeDelegated = ({ state }: Pick<StakeAssessment, 'state'>): boolean =>
  state === 'inactive' || state === 'initialized';

/**
 * Returns the lamports that the account will have delegated. While the account is deactivating, the same
 * instruction would cancel the deactivation or be refused, so it is never built then. Throws `AppError` with
 * `AUTHORITY_MISMATCH` (the wallet is not the stake authority), `EPOCH_REWARDS_ACTIVE`, `STAKE_NOT_INACTIVE`
 * or `BELOW_MINIMUM_STAKE`, in this order.
 */
export const checkRestake = (
  account: StakeAccount,
  assessment: StakeAssessment,
  { wallet, ...limits }: DelegationLimits & { readonly wallet: Address },
): bigint => {
  const { address, stakeAuthority, withdrawAuthority } = account;
  if (stakeAuthority !== wallet)
    throw new AppError(
      'AUTHORITY_MISMATCH',
      'Only the stake authority {stakeAuthority} can delegate stake account {address}, not {wallet}.',
      {
        reason: 'RESTAKE',
        params: { stakeAuthority, address, wallet },
        suggestedAction: 'Restake with the wallet that is the stake authority of this stake account.',
      },
    );
  refuseDuringEpochRewards(assessment.epochRewardsActive);
  const { state } = assessment;
  const described = sentenceMembers('stateDescription', assessment.stateSentences());
  if (!canBeDelegated(assessment))
    throw new AppError(
      'STAKE_NOT_INACTIVE',
      `Stake account {address} is {state}; only one that is inactive can be delegated again. ${described.stateDescription}`,
      {
        reason: state === 'deactivating' ? 'DEACTIVATING' : 'STAKED',
        params: { address, state },
        suggestedAction:
          state === 'deactivating'
            ? guidance`Poll ${step('withdrawReadiness', { walletAddress: withdrawAuthority })} until its state is inactive, then restake it.`
            : 'It is already staked, so there is nothing to do.',
        body: { currentState: state, ...described },
      },
    );
  const lamports = restakedLamports(account, limits);
  const missing = limits.minimumDelegationLamports - lamports;
  if (missing > 0n)
    throw new AppError(
      'BELOW_MINIMUM_STAKE',
      'Stake account {address} holds {balanceSol} SOL, which is {shortfallSol} SOL too little to delegate it again ({minimumDelegationSol} SOL minimum delegation plus {rentSol} SOL rent, as currently set by the cluster).',
      {
        reason: 'RESTAKE',
        params: {
          address,
          balanceSol: solFigure(account.lamports),
          shortfallSol: solFigure(missing),
          minimumDelegationSol: solFigure(limits.minimumDelegationLamports),
          rentSol: solFigure(limits.stakeRentLamports),
        },
        suggestedAction: guidance`Withdraw it with ${step('createWithdrawTransaction')}, then stake it together with more SOL.`,
        body: { shortfallSol: solNumber(missing) },
      },
    );
  return lamports;
};

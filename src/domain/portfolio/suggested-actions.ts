// Lists the actions that an authority can take on a stake account now, excluding those that the Stake program
// would refuse.
import type { Address } from '@solana/kit';
import type { Step } from '../../kernel/guidance.ts';
import { type Sentence, sentence } from '../../kernel/sentence.ts';
import { solFigure, solNumber } from '../lamports.ts';
import { canBeDelegated, type DelegationLimits, restakedLamports } from '../stake/restake-rules.ts';
import { EPOCH_ABSENT, type StakeAccount } from '../stake/stake-account.ts';
import type { StakeAssessment } from '../stake/stake-state.ts';
import { LAMPORTS_PER_SIGNATURE } from '../transaction/instruction-fees.ts';

/** A possible action and the operation that performs it. */
interface SuggestedAction extends Step {
  readonly action: 'withdraw' | 'unstake' | 'restake' | 'wait';
  readonly reason: Sentence;
  /** Body of the operation's request; absent for `wait`. */
  readonly request?: {
    readonly walletAddress: Address;
    readonly stakeAccountAddress: Address;
    /** Present if only a part of the balance can be withdrawn. */
    readonly amountSol?: number;
  };
}

const UNSTAKE = { action: 'unstake', operation: 'createUnstakeTransaction' } as const;
const WITHDRAW = { action: 'withdraw', operation: 'createWithdrawTransaction' } as const;
const RESTAKE = { action: 'restake', operation: 'createRestakeTransaction' } as const;

const waitFor = (account: StakeAccount, reason: Sentence): SuggestedAction => ({
  action: 'wait',
  reason,
  operation: 'withdrawReadiness',
  params: { walletAddress: account.withdrawAuthority },
});

const withdrawals = (account: StakeAccount, assessment: StakeAssessment): readonly SuggestedAction[] => {
  const request = { walletAddress: account.withdrawAuthority, stakeAccountAddress: account.address };
  if (assessment.withdrawReady) {
    return [
      {
        ...WITHDRAW,
        request,
        reason: sentence('WITHDRAW_ALL', 'The full balance of {amountSol} SOL can be withdrawn.', {
          amountSol: solFigure(account.lamports),
        }),
      },
    ];
  }
  // The withdrawal would not be worth its fee.
  if (assessment.withdrawableLamports <= LAMPORTS_PER_SIGNATURE) return [];
  return [
    {
      ...WITHDRAW,
      request: { ...request, amountSol: solNumber(assessment.withdrawableLamports) },
      reason: sentence(
        'WITHDRAW_EXCESS',
        '{amountSol} SOL beyond stake and rent can be withdrawn while the rest stays staked.',
        { amountSol: solFigure(assessment.withdrawableLamports) },
      ),
    },
  ];
};

const stakeAuthorityRequest = (account: StakeAccount) => ({
  walletAddress: account.stakeAuthority,
  stakeAccountAddress: account.address,
});

const unstakes = (account: StakeAccount, assessment: StakeAssessment): readonly SuggestedAction[] => {
  if (account.delegation?.deactivationEpoch !== EPOCH_ABSENT) return [];
  const reason =
    assessment.state === 'activating' && assessment.activeLamports === 0n
      ? sentence(
          'UNSTAKE_BEFORE_ACTIVE',
          'Nothing is active yet. If deactivated now, all of it can be withdrawn without a cooldown.',
        )
      : sentence('UNSTAKE', 'Starts the cooldown, after which the stake can be withdrawn.');
  return [{ ...UNSTAKE, request: stakeAuthorityRequest(account), reason }];
};

const restakes = (
  account: StakeAccount,
  assessment: StakeAssessment,
  limits: DelegationLimits,
): readonly SuggestedAction[] => {
  const lamports = restakedLamports(account, limits);
  if (!canBeDelegated(assessment) || lamports < limits.minimumDelegationLamports) return [];
  return [
    {
      ...RESTAKE,
      request: stakeAuthorityRequest(account),
      reason: sentence(
        'RESTAKE',
        '{amountSol} SOL of it can be delegated again and would earn from the next epoch boundary at the earliest.',
        { amountSol: solFigure(lamports) },
      ),
    },
  ];
};

/**
 * Lists the possible actions of the withdraw authority (`owner`), which is also the stake authority if both
 * are the same key, or of a key that is only the stake authority (`staker`). Returns an empty list if no
 * action is worth its fee. While rewards are being paid or a lockup is in force, the owner has to wait.
 */
export const suggestedActions = (
  account: StakeAccount,
  assessment: StakeAssessment,
  role: 'owner' | 'staker',
  limits: DelegationLimits,
): readonly SuggestedAction[] => {
  const owns = role === 'owner';
  if (assessment.epochRewardsActive) {
    return owns
      ? [
          waitFor(
            account,
            sentence(
              'WAIT_FOR_REWARDS',
              'Rewards are being distributed. Stake accounts cannot be changed until that is done.',
            ),
          ),
        ]
      : [];
  }
  const stakes = !owns || account.stakeAuthority === account.withdrawAuthority;
  const released = assessment.state === 'initialized' || assessment.state === 'inactive';
  return [
    ...(owns ? withdrawals(account, assessment) : []),
    ...(stakes ? unstakes(account, assessment) : []),
    ...(owns && stakes ? restakes(account, assessment, limits) : []),
    ...(owns && assessment.state === 'deactivating'
      ? [waitFor(account, sentence('WAIT_FOR_COOLDOWN', 'The stake is deactivating.'))]
      : []),
    ...(owns && released && assessment.lockupInForce
      ? [waitFor(account, sentence('WAIT_FOR_LOCKUP', 'The balance is locked.'))]
      : []),
  ];
};

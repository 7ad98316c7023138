// What the holder of one authority can do with a stake account now, and nothing that the Stake program would refuse.
import { formatSol } from '../lamports.ts';
import { canBeDelegated, type DelegationLimits, restakedLamports } from '../stake/restake-rules.ts';
import { EPOCH_ABSENT, type StakeAccount } from '../stake/stake-account.ts';
import type { StakeAssessment } from '../stake/stake-state.ts';
import { LAMPORTS_PER_SIGNATURE } from '../transaction/instruction-fees.ts';

/** One step open to the caller, with the call that takes it. */
interface SuggestedAction {
  readonly action: 'withdraw' | 'unstake' | 'restake' | 'wait';
  readonly reason: string;
  readonly method: 'GET' | 'POST';
  readonly endpoint: string;
}

const UNSTAKE = { action: 'unstake', method: 'POST', endpoint: '/api/v1/unstake/transaction' } as const;
const WITHDRAW = { action: 'withdraw', method: 'POST', endpoint: '/api/v1/withdraw/transaction' } as const;

const RESTAKE = { action: 'restake', method: 'POST', endpoint: '/api/v1/restake/transaction' } as const;

const waitFor = (account: StakeAccount, reason: string): SuggestedAction => ({
  action: 'wait',
  reason,
  method: 'GET',
  endpoint: `/api/v1/stake/accounts/${account.withdrawAuthority}/withdraw-ready`,
});

const withdrawals = (account: StakeAccount, assessment: StakeAssessment): readonly SuggestedAction[] => {
  if (assessment.withdrawReady) {
    return [
      { ...WITHDRAW, reason: `The full balance of ${formatSol(account.lamports)} SOL can be withdrawn.` },
    ];
  }
  // The fee of the withdrawal would take more than it brings.
  if (assessment.withdrawableLamports <= LAMPORTS_PER_SIGNATURE) return [];
  const free = formatSol(assessment.withdrawableLamports);
  return [
    {
      ...WITHDRAW,
      reason: `${free} SOL beyond stake and rent can be withdrawn while the rest stays staked.`,
    },
  ];
};

const unstakes = (account: StakeAccount, assessment: StakeAssessment): readonly SuggestedAction[] => {
  if (account.delegation?.deactivationEpoch !== EPOCH_ABSENT) return [];
  const reason =
    assessment.state === 'activating' && assessment.activeLamports === 0n
      ? 'Nothing is effective yet: deactivated before it is, all of it is withdrawable without a cool-down.'
      : 'Starts the cool-down, after which the stake can be withdrawn.';
  return [{ ...UNSTAKE, reason }];
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
      reason: `${formatSol(lamports)} SOL of it can be delegated again, and earn from the next epoch boundary on at the earliest.`,
    },
  ];
};

/**
 * The actions open now to the withdraw authority (`owner`), who also acts as stake authority if it is the same key, or to a mere stake
 * authority (`staker`). Empty when nothing is worth its fee; during a rewards freeze and under a lockup the owner has to wait.
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
            'Rewards are being distributed; stake accounts accept no instruction until that ends.',
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
    ...(owns && assessment.state === 'deactivating' ? [waitFor(account, 'The stake is cooling down.')] : []),
    ...(owns && released && assessment.lockupInForce ? [waitFor(account, 'The balance is locked.')] : []),
  ];
};

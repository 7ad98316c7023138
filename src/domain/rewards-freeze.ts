// Refuses operations on stake accounts while rewards are being distributed.

import { AppError } from '../kernel/app-error.ts';
import { guidance, step, wording } from '../kernel/guidance.ts';

// On large clusters, the distribution takes a few hundred blocks with 4,096 stake accounts each, which is
// about one or two minutes.
const RETRY_AFTER_SECONDS = 20;

/**
 * Message, fix and waiting time of every refusal while rewards are being distributed, regardless of which
 * code reports it.
 */
export const REWARDS_FREEZE = {
  message:
    'Rewards of the last epoch are being distributed. The Stake program accepts no instructions until that is done.',
  suggestedAction: guidance`Try again shortly; ${step('epoch')} shows ${wording('in epochRewardsActive when', 'when')} the distribution is over.`,
  retryAfterSeconds: RETRY_AFTER_SECONDS,
};

/** Creates the error for a request that cannot be carried out while rewards are being distributed. */
export const duringEpochRewards = (): AppError => {
  const { message, ...rest } = REWARDS_FREEZE;
  return new AppError('EPOCH_REWARDS_ACTIVE', message, { reason: 'DISTRIBUTION', ...rest });
};

/**
 * Throws `AppError('EPOCH_REWARDS_ACTIVE')` while the EpochRewards sysvar is active, because the Stake
 * program then refuses all instructions.
 */
export const refuseDuringEpochRewards = (epochRewardsActive: boolean): void => {
  if (epochRewardsActive) throw duringEpochRewards();
};

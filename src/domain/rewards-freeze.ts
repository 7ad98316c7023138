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

/**
 * Throws `AppError('EPOCH_REWARDS_ACTIVE')` while the EpochRewards sysvar is active, because the Stake
 * program then refuses all instructions.
 */
export const refuseDuringEpochRewards = (epochRewardsActive: boolean): void => {
  if (!epochRewardsActive) return;
  const { message, ...rest } = REWARDS_FREEZE;
  throw new AppError('EPOCH_REWARDS_ACTIVE', message, { reason: 'DISTRIBUTION', ...rest });
};

// The refusal while an epoch's rewards are being distributed, the same for every operation on stake accounts.

import { AppError } from '../kernel/app-error.ts';
import { guidance, step, wording } from '../kernel/guidance.ts';

// On the large clusters the distribution takes some hundred blocks of 4,096 stake accounts each, about a minute or two.
const RETRY_AFTER_SECONDS = 20;

/** Throws `AppError('EPOCH_REWARDS_ACTIVE')` while the EpochRewards sysvar is active: the Stake program refuses all instructions then. */
export const refuseDuringEpochRewards = (epochRewardsActive: boolean): void => {
  if (!epochRewardsActive) return;
  throw new AppError(
    'EPOCH_REWARDS_ACTIVE',
    'The rewards of the last epoch are being distributed; until that ends the Stake program accepts no instruction.',
    {
      suggestedAction: guidance`Try again shortly; ${step('epoch')} shows ${wording('in epochRewardsActive when', 'when')} the distribution is over.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );
};

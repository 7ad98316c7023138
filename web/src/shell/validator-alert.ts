// Finds the most severe notice about the validator that affects the stake of the connected wallet.
import type { Notice } from '../../../client/generated/shared-types.ts';
import type { StakingSummaryAnswer } from '../../../client/generated/stake-operations.ts';
import { VALIDATOR_NOTICES } from '../api/validator-notices.ts';

/**
 * Returns the first matching notice, which is the most severe, because the service sorts them. Null without a
 * notice, or without stake at this validator.
 */
export const validatorAlert = ({
  accounts,
  notices,
}: Pick<StakingSummaryAnswer, 'notices'> & {
  accounts: readonly Pick<StakingSummaryAnswer['accounts'][number], 'role' | 'state'>[];
}): Notice | null => {
  const states = accounts.flatMap(({ role, state }) => (role === 'owner' ? [state] : []));
  const isActive = states.includes('active');
  if (!isActive && !states.includes('activating')) return null;
  // Stake that is still activating has lost nothing in a past epoch.
  return (
    notices.find(({ code }) => VALIDATOR_NOTICES.includes(code) && (isActive || code !== 'EPOCH_MISSED')) ??
    null
  );
};

// Finds the most severe notice about the validator that affects the stake of the connected wallet.
import type { Notice } from '../../../client/generated/shared-types.ts';
import type { StakingSummaryAnswer } from '../../../client/generated/stake-operations.ts';

/**
 * Notices that end or reduce the earnings of a stake. Other notices are about an account or about displayed
 * figures.
 */
const CODES: readonly Notice['code'][] = [
  'VALIDATOR_CLOSED',
  'VALIDATOR_DELINQUENT',
  'VALIDATOR_NOT_ADMITTED',
  'COMMISSION_FULL',
  'DESTAKE_POSSIBLE',
  'COMMISSION_RAISED',
  'EPOCH_MISSED',
];

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
  return notices.find(({ code }) => CODES.includes(code) && (isActive || code !== 'EPOCH_MISSED')) ?? null;
};

// The most severe notice about the validator that concerns the stake of the connected wallet.
import type { Notice } from '../../../client/generated/shared-types.ts';
import type { StakingSummaryAnswer } from '../../../client/generated/stake-operations.ts';

/** Notices that end or reduce what a stake earns. Others concern an account, or the figures. */
const CODES: readonly Notice['code'][] = [
  'VALIDATOR_CLOSED',
  'VALIDATOR_DELINQUENT',
  'VALIDATOR_NOT_ADMITTED',
  'COMMISSION_FULL',
  'DESTAKE_POSSIBLE',
  'COMMISSION_RAISED',
  'EPOCH_MISSED',
];

/** The service sorts the notices, the most severe first. Null without one, or without a stake here. */
export const stakeAlert = ({
  accounts,
  notices,
}: Pick<StakingSummaryAnswer, 'notices'> & {
  accounts: readonly Pick<StakingSummaryAnswer['accounts'][number], 'role' | 'state'>[];
}): Notice | null =>
  accounts.some(({ role, state }) => role === 'owner' && (state === 'active' || state === 'activating'))
    ? (notices.find(({ code }) => CODES.includes(code)) ?? null)
    : null;

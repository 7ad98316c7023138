// Describes the autopilot's decisions: why there was no offer, and what it would offer now.
import {
  decideAutopilotAmount,
  type SkipReason,
  type SweepFacts,
} from '../../../../../src/domain/autopilot/decide-autopilot-offer.ts';
import { solText } from '../../../text/format-figures.ts';
import { defineWords } from '../../../words/define-words.ts';
import { autopilotEnglish } from '../../../words/en/developers/autopilot-policy.ts';

const { say } = defineWords('autopilot', autopilotEnglish);

const SKIPS = {
  WALLET_SHORT: 'walletShort',
  BELOW_MIN_SWEEP: 'belowThreshold',
  BELOW_MINIMUM_STAKE: 'belowMinimum',
  VALIDATOR_FAILING: 'validatorFailing',
  EPOCH_REWARDS_ACTIVE: 'rewardsBeingPaid',
  WALLET_CANNOT_PAY: 'cannotPay',
} as const satisfies Record<SkipReason, keyof typeof autopilotEnglish>;

/** Completes "Nothing, because …". Unknown reasons of a newer service show the service's message. */
export const skipWords = ({ reason, message }: { reason: string; message: string }): string =>
  Object.hasOwn(SKIPS, reason) ? say(SKIPS[reason as SkipReason]) : message;

/** Describes what the service would do with these figures and the wallet's current balance. */
export const previewWords = (
  figures: { readonly keepLiquidLamports: bigint; readonly minSweepLamports: bigint },
  facts: SweepFacts,
): string => {
  const decision = decideAutopilotAmount(figures, facts);
  const balance = solText(facts.balanceLamports);
  return decision.kind === 'sweep'
    ? say('wouldOffer', { balance, amount: solText(decision.lamports) })
    : say('wouldNotOffer', { balance, reason: say(SKIPS[decision.reason]) });
};

// The autopilot's decisions in words: why there was no offer, and what it would offer now.
import {
  decideAutopilotAmount,
  type SkipReason,
  type SweepFacts,
} from '../../../../../src/domain/autopilot/autopilot-amount.ts';
import { solText } from '../../../text/format-figures.ts';

const SKIPS = {
  WALLET_SHORT: 'the wallet holds no more than its liquid amount',
  BELOW_MIN_SWEEP: 'the amount above that is below your threshold',
  BELOW_MINIMUM_STAKE: 'the stakeable amount is below the cluster’s minimum',
  EPOCH_REWARDS_ACTIVE: 'rewards are being paid, and stakes fail until that is done',
  WALLET_CANNOT_PAY: 'the address is not a plain wallet, so it cannot pay fees',
} as const satisfies Record<SkipReason, string>;

/** Completes "Nothing, because …". Unknown reasons of a newer service show its message. */
export const skipWords = ({ reason, message }: { reason: string; message: string }): string =>
  Object.hasOwn(SKIPS, reason) ? SKIPS[reason as SkipReason] : message;

/** What the service would do with these figures and the wallet's current balance. */
export const previewWords = (
  figures: { readonly keepLiquidLamports: bigint; readonly minSweepLamports: bigint },
  facts: SweepFacts,
): string => {
  const decision = decideAutopilotAmount(figures, facts);
  const holds = `The wallet holds ${solText(facts.balanceLamports)} SOL.`;
  return decision.kind === 'sweep'
    ? `${holds} ${solText(decision.lamports)} SOL of it would be offered now.`
    : `${holds} Nothing would be offered now: ${SKIPS[decision.reason]}.`;
};

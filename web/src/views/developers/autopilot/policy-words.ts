// The autopilot's decisions in words: why nothing was offered, and what would be offered now.
import {
  decideSweep,
  type SkipReason,
  type SweepFacts,
} from '../../../../../src/domain/portfolio/sweep-decision.ts';
import { solText } from '../../../ui/format.ts';

const SKIPS = {
  WALLET_SHORT: 'the wallet holds no more than is to stay liquid',
  BELOW_MIN_SWEEP: 'what lies above it is not enough to be offered',
  BELOW_MINIMUM_STAKE: 'what could be staked is less than the cluster’s minimum',
  EPOCH_REWARDS_ACTIVE: 'rewards are being paid, and stakes fail until that ends',
  WALLET_CANNOT_PAY: 'the address is not a plain wallet, so it cannot pay fees',
} as const satisfies Record<SkipReason, string>;

/** Completes "Nothing, because …". A newer service may have reasons of its own: then its message is shown. */
export const skipWords = ({ reason, message }: { reason: string; message: string }): string =>
  Object.hasOwn(SKIPS, reason) ? SKIPS[reason as SkipReason] : message;

/** What the service would do with these figures and the wallet as it is. */
export const previewWords = (
  figures: { readonly keepLiquidLamports: bigint; readonly minSweepLamports: bigint },
  facts: SweepFacts,
): string => {
  const decision = decideSweep(figures, facts);
  const holds = `The wallet holds ${solText(facts.balanceLamports)} SOL.`;
  return decision.kind === 'sweep'
    ? `${holds} ${solText(decision.lamports)} SOL of it would be offered now.`
    : `${holds} Nothing would be offered now: ${SKIPS[decision.reason]}.`;
};

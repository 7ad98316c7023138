// Decides whether a wallet's liquid SOL is offered for staking now, and how much; pure, in lamports.

import { LAMPORTS_PER_SOL, MAX_AMOUNT_SOL } from '../lamports.ts';
import { LAMPORTS_PER_SIGNATURE } from '../transaction/instruction-fees.ts';
import type { StakingPolicy } from './policy-text.ts';

/** Why nothing is offered, in the words of the interface. */
export type SkipReason =
  | 'WALLET_SHORT'
  | 'BELOW_MIN_SWEEP'
  | 'BELOW_MINIMUM_STAKE'
  | 'EPOCH_REWARDS_ACTIVE'
  | 'WALLET_CANNOT_PAY';

/** What a decision stands on. */
export interface SweepFacts {
  readonly balanceLamports: bigint;
  /** The wallet is a plain System account (or does not exist yet). */
  readonly canPay: boolean;
  /** What this service asks a wallet to keep for later fees. */
  readonly feeReserveLamports: bigint;
  /** Rent plus minimum delegation, as the cluster has them now. */
  readonly minimumStakeLamports: bigint;
  readonly epochRewardsActive: boolean;
}

/** The outcome. `lamports` is the total moved into the new stake account, rent included. */
type SweepDecision =
  | { readonly kind: 'sweep'; readonly lamports: bigint }
  | { readonly kind: 'skip'; readonly reason: SkipReason };

/** Wallet and new stake account sign. */
const STAKE_FEE_LAMPORTS = 2n * LAMPORTS_PER_SIGNATURE;
const MOST_LAMPORTS = BigInt(MAX_AMOUNT_SOL) * LAMPORTS_PER_SOL;

const skip = (reason: SkipReason): SweepDecision => ({ kind: 'skip', reason });

/**
 * Offers everything above `keepLiquidLamports` once that is more than `minSweepLamports`. What the stake's own network fee and the fee
 * reserve need stays in the wallet too, so that after it the wallet holds at least `keepLiquidLamports`.
 */
export const decideAutopilotAmount = (
  policy: Pick<StakingPolicy, 'keepLiquidLamports' | 'minSweepLamports'>,
  facts: SweepFacts,
): SweepDecision => {
  const { keepLiquidLamports, minSweepLamports } = policy;
  if (!facts.canPay) return skip('WALLET_CANNOT_PAY');
  const aboveLamports = facts.balanceLamports - keepLiquidLamports;
  if (aboveLamports <= 0n) return skip('WALLET_SHORT');
  if (aboveLamports <= minSweepLamports) return skip('BELOW_MIN_SWEEP');
  const reservedLamports = keepLiquidLamports + STAKE_FEE_LAMPORTS;
  const staysLamports =
    reservedLamports > facts.feeReserveLamports ? reservedLamports : facts.feeReserveLamports;
  const spendableLamports = facts.balanceLamports - staysLamports;
  if (spendableLamports < facts.minimumStakeLamports) return skip('BELOW_MINIMUM_STAKE');
  // Last: everything else holds over the freeze, and this ends by itself.
  if (facts.epochRewardsActive) return skip('EPOCH_REWARDS_ACTIVE');
  return { kind: 'sweep', lamports: spendableLamports < MOST_LAMPORTS ? spendableLamports : MOST_LAMPORTS };
};

// Decides whether to offer a wallet's liquid SOL for staking, and how much. Pure, in lamports.

import { LAMPORTS_PER_SOL, MAX_AMOUNT_SOL } from '../lamports.ts';
import { LAMPORTS_PER_SIGNATURE } from '../transaction/instruction-fees.ts';
import type { StakingPolicy } from './policy-text.ts';

/** Reasons for not making an offer, as in the API. */
export type SkipReason =
  | 'WALLET_SHORT'
  | 'BELOW_MIN_SWEEP'
  | 'BELOW_MINIMUM_STAKE'
  | 'VALIDATOR_FAILING'
  | 'EPOCH_REWARDS_ACTIVE'
  | 'WALLET_CANNOT_PAY';

/** Inputs of the decision. */
export interface SweepFacts {
  readonly balanceLamports: bigint;
  /** True if the wallet is a plain System account or does not exist yet. */
  readonly canPay: boolean;
  /** Amount that this service reserves for later fees. */
  readonly feeReserveLamports: bigint;
  /** The rent-exempt minimum plus the cluster's current minimum delegation. */
  readonly minimumStakeLamports: bigint;
  /** True if there is a critical notice about the validator, so that no new stake is recommended. */
  readonly validatorFailing: boolean;
  readonly epochRewardsActive: boolean;
}

/**
 * The decision. `lamports` is the total moved into the new stake account, including the rent-exempt minimum.
 */
type SweepDecision =
  | { readonly kind: 'sweep'; readonly lamports: bigint }
  | { readonly kind: 'skip'; readonly reason: SkipReason };

/** Two signers: the wallet and the new stake account. */
const STAKE_FEE_LAMPORTS = 2n * LAMPORTS_PER_SIGNATURE;
const MAX_LAMPORTS = BigInt(MAX_AMOUNT_SOL) * LAMPORTS_PER_SOL;

const skip = (reason: SkipReason): SweepDecision => ({ kind: 'skip', reason });

/**
 * Offers everything above `keepLiquidLamports` if that is more than `minSweepLamports`. Leaves the network
 * fee in the wallet too, so that at least `keepLiquidLamports` remain after it is paid, and never leaves less
 * than the fee reserve.
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
  if (facts.validatorFailing) return skip('VALIDATOR_FAILING');
  // This reason is checked last, because it goes away soon and on its own.
  if (facts.epochRewardsActive) return skip('EPOCH_REWARDS_ACTIVE');
  return { kind: 'sweep', lamports: spendableLamports < MAX_LAMPORTS ? spendableLamports : MAX_LAMPORTS };
};

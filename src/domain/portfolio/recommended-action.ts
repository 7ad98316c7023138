// Selects a wallet's recommended action and its call from the table.

import type { Address } from '@solana/kit';
import type { Step } from '../../kernel/guidance.ts';
import { type Sentence, sentence } from '../../kernel/sentence.ts';
import { LAMPORTS_PER_SOL, MAX_AMOUNT_SOL, solFigure } from '../lamports.ts';
import type { StakeAccount } from '../stake/stake-account.ts';
import type { StakeAssessment } from '../stake/stake-state.ts';
import {
  type RecommendationAmount,
  type RecommendationFacts,
  type RecommendedActionName,
  recommendationRow,
} from './recommended-action-table.ts';

/** An assessed stake account that the wallet may withdraw from. */
export interface OwnedStake {
  readonly account: Pick<StakeAccount, 'address' | 'lamports' | 'stakeAuthority'>;
  readonly assessment: StakeAssessment;
}

/** Input of the recommendation; amounts in lamports. */
export interface RecommendationInput {
  readonly wallet: Address;
  readonly liquidLamports: bigint;
  /** Accounts whose withdraw authority is the wallet. */
  readonly stakes: readonly OwnedStake[];
  readonly minimumStakeLamports: bigint;
  readonly feeReserveLamports: bigint;
  readonly walletRentLamports: bigint;
  /** Fee of a transaction with one signature. */
  readonly feeLamports: bigint;
  readonly epochRewardsActive: boolean;
  /** The most severe critical notice about the validator; null if there is none. */
  readonly criticalNotice: Sentence | null;
}

/**
 * The recommended next step. With `all`, the call withdraws from every account that is ready.
 * `amountLamports` and `stakeAccountAddress` are null if the call does not use them.
 */
interface RecommendedAction extends Step {
  readonly action: RecommendedActionName;
  readonly reason: readonly Sentence[];
  readonly amountLamports: bigint | null;
  readonly all: boolean;
  /** Account to withdraw from. */
  readonly stakeAccountAddress: Address | null;
}

interface Candidate {
  readonly address: Address;
  readonly lamports: bigint;
}

const isReleased = ({ state }: StakeAssessment): boolean => state === 'initialized' || state === 'inactive';

/**
 * Lists the amount that could be withdrawn from each account if no rewards were being distributed, largest
 * first. Omits amounts that do not exceed the fee.
 */
const candidates = ({ stakes, feeLamports }: RecommendationInput, released: boolean): readonly Candidate[] =>
  stakes
    .filter(({ assessment }) => !assessment.lockupInForce && isReleased(assessment) === released)
    .map(({ account, assessment }) => ({
      address: account.address,
      lamports: released ? account.lamports : assessment.excessLamports,
    }))
    .filter(({ lamports }) => lamports > feeLamports)
    .sort((a, b) => (a.lamports > b.lamports ? -1 : a.lamports < b.lamports ? 1 : 0));

const total = (all: readonly Candidate[]): bigint => all.reduce((sum, { lamports }) => sum + lamports, 0n);

const stakeNeed = (input: RecommendationInput): bigint =>
  input.minimumStakeLamports + input.feeReserveLamports;

const MAX_STAKEABLE = BigInt(MAX_AMOUNT_SOL) * LAMPORTS_PER_SOL;

/** Returns the amount to stake, at most the maximum of one call. */
const stakeable = ({ liquidLamports, feeReserveLamports }: RecommendationInput): bigint => {
  const lamports = liquidLamports - feeReserveLamports;
  return lamports > MAX_STAKEABLE ? MAX_STAKEABLE : lamports;
};

/** Evaluates the table's conditions for the wallet. */
export const recommendationFacts = (input: RecommendationInput): RecommendationFacts => {
  const { liquidLamports, feeLamports, walletRentLamports, stakes } = input;
  const some = (holds: (assessment: StakeAssessment) => boolean) =>
    stakes.some(({ assessment }) => holds(assessment));
  const released = candidates(input, true).length;
  const canStake = liquidLamports >= stakeNeed(input);
  const excess = total(candidates(input, false));
  const idleStakeable = !canStake && excess > 0n && liquidLamports + excess >= stakeNeed(input);
  return {
    blockedByRewards: input.epochRewardsActive && (released > 0 || canStake || idleStakeable),
    released: released > 0,
    severalReleased: released > 1,
    // A fee payer must be left with nothing or with at least the rent-exempt minimum.
    feesCovered: liquidLamports === feeLamports || liquidLamports >= feeLamports + walletRentLamports,
    coolingDown: some(({ state }) => state === 'deactivating'),
    canStake,
    idleStakeable,
    lockedUp: some((assessment) => isReleased(assessment) && assessment.lockupInForce),
    warmingUp: some(({ state }) => state === 'activating'),
    earning: some(({ activeLamports }) => activeLamports > 0n),
    validatorFailing: input.criticalNotice !== null,
    controlledByOthers: stakes.some(({ account }) => account.stakeAuthority !== input.wallet),
  };
};

const amountOf = (
  amount: RecommendationAmount,
  input: RecommendationInput,
): { readonly lamports: bigint; readonly address: Address | null } => {
  switch (amount) {
    case 'released':
    case 'excess':
      return candidates(input, amount === 'released')[0]!;
    case 'allReleased':
      return { lamports: total(candidates(input, true)), address: null };
    case 'stakeable':
      return { lamports: stakeable(input), address: null };
    case 'feeShortfall':
      return { lamports: input.feeLamports + input.walletRentLamports - input.liquidLamports, address: null };
    case 'stakeShortfall':
      return { lamports: stakeNeed(input) - input.liquidLamports, address: null };
  }
};

/** Returns the wallet's next step. */
export const recommendAction = (input: RecommendationInput): RecommendedAction => {
  const { action, operation, amount, code, reason, isNoticed } = recommendationRow(
    recommendationFacts(input),
  );
  const found = amount === null ? null : amountOf(amount, input);
  return {
    action,
    reason: [
      ...(code === null
        ? []
        : [sentence(code, reason, found === null ? {} : { amountSol: solFigure(found.lamports) })]),
      ...(isNoticed && input.criticalNotice !== null ? [input.criticalNotice] : []),
    ],
    operation,
    params: { walletAddress: input.wallet },
    amountLamports: found?.lamports ?? null,
    all: amount === 'allReleased',
    stakeAccountAddress: found?.address ?? null,
  };
};

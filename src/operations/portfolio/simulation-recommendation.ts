// Describes a simulation in one or two sentences: obstacles first, then the expected rewards and the amount
// to keep in the wallet.
import { solFigure } from '../../domain/lamports.ts';
import type { Projection } from '../../domain/portfolio/projection.ts';
import { type Sentence, sentence } from '../../kernel/sentence.ts';

export interface SimulationFacts {
  readonly amountLamports: bigint;
  /** Minimum stake of the cluster. */
  readonly minimumLamports: bigint;
  readonly feeReserveLamports: bigint;
  readonly durationDays: number;
  /** Null if no rate is known. */
  readonly projection: Pick<Projection, 'annual' | 'total' | 'activation'> | null;
  /** The active critical notice; null if there is none. */
  readonly criticalNotice: Sentence | null;
}

const expectation = ({ projection, durationDays, amountLamports }: SimulationFacts): Sentence => {
  const amountSol = solFigure(amountLamports);
  if (projection === null)
    return sentence(
      'EARNINGS_UNKNOWN',
      'The rewards for {amountSol} SOL are unknown because the validator’s yield is currently unavailable.',
      { amountSol },
    );
  const { annual, total, activation } = projection;
  // A test cluster can pay a year's rewards within minutes, whereas public clusters started with a declining
  // inflation of 8% per year.
  if (annual.rewardLamports > amountLamports)
    return sentence(
      'EARNINGS_NOT_PROJECTED',
      'The rewards for {amountSol} SOL cannot be projected: at current rates, this cluster would pay more than 100% per year.',
      { amountSol },
    );
  const days = { shown: durationDays === 1 ? '1 day' : `${durationDays} days`, value: durationDays };
  return total.rewardLamports === 0n
    ? sentence(
        'FIRST_REWARD_LATER',
        '{amountSol} SOL would not earn anything within {days}: the first reward is expected {firstRewardAt}.',
        { amountSol, days, firstRewardAt: activation.estimatedFirstRewardAt },
      )
    : sentence('EARNINGS', '{amountSol} SOL would earn about {rewardSol} SOL in {days} at current rates.', {
        amountSol,
        rewardSol: solFigure(total.rewardLamports),
        days,
      });
};

/** Returns the recommendation, which is never empty. */
export const recommendStake = (facts: SimulationFacts): Sentence[] => {
  const { amountLamports, minimumLamports, feeReserveLamports } = facts;
  if (amountLamports < minimumLamports)
    return [
      sentence(
        'AMOUNT_BELOW_MINIMUM',
        '{amountSol} SOL is below the minimum stake: the cluster accepts {minimumStakeSol} SOL or more, so {shortfallSol} SOL is missing.',
        {
          amountSol: solFigure(amountLamports),
          minimumStakeSol: solFigure(minimumLamports),
          shortfallSol: solFigure(minimumLamports - amountLamports),
        },
      ),
    ];
  if (facts.criticalNotice !== null)
    return [sentence('WAIT_BEFORE_STAKING', 'Wait before you stake.'), facts.criticalNotice];
  return [
    expectation(facts),
    sentence('KEEP_RESERVE', 'Keep {feeReserveSol} SOL in the wallet for later fees.', {
      feeReserveSol: solFigure(feeReserveLamports),
    }),
  ];
};

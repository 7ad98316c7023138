// Describes a simulation in one or two sentences: obstacles first, then the expected rewards and the amount to keep in the wallet.
import { formatSol } from '../../domain/lamports.ts';
import type { Projection } from '../../domain/portfolio/projection.ts';

/** Inputs of the text. */
export interface SimulationFacts {
  readonly amountLamports: bigint;
  /** Minimum stake of the cluster. */
  readonly minimumLamports: bigint;
  readonly feeReserveLamports: bigint;
  readonly durationDays: number;
  /** Null if no rate is known. */
  readonly projection: Pick<Projection, 'annual' | 'total' | 'activation'> | null;
  /** Text of the active critical notice; null if there is none. */
  readonly criticalNotice: string | null;
}

const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`);

const expectation = ({ projection, durationDays, amountLamports }: SimulationFacts): string => {
  const amount = formatSol(amountLamports);
  if (projection === null)
    return `What ${amount} SOL would earn is unknown, because the validator’s yield is currently unavailable.`;
  const { annual, total, activation } = projection;
  // Inflation on public clusters started at 8% a year and declines, but a test cluster pays a year's rewards within minutes.
  if (annual.rewardLamports > amountLamports)
    return `What ${amount} SOL would earn cannot be projected: at current rates this cluster would pay more than 100% a year.`;
  return total.rewardLamports === 0n
    ? `${amount} SOL would not have earned anything after ${days(durationDays)}: the first reward is expected ${activation.estimatedFirstRewardAt}.`
    : `${amount} SOL would earn about ${formatSol(total.rewardLamports)} SOL in ${days(durationDays)} at the present rates.`;
};

/** Returns the text, which is never empty. */
export const recommendStake = (facts: SimulationFacts): string => {
  const { amountLamports, minimumLamports, feeReserveLamports } = facts;
  if (amountLamports < minimumLamports)
    return `${formatSol(amountLamports)} SOL is below the minimum stake: the cluster accepts ${formatSol(minimumLamports)} SOL or more, ${formatSol(minimumLamports - amountLamports)} SOL more than this.`;
  if (facts.criticalNotice !== null) return `Wait before you stake. ${facts.criticalNotice}`;
  return `${expectation(facts)} Keep ${formatSol(feeReserveLamports)} SOL in the wallet for later fees.`;
};

// Why an amount cannot be unstaked, in short words, and the nearest amounts that can.
import type { PlanStakeChangeAnswer } from '../../../../../client/generated/transactions-operations.ts';
import { lamportsOf } from '../../../text/format-figures.ts';

/** What stands in the way. `nearby`: lamports that can be had, smallest first. */
interface PlanProblem {
  readonly text: string;
  readonly nearby: readonly bigint[];
}

/** Null where the plan can be signed. */
export const planProblem = ({
  refusal,
  transactions,
}: Pick<PlanStakeChangeAnswer, 'refusal' | 'transactions'>): PlanProblem | null => {
  if (refusal === null)
    return transactions.length <= 1
      ? null
      : {
          text: `This takes ${transactions.length} transactions. Choose less, or unstake whole accounts below.`,
          nearby: [],
        };
  const { errorCode, message, nearestBelowSol, nearestAboveSol } = refusal;
  const nearby = [nearestBelowSol, nearestAboveSol]
    .map((sol) => lamportsOf(sol ?? 0))
    .filter((lamports) => lamports > 0n);
  if (errorCode === 'NOTHING_TO_DO')
    return { text: 'That much is cooling down already. It can be withdrawn when the epoch ends.', nearby };
  if (errorCode !== 'AMOUNT_NOT_REACHABLE') return { text: message, nearby };
  return {
    text:
      (nearestAboveSol ?? null) === null
        ? 'That is more than there is.'
        : 'This exact amount is not possible. What leaves and what stays must each be whole accounts or at least the minimum stake.',
    nearby,
  };
};

// Explains why an amount cannot be unstaked, and the nearest possible amounts.
import type { PreviewUnstakeAnswer } from '../../../../../client/generated/transactions-operations.ts';
import { lamportsOf } from '../../../text/format-figures.ts';
import { errorText } from '../../../text/service-text.ts';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioChangesEnglish } from '../../../words/en/portfolio/changes.ts';

const { say } = defineWords('portfolioChanges', portfolioChangesEnglish);

/** A problem. `nearby` contains possible amounts in lamports, smallest first. */
interface PlanProblem {
  readonly text: string;
  readonly nearby: readonly bigint[];
}

/** Returns null if the plan can be signed. */
export const planProblem = ({
  asked,
  refusal,
}: Pick<PreviewUnstakeAnswer, 'asked' | 'refusal'>): PlanProblem | null => {
  if (refusal === null) return null;
  const nearby = [asked?.nearestBelowSol, asked?.nearestAboveSol]
    .map((sol) => lamportsOf(sol ?? 0))
    .filter((lamports) => lamports > 0n && lamports !== lamportsOf(asked?.amountSol ?? 0));
  if (refusal.errorCode !== 'AMOUNT_NOT_REACHABLE' || refusal.params?.excludedSol !== undefined)
    return { text: errorText(refusal, refusal.message), nearby };
  return {
    text:
      (asked?.nearestAboveSol ?? null) === null
        ? say('moreThanStaked')
        : say('notReachable', { minimum: refusal.params?.minimumDelegationSol ?? 1 }),
    nearby,
  };
};

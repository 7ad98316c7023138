// Describes an annual yield: whether it includes tips, and its average per day.
import { defineWords } from '../words/define-words.ts';
import { figuresEnglish } from '../words/en/figures.ts';
import { percent } from './format-figures.ts';

const { say } = defineWords('figures', figuresEnglish);

/** An annual yield and its tips in percent. */
interface YearlyYield {
  readonly jitoMevApy: number | null;
  readonly totalApy: number | null;
  readonly atLeastApy: number | null;
}

/** Returns the percentage to show, including tips if they are known. */
export const shownApy = ({
  totalApy,
  atLeastApy,
}: Pick<YearlyYield, 'totalApy' | 'atLeastApy'>): number | null => totalApy ?? atLeastApy;

/** Says whether the percentage includes tips. Undefined if the yield is unknown. */
export const yieldContents = (apy: YearlyYield): string | undefined =>
  shownApy(apy) === null
    ? undefined
    : apy.totalApy === null || apy.jitoMevApy === null
      ? say('yieldWithoutTips')
      : say('yieldWithTips', { tips: percent(apy.jitoMevApy) });

/**
 * Computes the average reward per day of a year at exactly this yield: `sol` × `apy` ÷ 365. Null if the yield is
 * unknown.
 */
export const dailyAverageSol = (sol: number, apy: number | null): number | null =>
  apy === null ? null : Math.floor(((sol * apy) / 36_500) * 1e9) / 1e9;

// Facts that the transactions do not show. The user decides about them in the review.
import type { EffectsCheck } from '../../../src/domain/transaction/check-effects.ts';
import { foreignText } from '../text/foreign-text.ts';
import { shortAddress, solText } from '../text/format-figures.ts';

/** One sentence about one account or all accounts. */
interface ReviewNote {
  readonly account: string | null;
  readonly text: string;
}

/** One sentence for each account with a fact that the bytes do not show. */
export const reviewNotes = (
  { unknowns, effects: { fullyDelegated, atRiskLamports } }: EffectsCheck,
  voteAccount: string,
): readonly ReviewNote[] => [
  ...unknowns.map(({ account, text }) => ({ account, text: foreignText(text) })),
  ...fullyDelegated
    .filter((account) => !unknowns.some((one) => one.account === account && one.fact === 'staked-amount'))
    .map((account) => ({ account, text: `All of it will be delegated to ${shortAddress(voteAccount)}.` })),
  ...(atRiskLamports > 0n && !unknowns.some(({ fact }) => fact === 'rent-at-risk')
    ? [
        {
          account: null,
          text: `At most ${solText(atRiskLamports)} SOL of it is lost if somebody else can withdraw or lock the account that is divided.`,
        },
      ]
    : []),
];

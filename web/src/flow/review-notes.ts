// The facts that the transactions themselves do not show: the person who reads the review decides about them.
import type { EffectsCheck } from '../../../src/domain/transaction/check-effects.ts';
import { foreignText } from '../text/foreign-text.ts';
import { shortAddress, solText } from '../text/format-figures.ts';

/** One sentence about an account, or about all of them. */
interface ReviewNote {
  readonly account: string | null;
  readonly text: string;
}

/** Every account with a fact that the bytes do not show, each with one sentence. */
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

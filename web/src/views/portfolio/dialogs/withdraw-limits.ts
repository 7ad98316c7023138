// Computes the amounts that can be withdrawn now, to the lamport: everything or a part, with reasons.
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { lamportsOf, solText } from '../../../text/format-figures.ts';
import { type ReadSol, readSol } from '../../../text/read-sol.ts';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioChangesEnglish } from '../../../words/en/portfolio/changes.ts';

const { say } = defineWords('portfolioChanges', portfolioChangesEnglish);

/** Limits of one account, in lamports. */
interface WithdrawLimits {
  /** Maximum to withdraw while the account stays open. */
  readonly mostPartLamports: bigint;
  /** The full balance, whose withdrawal closes the account; null while anything is staked or locked. */
  readonly allLamports: bigint | null;
  readonly rentLamports: bigint;
}

type WithdrawableAccount = Pick<
  StakeAccount,
  'lamports' | 'withdrawReady' | 'partialWithdrawMaxSol' | 'rentReserveSol'
>;

/** Returns the account's limits as reported by the service. */
export const withdrawLimits = (account: WithdrawableAccount): WithdrawLimits => ({
  mostPartLamports: lamportsOf(account.partialWithdrawMaxSol),
  allLamports: account.withdrawReady ? BigInt(account.lamports) : null,
  rentLamports: lamportsOf(account.rentReserveSol),
});

/** Parses a typed part; `problem` explains why it cannot be withdrawn. */
export const readPart = (
  text: string,
  { mostPartLamports, allLamports, rentLamports }: WithdrawLimits,
): ReadSol => {
  const read = readSol(text);
  const { lamports } = read;
  if (lamports === null) return read;
  const wrong = (problem: string) => ({ lamports: null, problem });
  if (lamports === 0n) return wrong(say('moreThanZero'));
  if (lamports <= mostPartLamports) return { lamports, problem: null };
  if (allLamports === null) return wrong(say('onlyNotStaked', { amount: solText(mostPartLamports) }));
  return wrong(
    lamports > allLamports
      ? say('accountHolds', { amount: solText(allLamports) })
      : say('rentKeepsOpen', { amount: solText(mostPartLamports), rent: solText(rentLamports) }),
  );
};

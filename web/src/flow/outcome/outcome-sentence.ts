// Describes the outcome of a transaction without a plan in one sentence.
import type { StakeAccount } from '../../../../client/generated/stake-operations.ts';
import type { TransactionRecord } from '../../../../client/staking/pending-transaction.ts';
import { boundaryTime, type EpochBoundary, lamportsOf, solText } from '../../text/format-figures.ts';
import { defineWords } from '../../words/define-words.ts';
import { outcomeEnglish } from '../../words/en/flow/outcome.ts';

const { say } = defineWords('outcome', outcomeEnglish);

interface OutcomeFacts {
  /** Amount in the bytes; null if they contain none. */
  readonly lamports: bigint | null;
  /** The affected account as last read; null if unknown. */
  readonly account: Pick<
    StakeAccount,
    'state' | 'activeSol' | 'deactivatingSol' | 'rentReserveSol' | 'lamports'
  > | null;
  readonly boundary: EpochBoundary | null;
}

/** Returns null if the amount is unknown. */
export const outcomeSentence = (
  {
    kind,
    change,
    amountLamports,
  }: Pick<TransactionRecord, 'kind' | 'change'> & Partial<Pick<TransactionRecord, 'amountLamports'>>,
  { lamports, account, boundary }: OutcomeFacts,
  nowMs: number,
): string | null => {
  const time = boundary === null ? say('nextEpoch') : boundaryTime(boundary, nowMs);
  const moved = lamports === null ? null : solText(lamports);
  if (change?.goal === 'undo' && amountLamports !== undefined)
    return say('staysStaked', { amount: solText(BigInt(amountLamports)) });
  if (change?.goal === 'undo')
    return account === null
      ? null
      : say('staysStaked', { amount: solText(lamportsOf(account.deactivatingSol)) });
  switch (kind) {
    case 'stake':
      return moved === null ? null : say('stakedFrom', { amount: moved, time });
    case 'withdraw':
      return moved === null ? null : say('youGet', { amount: moved });
    case 'restake':
      // Everything except the rent is delegated.
      return account === null
        ? null
        : say('restakedFrom', {
            amount: solText(BigInt(account.lamports) - lamportsOf(account.rentReserveSol)),
            time,
          });
    case 'unstake': {
      if (account === null) return null;
      const amount = solText(BigInt(account.lamports));
      return account.state === 'activating' && account.activeSol === 0
        ? say('withdrawAtOnce', { amount })
        : say('withdrawFrom', { amount, time });
    }
    case 'rearrange':
      return null;
  }
};

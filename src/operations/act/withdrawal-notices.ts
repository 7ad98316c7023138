// Warns about withdrawals whose fees use up the amount returned.
import { solFigure } from '../../domain/lamports.ts';
import { type Notice, notice } from '../../domain/notice.ts';

/** Creates the notice for a withdrawal that returns no more than its fees, in lamports. */
export const withdrawalNotices = (returnedLamports: bigint, feesLamports: bigint): readonly Notice[] =>
  returnedLamports > feesLamports
    ? []
    : [
        notice(
          'COSTS_MORE_THAN_IT_RETURNS',
          'This costs {feesSol} SOL in fees and returns {returnedSol} SOL.',
          { feesSol: solFigure(feesLamports), returnedSol: solFigure(returnedLamports) },
        ),
      ];

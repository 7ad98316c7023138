// The error for a stake whose idempotency key has already made one.
import { solFigure } from '../../domain/lamports.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { EarlierStake } from './find-earlier-stake.ts';

/** Creates the error, which says whether the earlier stake has the requested amount. */
export const alreadyStaked = (
  request: { readonly key: string; readonly lamports: bigint },
  { signature, lamports, stakeAccount }: Omit<EarlierStake, 'slot' | 'wireBytes'>,
): AppError => {
  const body = { stakeAccountAddress: stakeAccount, signature };
  const stakedSol = solFigure(lamports);
  if (lamports !== request.lamports)
    return new AppError(
      'STAKE_ADDRESS_OCCUPIED',
      'The idempotency key {idempotencyKey} was used for a stake of {stakedSol} SOL (transaction {signature}). Nothing was done for the {amountSol} SOL requested now.',
      {
        reason: 'OTHER_AMOUNT_STAKED',
        params: {
          idempotencyKey: request.key,
          stakedSol,
          signature,
          amountSol: solFigure(request.lamports),
        },
        suggestedAction:
          'Use a new idempotency key only if you want a stake of {amountSol} SOL in addition to the {stakedSol} SOL.',
        body,
      },
    );
  return new AppError(
    'STAKE_ADDRESS_OCCUPIED',
    'This stake of {stakedSol} SOL is already done: transaction {signature} created it under this idempotency key.',
    {
      reason: 'STAKE_DONE',
      params: { stakedSol, signature },
      suggestedAction: 'Do not repeat it. Use a new idempotency key only for a different stake.',
      body,
    },
  );
};

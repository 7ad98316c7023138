// Builds an unsigned withdrawal of exactly what the Stake program will let go of.
import { z } from 'zod';
import { formatSol } from '../../domain/lamports.ts';
import { idempotencyKeyFor } from '../act/idempotency-key.ts';
import { unsignedAnswer, unsignedTransactionSchema } from '../act/unsigned-answer.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema, idempotencyKeySchema, transactionVersionSchema } from '../schemas.ts';
import { withdrawAmount, withdrawErrors } from './withdraw-input.ts';
import { planWithdraw } from './withdraw-plan.ts';

/** `POST /api/v1/withdraw/transaction` */
export const createWithdrawTransaction = defineOperation({
  name: 'createWithdrawTransaction',
  summary: 'Build an unsigned withdraw transaction',
  description:
    'Builds a transaction that returns SOL from a stake account to the wallet. Without amountSol it withdraws the full balance, which closes the account. Sign it with the withdraw authority and submit it.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The withdraw authority; it pays the fee and receives the SOL.'),
    stakeAccountAddress: addressSchema('The stake account to withdraw from.'),
    amountSol: withdrawAmount,
    transactionVersion: transactionVersionSchema,
    idempotencyKey: idempotencyKeySchema,
  }),
  output: unsignedTransactionSchema,
  errors: [...withdrawErrors, 'UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, signal }) {
    const request = {
      wallet: input.walletAddress,
      stakeAccount: input.stakeAccountAddress,
      lamports: input.amountSol ?? null,
      transactionVersion: input.transactionVersion,
    };
    const { built, facts, lamports, warnings } = await planWithdraw(ctx, request, signal);
    return unsignedAnswer(ctx, built, facts, {
      message: `Withdraws ${formatSol(lamports)} SOL from ${request.stakeAccount} to ${request.wallet}. Sign it with the wallet and submit it.`,
      stakeAccountAddress: request.stakeAccount,
      idempotencyKey: idempotencyKeyFor(input.idempotencyKey).key,
      warnings,
    });
  },
});

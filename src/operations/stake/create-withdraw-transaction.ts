// Builds an unsigned withdrawal of exactly what the Stake program will let go of.
import { z } from 'zod';
import { formatSol } from '../../domain/lamports.ts';
import { validationError } from '../../kernel/app-error.ts';
import { idempotencyKeyFor } from '../act/idempotency-key.ts';
import { unsignedAnswer } from '../act/unsigned-answer.ts';
import { defineOperation } from '../operation.ts';
import { plannedTransaction, plannedTransactionSchema } from '../plan/plan-view.ts';
import { addressSchema, idempotencyKeySchema, transactionVersionSchema } from '../shared-schemas.ts';
import { prepareWithdraw } from './prepare-withdraw.ts';
import { withdrawAmount, withdrawErrors } from './withdraw-input.ts';

/** `POST /api/v1/withdraw/transaction` */
export const createWithdrawTransaction = defineOperation({
  name: 'createWithdrawTransaction',
  summary: 'Build an unsigned withdraw transaction',
  description:
    'Builds a transaction that returns SOL from a stake account to the wallet. Without amountSol it withdraws the full balance, which closes the account; with all it does that for every account that has cooled down. Sign it with the withdraw authority and submit it.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The withdraw authority; it pays the fee and receives the SOL.'),
    stakeAccountAddress: addressSchema(
      'The stake account to withdraw from. Required without all.',
    ).optional(),
    amountSol: withdrawAmount,
    all: z.literal(true).optional().meta({
      description: 'Instead of an account: everything that has cooled down, each account closed.',
    }),
    transactionVersion: transactionVersionSchema,
    idempotencyKey: idempotencyKeySchema,
  }),
  output: plannedTransactionSchema,
  errors: [
    ...withdrawErrors,
    'NOTHING_TO_DO',
    'PLAN_NEEDS_SEVERAL',
    'STAKE_ACCOUNT_ADDRESS_PROVIDED',
    'UPSTREAM_UNAVAILABLE',
  ],
  async run({ ctx, input, signal }) {
    const { walletAddress: wallet, stakeAccountAddress: stakeAccount } = input;
    if (input.all === true && (stakeAccount !== undefined || input.amountSol != null))
      throw validationError([
        {
          path: 'all',
          code: 'custom',
          message: 'must not be given together with stakeAccountAddress or amountSol',
        },
      ]);
    if (input.all === true)
      return plannedTransaction(
        ctx,
        {
          ...{ wallet, goal: 'withdraw-all' },
          transactionVersion: input.transactionVersion,
          idempotencyKey: input.idempotencyKey,
        },
        `Withdraws everything that has cooled down to ${wallet}.`,
        signal,
      );
    if (stakeAccount === undefined)
      throw validationError([
        { path: 'stakeAccountAddress', code: 'invalid_type', message: 'is required without all' },
      ]);
    const request = {
      wallet,
      stakeAccount,
      lamports: input.amountSol ?? null,
      transactionVersion: input.transactionVersion,
    };
    const { built, facts, lamports, warnings } = await prepareWithdraw(ctx, request, signal);
    return unsignedAnswer(ctx, built, facts, {
      message: `Withdraws ${formatSol(lamports)} SOL from ${request.stakeAccount} to ${request.wallet}. Sign it with the wallet and submit it.`,
      stakeAccountAddress: request.stakeAccount,
      idempotencyKey: idempotencyKeyFor(input.idempotencyKey).key,
      warnings,
    });
  },
});

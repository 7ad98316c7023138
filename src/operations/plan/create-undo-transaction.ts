// Builds an unsigned transaction that reverses deactivations of this epoch before the boundary makes them final.
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import {
  addressSchema,
  idempotencyKeySchema,
  solAmount,
  transactionVersionSchema,
} from '../shared-schemas.ts';
import { planErrors } from './plan-refusals.ts';
import { plannedTransaction, plannedTransactionSchema } from './plan-view.ts';
import { planBuildErrors } from './prepare-plan.ts';

/** `POST /api/v1/unstake/undo/transaction` */
export const createUndoTransaction = defineOperation({
  name: 'createUndoTransaction',
  summary: 'Build an unsigned transaction that undoes an unstake',
  description:
    'Builds a transaction that keeps stake which was deactivated in this epoch staked, without losing a reward: one account, exactly amountSol of what is cooling down, or all of it. It is possible until the epoch ends; close to the boundary nothing is built, because the same bytes would stake anew behind it. Sign it with the wallet and submit it at once.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The wallet; it pays, and both authorities of the accounts are its own.'),
    stakeAccountAddress: addressSchema(
      'The account that is to stay staked. Default: all that can.',
    ).optional(),
    amountSol: solAmount('Exactly this much stake stays, SOL. Default: all of it.').optional(),
    transactionVersion: transactionVersionSchema,
    idempotencyKey: idempotencyKeySchema,
  }),
  output: plannedTransactionSchema,
  errors: [...planErrors, 'PLAN_NEEDS_SEVERAL', ...planBuildErrors],
  run: ({ ctx, input, signal }) =>
    plannedTransaction(
      ctx,
      {
        wallet: input.walletAddress,
        goal: 'undo',
        lamports: input.amountSol,
        accounts: input.stakeAccountAddress === undefined ? undefined : [input.stakeAccountAddress],
        transactionVersion: input.transactionVersion,
        idempotencyKey: input.idempotencyKey,
      },
      'Keeps staked what was deactivated in this epoch.',
      signal,
    ),
});

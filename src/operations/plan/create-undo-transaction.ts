// Builds an unsigned transaction that reverses this epoch's deactivations before the boundary makes them final.
import { z } from 'zod';
import { sentence } from '../../kernel/sentence.ts';
import { prioritySchema } from '../act/priority.ts';
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
    'Builds a transaction that keeps stake deactivated in this epoch staked, without losing a reward: one account, exactly `amountSol` of the deactivating stake, or all of it. Possible until the epoch ends; close to the boundary nothing is built, because after it the same bytes would restart activation. Sign it with the wallet and submit it at once.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The wallet; it pays, and both authorities of the accounts are its own.'),
    stakeAccountAddress: addressSchema('The account to keep staked. Default: all that can be.').optional(),
    amountSol: solAmount('Exactly this much stake stays, SOL. Default: all of it.').optional(),
    transactionVersion: transactionVersionSchema,
    priority: prioritySchema,
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
        priority: input.priority,
        idempotencyKey: input.idempotencyKey,
      },
      sentence('KEEPS_STAKED', 'Keeps stake that was deactivated in this epoch staked.'),
      signal,
    ),
});

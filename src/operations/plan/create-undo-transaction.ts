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
    'Builds a transaction that keeps stake staked that was deactivated in this epoch, without losing rewards: one account, exactly `amountSol` of the deactivating stake, or all of it. Possible until the epoch ends. Close to the boundary nothing is built, because the same bytes would restart activation after it. Sign it with the wallet and submit it at once.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The wallet that pays and holds both authorities of the accounts.'),
    stakeAccountAddress: addressSchema(
      'The account to keep staked. Default: all that are possible.',
    ).optional(),
    amountSol: solAmount('Exact amount to keep staked, SOL. Default: all of it.').optional(),
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

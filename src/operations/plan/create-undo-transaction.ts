// Builds an unsigned transaction that reverses deactivations of this epoch before the boundary makes them
// final.
import { z } from 'zod';
import { sentence } from '../../kernel/sentence.ts';
import { addressingMember, ownerMember } from '../act/build-options.ts';
import { prioritySchema } from '../act/choose-priority-fee.ts';
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
    'Builds a transaction that cancels deactivations of this epoch without losing rewards: of one account, of exactly `amountSol` of the deactivating stake, or of all of it. Possible until the epoch ends. Refused close to the boundary, because the same transaction would restart activation after it. Sign it with the wallet and submit it immediately.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The wallet that pays and holds both authorities of the accounts.'),
    stakeAccountAddress: addressSchema('The account to keep staked. Default: every possible one.').optional(),
    amountSol: solAmount('Exact amount to keep staked, SOL. Default: all of it.').optional(),
    ...ownerMember,
    ...addressingMember,
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
        owner: input.owner,
        addressing: input.addressing,
        goal: 'undo',
        lamports: input.amountSol,
        accounts: input.stakeAccountAddress === undefined ? undefined : [input.stakeAccountAddress],
        transactionVersion: input.transactionVersion,
        priority: input.priority,
        idempotencyKey: input.idempotencyKey,
      },
      sentence('KEEPS_STAKED', 'Cancels the deactivation, so the stake stays active.'),
      signal,
    ),
});

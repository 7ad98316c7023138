// Builds an unsigned deactivation; the cool-down begins when the wallet's signature lands.
import { z } from 'zod';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { formatSol } from '../../domain/lamports.ts';
import { validationError } from '../../kernel/app-error.ts';
import { idempotencyKeyFor } from '../act/idempotency-key.ts';
import { unsignedAnswer } from '../act/unsigned-answer.ts';
import { defineOperation } from '../operation.ts';
import { plannedTransaction, plannedTransactionSchema } from '../plan/plan-view.ts';
import {
  addressSchema,
  idempotencyKeySchema,
  roundingSchema,
  solAmount,
  transactionVersionSchema,
  wantSchema,
} from '../shared-schemas.ts';
import { prepareUnstake } from './prepare-unstake.ts';

/** `POST /api/v1/unstake/transaction` */
export const createUnstakeTransaction = defineOperation({
  name: 'createUnstakeTransaction',
  summary: 'Build an unsigned unstake transaction',
  description:
    'Builds a transaction that deactivates a stake account. The stake earns the reward of this epoch, cools down and becomes withdrawable, usually at the next epoch boundary; one that was not active yet is withdrawable at once; epochTiming says when that is expected. With amountSol instead, exactly that amount is taken out of the accounts of the wallet: whole ones where they fit, otherwise a part is moved or split off, in the same transaction; plan shows every account before and after. Sign it with the stake authority and submit it.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The stake authority; it also pays the fee.'),
    stakeAccountAddress: addressSchema(
      'The stake account to deactivate; with amountSol the only one to take it from. Required without amountSol.',
    ).optional(),
    amountSol: solAmount(
      'Unstake exactly this much, SOL, out of whichever accounts that takes. Default: the whole account.',
    ).optional(),
    rounding: roundingSchema,
    want: wantSchema,
    transactionVersion: transactionVersionSchema,
    idempotencyKey: idempotencyKeySchema,
  }),
  output: plannedTransactionSchema,
  errors: [
    'AMOUNT_NOT_REACHABLE',
    'PLAN_NEEDS_SEVERAL',
    'NOTHING_TO_DO',
    'STAKE_ACCOUNT_ADDRESS_PROVIDED',
    'NOT_A_STAKE_ACCOUNT',
    'AUTHORITY_MISMATCH',
    'STAKE_NOT_DELEGATED',
    'STAKE_ALREADY_DEACTIVATED',
    'EPOCH_REWARDS_ACTIVE',
    'INSUFFICIENT_BALANCE',
    'WALLET_CANNOT_PAY',
    'UPSTREAM_UNAVAILABLE',
  ],
  async run({ ctx, input, signal }) {
    const { walletAddress, stakeAccountAddress, amountSol } = input;
    if (amountSol !== undefined)
      return plannedTransaction(
        ctx,
        {
          ...{ wallet: walletAddress, goal: input.want, lamports: amountSol, rounding: input.rounding },
          accounts: stakeAccountAddress === undefined ? undefined : [stakeAccountAddress],
          transactionVersion: input.transactionVersion,
          idempotencyKey: input.idempotencyKey,
        },
        `${input.want === 'cash' ? 'Brings' : 'Unstakes'} ${formatSol(amountSol)} SOL${input.want === 'cash' ? ' into the wallet' : ''}.`,
        signal,
      );
    if (stakeAccountAddress === undefined)
      throw validationError([
        { path: 'stakeAccountAddress', code: 'invalid_type', message: 'is required without amountSol' },
      ]);
    const request = {
      wallet: walletAddress,
      stakeAccount: stakeAccountAddress,
      transactionVersion: input.transactionVersion,
    };
    const { built, facts, coolsDown, warnings } = await prepareUnstake(ctx, request, signal);
    return unsignedAnswer(ctx, built, facts, {
      message: `Deactivates ${request.stakeAccount}. Sign it with ${request.wallet} and submit it; ${coolsDown ? 'withdraw once the cool-down is over' : 'nothing of it is active yet, so it can be withdrawn at once'}.`,
      stakeAccountAddress: request.stakeAccount,
      epochTiming: epochTiming(facts.position, ctx.clock.now()),
      idempotencyKey: idempotencyKeyFor(input.idempotencyKey).key,
      warnings,
    });
  },
});

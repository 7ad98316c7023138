// Builds an unsigned deactivation; the cool-down begins when the wallet's signature lands.
import { z } from 'zod';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { idempotencyKeyFor } from '../act/idempotency-key.ts';
import { unsignedAnswer, unsignedTransactionSchema } from '../act/unsigned-answer.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema, idempotencyKeySchema, transactionVersionSchema } from '../schemas.ts';
import { planUnstake } from './unstake-plan.ts';

/** `POST /api/v1/unstake/transaction` */
export const createUnstakeTransaction = defineOperation({
  name: 'createUnstakeTransaction',
  summary: 'Build an unsigned unstake transaction',
  description:
    'Builds a transaction that deactivates a stake account. The stake earns the reward of this epoch, cools down and becomes withdrawable, usually at the next epoch boundary; one that was not active yet is withdrawable at once; epochTiming says when that is expected. Sign it with the stake authority and submit it.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The stake authority; it also pays the fee.'),
    stakeAccountAddress: addressSchema('The stake account to deactivate.'),
    transactionVersion: transactionVersionSchema,
    idempotencyKey: idempotencyKeySchema,
  }),
  output: unsignedTransactionSchema,
  errors: [
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
    const request = {
      wallet: input.walletAddress,
      stakeAccount: input.stakeAccountAddress,
      transactionVersion: input.transactionVersion,
    };
    const { built, facts, coolsDown, warnings } = await planUnstake(ctx, request, signal);
    return unsignedAnswer(ctx, built, facts, {
      message: `Deactivates ${request.stakeAccount}. Sign it with ${request.wallet} and submit it; ${coolsDown ? 'withdraw once the cool-down is over' : 'nothing of it is active yet, so it can be withdrawn at once'}.`,
      stakeAccountAddress: request.stakeAccount,
      epochTiming: epochTiming(facts.position, ctx.clock.now()),
      idempotencyKey: idempotencyKeyFor(input.idempotencyKey).key,
      warnings,
    });
  },
});

// Builds an unsigned deactivation, which takes effect when the signed transaction lands.
import { z } from 'zod';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { formatSol } from '../../domain/lamports.ts';
import { sentence } from '../../kernel/sentence.ts';
import { buildOptionsOf, refuseFeePayer, sponsoredMembers } from '../act/build-options.ts';
import { idempotencyKeyFor } from '../act/generate-idempotency-key.ts';
import { unsignedAnswer } from '../act/unsigned-answer.ts';
import { defineOperation } from '../operation.ts';
import { plannedTransaction, plannedTransactionSchema } from '../plan/plan-view.ts';
import { addressSchema } from '../shared-schemas.ts';
import { prepareUnstake } from './prepare-unstake.ts';
import {
  requireUnstakeTarget,
  unstakeAmountErrors,
  unstakeEitherOf,
  unstakeInputShape,
  unstakeSentence,
} from './unstake-input.ts';

/** `POST /api/v1/unstake/transaction` */
export const createUnstakeTransaction = defineOperation({
  name: 'createUnstakeTransaction',
  summary: 'Build an unsigned unstake transaction',
  description:
    'Builds a transaction that deactivates a stake account. The stake earns the reward of this epoch and becomes withdrawable, usually at the next epoch boundary; a stake that was not active yet is withdrawable at once; `epochTiming` estimates the time. With `amountSol` instead, exactly that amount is taken out of the accounts of the wallet: whole accounts if they fit, otherwise a part is moved or split off in the same transaction; plan shows every account before and after. An idempotency key, passed here and to submit, takes its amount out only once; after that, nothing more is built with it. Sign it with the stake authority and submit it.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The stake authority; it also pays the fee.'),
    ...unstakeInputShape,
    ...sponsoredMembers,
  }),
  eitherOf: unstakeEitherOf,
  output: plannedTransactionSchema,
  errors: [
    ...unstakeAmountErrors,
    'NOT_A_STAKE_ACCOUNT',
    'AUTHORITY_MISMATCH',
    'STAKE_NOT_DELEGATED',
    'STAKE_ALREADY_DEACTIVATED',
    'EPOCH_REWARDS_ACTIVE',
    'INSUFFICIENT_BALANCE',
    'WALLET_CANNOT_PAY',
    'IDEMPOTENCY_KEY_REUSED',
    'STORE_UNAVAILABLE',
    'NONCE_UNUSABLE',
    'UPSTREAM_UNAVAILABLE',
  ],
  async run({ ctx, input, signal }) {
    const { walletAddress: wallet, idempotencyKey } = input;
    const options = buildOptionsOf(input);
    const what = requireUnstakeTarget(input);
    if (!('stakeAccount' in what)) {
      refuseFeePayer(input);
      return plannedTransaction(
        ctx,
        { ...what, ...options, wallet, idempotencyKey },
        ({ amountLamports }) => unstakeSentence(what.goal, formatSol(amountLamports ?? what.lamports)),
        signal,
      );
    }
    const request = { ...what, ...options, wallet };
    const { built, facts, coolsDown, notices } = await prepareUnstake(ctx, request, signal);
    return unsignedAnswer(ctx, built, facts, {
      message: sentence(
        coolsDown ? 'DEACTIVATES' : 'DEACTIVATES_NEVER_ACTIVE',
        `Deactivates {stakeAccountAddress}. Sign it with {walletAddress} and submit it; ${coolsDown ? 'withdraw once it is inactive' : 'none of it is active yet, so it can be withdrawn at once'}.`,
        { stakeAccountAddress: request.stakeAccount, walletAddress: wallet },
      ),
      stakeAccountAddress: request.stakeAccount,
      epochTiming: epochTiming(facts.position, ctx.clock.now()),
      idempotencyKey: idempotencyKeyFor(idempotencyKey).key,
      signRequest: { kind: 'unstake', walletAddress: wallet, stakeAccountAddress: request.stakeAccount },
      notices,
    });
  },
});

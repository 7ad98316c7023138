// Builds an unsigned deactivation, which takes effect when the signed transaction lands.
import { z } from 'zod';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { formatSol } from '../../domain/lamports.ts';
import { sentence } from '../../kernel/sentence.ts';
import {
  addressingMember,
  buildOptionsOf,
  membersWithFeePayer,
  ownerMember,
  refuseFeePayer,
} from '../act/build-options.ts';
import { idempotencyKeyFor } from '../act/generate-idempotency-key.ts';
import {
  signAndSubmit,
  unsignedMembers,
  unsignedResponse,
  unsignedTransactionSchema,
} from '../act/unsigned-response.ts';
import { defineOperation } from '../operation.ts';
import { optionalPlan, plannedTransaction } from '../plan/plan-view.ts';
import { refuseUsedKey } from '../plan/refuse-used-key.ts';
import { addressSchema } from '../shared-schemas.ts';
import { prepareUnstake } from './prepare-unstake.ts';
import {
  requireUnstakeTarget,
  unstakeAmountErrors,
  unstakeInputShape,
  unstakeRequiresOneOf,
  unstakeSentence,
} from './unstake-input.ts';

/** `POST /api/v1/unstake/transaction` */
export const createUnstakeTransaction = defineOperation({
  name: 'createUnstakeTransaction',
  summary: 'Build an unsigned unstake transaction',
  description:
    'Builds a transaction that deactivates a stake account. The stake earns the reward of this epoch and becomes withdrawable, usually at the next epoch boundary; a stake that was not active yet is withdrawable immediately; `epochTiming` estimates the time. With `amountSol` instead, exactly that amount is taken out of the accounts of the wallet: whole accounts if they fit, otherwise a part is moved or split off in the same transaction; plan shows every account before and after. An idempotency key, passed here and to submit, takes its amount out only once; after that, nothing more is built with it. Sign it with the stake authority and submit it. A key that is only the stake authority names the `owner`; new accounts then belong to the owner.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The stake authority. It also pays the fee unless `feePayer` is given.'),
    ...unstakeInputShape,
    ...ownerMember,
    ...addressingMember,
    ...membersWithFeePayer,
  }),
  eitherOf: unstakeRequiresOneOf,
  output: unsignedTransactionSchema.extend({
    stakeAccountAddress: unsignedMembers.stakeAccountAddress
      .optional()
      .meta({ description: 'The account that is deactivated. Omitted with amountSol.' }),
    epochTiming: unsignedMembers.epochTiming,
    plan: optionalPlan.meta({ description: 'Present with amountSol.' }),
  }),
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
    const { walletAddress: wallet, owner, idempotencyKey } = input;
    const options = buildOptionsOf(input);
    const what = requireUnstakeTarget(input);
    if (!('stakeAccount' in what)) {
      refuseFeePayer(input);
      return plannedTransaction(
        ctx,
        { ...what, ...options, wallet, owner, idempotencyKey, addressing: input.addressing },
        ({ amountLamports }) => unstakeSentence(what.goal, formatSol(amountLamports ?? what.lamports)),
        signal,
      );
    }
    await refuseUsedKey(ctx, { wallet }, idempotencyKey);
    const request = { ...what, ...options, wallet, owner };
    const { built, facts, coolsDown, outcome, notices } = await prepareUnstake(ctx, request, signal);
    return unsignedResponse(ctx, built, facts, {
      message: [
        sentence(
          coolsDown ? 'DEACTIVATES' : 'DEACTIVATES_NEVER_ACTIVE',
          coolsDown
            ? 'Deactivates {stakeAccountAddress}.'
            : 'Deactivates {stakeAccountAddress}, which was never active.',
          { stakeAccountAddress: request.stakeAccount },
        ),
        ...(outcome === null ? [] : [outcome]),
        signAndSubmit(wallet),
      ],
      members: {
        stakeAccountAddress: request.stakeAccount,
        epochTiming: epochTiming(facts.position, ctx.clock.now()),
      },
      idempotencyKey: idempotencyKeyFor(idempotencyKey).key,
      signRequest:
        owner === undefined
          ? { kind: 'unstake', walletAddress: wallet, stakeAccountAddress: request.stakeAccount }
          : null,
      notices,
    });
  },
});

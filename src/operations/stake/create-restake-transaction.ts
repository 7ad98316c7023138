// Builds an unsigned transaction that delegates an inactive stake account again.
import { z } from 'zod';
import { buildTransaction } from '../../chain/transactions/transaction.ts';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { solFigure, solNumber } from '../../domain/lamports.ts';
import { notice } from '../../domain/notice.ts';
import { checkRestake } from '../../domain/stake/restake-rules.ts';
import { sentence } from '../../kernel/sentence.ts';
import { buildOptionsOf, membersWithFeePayer, ownerMember } from '../act/build-options.ts';
import { idempotencyKeyFor } from '../act/generate-idempotency-key.ts';
import { boundaryNotices } from '../act/read-build-facts.ts';
import { unsignedMembers, unsignedResponse, unsignedTransactionSchema } from '../act/unsigned-response.ts';
import { defineOperation } from '../operation.ts';
import { refuseUsedKey } from '../plan/refuse-used-key.ts';
import { addressSchema } from '../shared-schemas.ts';
import { prepareOnAccount } from './prepare-on-account.ts';

/** `POST /api/v1/restake/transaction` */
export const createRestakeTransaction = defineOperation({
  name: 'createRestakeTransaction',
  summary: 'Build an unsigned restake transaction',
  description:
    'Builds a transaction that delegates an inactive stake account to the validator again, with its whole balance beyond rent, including rewards and tips. It becomes active at the next epoch boundary at the earliest. The account may have been delegated to another validator before. Sign it with the stake authority and submit it.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The stake authority; it also pays the fee.'),
    stakeAccountAddress: addressSchema('The inactive stake account to delegate again.'),
    ...ownerMember,
    ...membersWithFeePayer,
  }),
  output: unsignedTransactionSchema.extend({
    stakeAccountAddress: unsignedMembers.stakeAccountAddress,
    delegatedSol: unsignedMembers.delegatedSol,
    epochTiming: unsignedMembers.epochTiming,
  }),
  errors: [
    'NOT_A_STAKE_ACCOUNT',
    'AUTHORITY_MISMATCH',
    'STAKE_NOT_INACTIVE',
    'BELOW_MINIMUM_STAKE',
    'EPOCH_REWARDS_ACTIVE',
    'INSUFFICIENT_BALANCE',
    'WALLET_CANNOT_PAY',
    'IDEMPOTENCY_KEY_REUSED',
    'NONCE_UNUSABLE',
    'UPSTREAM_UNAVAILABLE',
  ],
  async run({ ctx, input, signal }) {
    const { walletAddress: wallet, stakeAccountAddress: stakeAccount, owner } = input;
    await refuseUsedKey(ctx, { wallet }, input.idempotencyKey);
    const { voteAccount } = ctx.service.settings;
    const {
      stake,
      built,
      facts,
      allowed: lamports,
    } = await prepareOnAccount(
      ctx,
      { wallet, stakeAccount, owner, ...buildOptionsOf(input) },
      {
        check: ({ stake, assessment, facts }) => checkRestake(stake, assessment, { wallet, ...facts.limits }),
        build: (parts) => buildTransaction.restake({ ...parts, voteAccount }),
      },
      signal,
    );
    const before = stake.delegation?.voteAccount ?? voteAccount;
    return unsignedResponse(ctx, built, facts, {
      message: sentence(
        'DELEGATES_AGAIN',
        'Delegates {amountSol} SOL in {stakeAccountAddress} to the validator again. Sign it with {walletAddress} and submit it; it becomes active at the next epoch boundary at the earliest.',
        { amountSol: solFigure(lamports), stakeAccountAddress: stakeAccount, walletAddress: wallet },
      ),
      members: {
        stakeAccountAddress: stakeAccount,
        delegatedSol: solNumber(lamports),
        epochTiming: epochTiming(facts.position, ctx.clock.now()),
      },
      amountLamports: lamports,
      idempotencyKey: idempotencyKeyFor(input.idempotencyKey).key,
      signRequest:
        owner === undefined
          ? { kind: 'restake', walletAddress: wallet, stakeAccountAddress: stakeAccount }
          : null,
      notices: [
        ...ctx.validator.status.notices(),
        ...boundaryNotices(facts.position),
        ...(before === voteAccount
          ? []
          : [
              notice('OTHER_VALIDATOR', 'It was previously delegated to another validator ({voteAccount}).', {
                voteAccount: before,
              }),
            ]),
        ...(stake.withdrawAuthority === wallet
          ? []
          : [
              notice(
                'FOREIGN_WITHDRAW_AUTHORITY',
                'Only {withdrawAuthority} can withdraw from this account.',
                { withdrawAuthority: stake.withdrawAuthority },
              ),
            ]),
      ],
    });
  },
});

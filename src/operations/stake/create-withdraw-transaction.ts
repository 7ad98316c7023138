// Builds an unsigned withdrawal of exactly the amount that the Stake program allows.
import { z } from 'zod';
import { solFigure } from '../../domain/lamports.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { shortAddress } from '../../domain/short-address.ts';
import { type Sentence, sentence } from '../../kernel/sentence.ts';
import { buildOptionsOf, membersWithFeePayer, refuseFeePayer } from '../act/build-options.ts';
import { idempotencyKeyFor } from '../act/generate-idempotency-key.ts';
import { unsignedMembers, unsignedResponse, unsignedTransactionSchema } from '../act/unsigned-response.ts';
import { defineOperation } from '../operation.ts';
import { optionalPlan, plannedTransaction } from '../plan/plan-view.ts';
import { refuseUsedKey } from '../plan/refuse-used-key.ts';
import { addressSchema } from '../shared-schemas.ts';
import { prepareWithdraw } from './prepare-withdraw.ts';
import {
  requireWithdrawTarget,
  withdrawAllErrors,
  withdrawErrors,
  withdrawInputShape,
  withdrawRequiresOneOf,
} from './withdraw-input.ts';

/** `POST /api/v1/withdraw/transaction` */
export const createWithdrawTransaction = defineOperation({
  name: 'createWithdrawTransaction',
  summary: 'Build an unsigned withdraw transaction',
  description:
    'Builds a transaction that returns SOL from a stake account to the wallet. Without `amountSol` it withdraws the full balance, which closes the account; with all it does that for every inactive account. Sign it with the withdraw authority and submit it.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The withdraw authority; it pays the fee and receives the SOL.'),
    ...withdrawInputShape,
    ...membersWithFeePayer,
  }),
  eitherOf: withdrawRequiresOneOf,
  output: unsignedTransactionSchema.extend({
    stakeAccountAddress: unsignedMembers.stakeAccountAddress
      .optional()
      .meta({ description: 'The account that is withdrawn from. Omitted with all.' }),
    epochTiming: unsignedMembers.epochTiming.optional(),
    plan: optionalPlan.meta({ description: 'Present with all.' }),
  }),
  errors: [
    ...withdrawErrors,
    ...withdrawAllErrors,
    'IDEMPOTENCY_KEY_REUSED',
    'STORE_UNAVAILABLE',
    'NONCE_UNUSABLE',
    'UPSTREAM_UNAVAILABLE',
  ],
  async run({ ctx, input, signal }) {
    const { walletAddress: wallet, idempotencyKey } = input;
    const options = buildOptionsOf(input);
    const what = requireWithdrawTarget(input);
    if (what === 'all') {
      refuseFeePayer(input);
      return plannedTransaction(
        ctx,
        { wallet, goal: 'withdraw-all', ...options, idempotencyKey },
        (plan) => withdrawsAll(plan, wallet),
        signal,
      );
    }
    await refuseUsedKey(ctx, { wallet, lamports: what.lamports ?? undefined }, idempotencyKey);
    const request = { ...what, ...options, wallet };
    const { built, facts, lamports, notices } = await prepareWithdraw(ctx, request, signal);
    return unsignedResponse(ctx, built, facts, {
      message: sentence(
        'WITHDRAWS',
        'Withdraws {amountSol} SOL from {stakeAccountAddress} to {walletAddress}. Sign it with the wallet and submit it.',
        {
          amountSol: solFigure(lamports),
          stakeAccountAddress: request.stakeAccount,
          walletAddress: wallet,
        },
      ),
      members: { stakeAccountAddress: request.stakeAccount },
      amountLamports: lamports,
      idempotencyKey: idempotencyKeyFor(idempotencyKey).key,
      signRequest: {
        kind: 'withdraw',
        walletAddress: wallet,
        stakeAccountAddress: request.stakeAccount,
        amountLamports: input.amountSol ?? undefined,
      },
      notices,
    });
  },
});

/** Maximum number of account addresses listed in the sentence. */
const MAX_NAMED = 3;

const withdrawsAll = (
  { accountsBefore, accountsAfter }: Pick<Plan, 'accountsBefore' | 'accountsAfter'>,
  walletAddress: string,
): Sentence => {
  const kept = new Set(accountsAfter.filter((one) => one.lamports > 0n).map(({ address }) => address));
  const emptied = accountsBefore.filter(({ address, lamports }) => lamports > 0n && !kept.has(address));
  const names =
    emptied.length > MAX_NAMED ? '' : ` (${emptied.map((one) => shortAddress(one.address)).join(', ')})`;
  return sentence(
    'WITHDRAWS_ALL',
    'Withdraws {amountSol} SOL to {walletAddress}: the full balance of {accounts}.',
    {
      amountSol: solFigure(emptied.reduce((sum, { lamports }) => sum + lamports, 0n)),
      walletAddress,
      accounts: `${emptied.length} inactive ${emptied.length === 1 ? 'account' : 'accounts'}${names}`,
    },
  );
};

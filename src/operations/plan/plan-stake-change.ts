// Plans any change of a wallet's stake. Returns whether it is possible, every account before and after, and
// the unsigned transactions.
import { z } from 'zod';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { goalNames, planGoals } from '../../domain/plan/plan-goals.ts';
import { isAppError, validationError } from '../../kernel/app-error.ts';
import { builderMembers, buildOptionsOf } from '../act/build-options.ts';
import { idempotencyKeyFor } from '../act/generate-idempotency-key.ts';
import { priorityNotices } from '../act/priority.ts';
import {
  nonceNotices,
  signUrlOf,
  signUrlSchema,
  unsignedAnswer,
  unsignedTransactionSchema,
} from '../act/unsigned-answer.ts';
import { walletNotices } from '../act/wallet-notices.ts';
import { noticesBody, noticesMembers } from '../notices.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema, epochTimingSchema, roundingSchema, solAmount } from '../shared-schemas.ts';
import { planErrors } from './plan-refusals.ts';
import { signRequestOf } from './plan-request.ts';
import { onlyTransaction, planRefusalSchema, planRefusalView, planSchema, planView } from './plan-view.ts';
import { planBuildErrors, preparePlan } from './prepare-plan.ts';
import { MAX_PLAN_ACCOUNTS } from './read-plan-world.ts';
import { refuseRepeatedAmount } from './refuse-repeated-amount.ts';

/** `POST /api/v1/plan` */
export const planStakeChange = defineOperation({
  name: 'planStakeChange',
  summary: 'Plan a change of stake',
  description: `Plans a change of a wallet's stake across all its accounts with this validator, and builds the unsigned transactions, nearly always one. Goals: ${goalNames.map((goal) => `\`${goal}\` (${planGoals[goal].description})`).join(' ')} For an impossible change, returns feasible false, the reason, and the nearest possible amounts. Nothing is stored: after a transaction has landed, call it again to plan the rest. Each idempotency key takes an amount only once, so use a new key for the rest of an amount. Sign each with the wallet and submit them in order.`,
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The wallet that pays and owns the accounts.'),
    goal: z.enum(goalNames).meta({ description: 'Goal of the change.' }),
    amountSol: solAmount(
      "SOL; for unstake, withdraw-amount (the total that arrives), top-up, a partial undo, or the wallet's part of a sweep.",
    ).optional(),
    rounding: roundingSchema,
    to: z.enum(['wallet', 'stake', 'activating']).optional().meta({
      description: 'Destination of a sweep: the wallet (default), a new stake, or an activating one.',
    }),
    stakeAccountAddresses: z
      .array(addressSchema('A stake account of the wallet.'))
      .min(1)
      .max(MAX_PLAN_ACCOUNTS)
      .optional()
      .meta({ description: 'Use only these accounts. Default: all with this validator.' }),
    ...builderMembers,
  }),
  output: z.object({
    walletAddress: z.string(),
    goal: z.enum(goalNames),
    feasible: z.boolean(),
    refusal: planRefusalSchema.nullable().meta({ description: 'Why it is not feasible; null if it is.' }),
    plan: planSchema.nullable(),
    transactions: z
      .array(
        unsignedTransactionSchema
          .pick({
            transaction: true,
            transactionVersion: true,
            blockhash: true,
            lastValidBlockHeight: true,
            estimatedExpiresAt: true,
            nonceAccount: true,
            networkFeeSol: true,
            priorityFee: true,
            requiredSigners: true,
            instructions: true,
          })
          .meta({ id: 'PlannedTransaction' }),
      )
      .meta({ description: 'In order; submit each once the previous one has landed.' }),
    epochTiming: epochTimingSchema.optional(),
    idempotencyKey: z.string(),
    signUrl: signUrlSchema,
    ...noticesMembers,
  }),
  errors: planBuildErrors,
  async run({ ctx, input, signal }) {
    const { walletAddress, goal } = input;
    if (goal === 'undo' && input.nonce !== undefined)
      throw validationError([
        {
          path: 'nonce',
          code: 'not_for_undo',
          message: 'must be omitted, because an undo must land in this epoch',
        },
      ]);
    await refuseRepeatedAmount(
      ctx,
      { wallet: walletAddress, lamports: input.amountSol },
      input.idempotencyKey,
    );
    const { key, callers } = idempotencyKeyFor(input.idempotencyKey);
    const request = {
      wallet: walletAddress,
      goal,
      key,
      isCallersKey: callers,
      lamports: input.amountSol,
      rounding: input.rounding,
      to: input.to,
      accounts: input.stakeAccountAddresses,
      ...buildOptionsOf(input),
    };
    const asked = { walletAddress, goal, idempotencyKey: key };
    try {
      const prepared = await preparePlan(ctx, request, signal);
      const { facts, notices, plan } = prepared;
      if (input.nonce !== undefined) onlyTransaction(prepared, request);
      const { amountLamports } = plan;
      const answers = prepared.transactions.map(({ built, signatures }) =>
        unsignedAnswer(ctx, built, facts, { message: [], notices: [], amountLamports }, signatures),
      );
      const ofFees = prepared.transactions.flatMap(({ built }) =>
        priorityNotices(facts.price, built.priorityFee),
      );
      return {
        body: {
          ...asked,
          ...signUrlOf(ctx, signRequestOf(request), key),
          feasible: true,
          refusal: null,
          plan: planView(ctx, prepared),
          transactions: answers.map(
            ({
              body: {
                message: _,
                messageSentences: __,
                warnings: ___,
                notices: ____,
                limits: _____,
                ...transaction
              },
            }) => transaction,
          ),
          epochTiming: epochTiming(facts.position, ctx.clock.now()),
          ...noticesBody([
            ...notices,
            ...nonceNotices(facts),
            ...ofFees,
            ...(goal === 'rescue' ? [] : walletNotices(ctx, walletAddress)),
          ]),
        },
        ...(answers[0]?.meta && { meta: answers[0].meta }),
      };
    } catch (error) {
      if (!isAppError(error) || !planErrors.some((code) => code === error.code)) throw error;
      return {
        body: {
          ...asked,
          feasible: false,
          refusal: planRefusalView(error),
          plan: null,
          transactions: [],
          ...noticesBody([]),
        },
      };
    }
  },
});

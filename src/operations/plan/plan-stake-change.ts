// Plans any change of a wallet's stake. Returns whether it is possible, every account before and after, and the
// unsigned transactions.
import { z } from 'zod';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { goalDescriptions } from '../../domain/plan/goal-descriptions.ts';
import { goalNames } from '../../domain/plan/plan-goals.ts';
import { isAppError, validationError } from '../../kernel/app-error.ts';
import { addressingMember, builderMembers, buildOptionsOf, ownerMember } from '../act/build-options.ts';
import { priorityNotices } from '../act/choose-priority-fee.ts';
import { idempotencyKeyFor } from '../act/generate-idempotency-key.ts';
import {
  nonceNotices,
  plannedStep,
  plannedStepSchema,
  signUrlMembers,
  signUrlOf,
  unsignedMeta,
} from '../act/unsigned-response.ts';
import { walletNotices } from '../act/wallet-notices.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { addressSchema, epochTimingSchema, roundingSchema, solAmount } from '../shared-schemas.ts';
import { planErrors } from './plan-refusals.ts';
import { signRequestOf } from './plan-request.ts';
import { onlyTransaction, planRefusalSchema, planRefusalView, planSchema, planView } from './plan-view.ts';
import { planBuildErrors, preparePlan } from './prepare-plan.ts';
import { MAX_PLAN_ACCOUNTS } from './read-plan-inputs.ts';
import { refuseUsedKey } from './refuse-used-key.ts';

/** `POST /api/v1/plan` */
export const planStakeChange = defineOperation({
  name: 'planStakeChange',
  summary: 'Plan a change of stake',
  description: `Plans a change of a wallet's stake across all its accounts with this validator, and builds the unsigned transactions, nearly always one. Goals: ${goalNames.map((goal) => `\`${goal}\` (${goalDescriptions[goal]})`).join(' ')} For an impossible change, returns feasible false, the reason, and the nearest possible amounts. Nothing is stored: after a transaction has landed, call it again to plan the rest. Each idempotency key takes an amount only once, so use a new key for the rest of an amount. Sign each with the wallet and submit them in order.`,
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The wallet that pays and owns the accounts.'),
    goal: z.enum(goalNames).meta({ description: 'Goal of the change.' }),
    amountSol: solAmount(
      "SOL; for unstake, withdraw-amount (what arrives, without rent), top-up, a partial undo, or the wallet's part of a sweep.",
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
    ...ownerMember,
    ...addressingMember,
    ...builderMembers,
  }),
  output: z.object({
    walletAddress: z.string(),
    goal: z.enum(goalNames),
    feasible: z.boolean(),
    refusal: planRefusalSchema
      .nullable()
      .meta({ description: 'Reason why it is not feasible; null if it is.' }),
    plan: planSchema.nullable(),
    transactions: z
      .array(plannedStepSchema)
      .meta({ description: 'In order; submit each one after the previous one has landed.' }),
    epochTiming: epochTimingSchema.optional(),
    idempotencyKey: z.string(),
    ...signUrlMembers,
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
    await refuseUsedKey(ctx, { wallet: walletAddress, lamports: input.amountSol }, input.idempotencyKey);
    const { key, callers } = idempotencyKeyFor(input.idempotencyKey);
    const request = {
      wallet: walletAddress,
      owner: input.owner,
      goal,
      key,
      isCallersKey: callers,
      lamports: input.amountSol,
      rounding: input.rounding,
      to: input.to,
      accounts: input.stakeAccountAddresses,
      addressing: input.addressing,
      ...buildOptionsOf(input),
    };
    const asked = { walletAddress, goal, idempotencyKey: key };
    try {
      const prepared = await preparePlan(ctx, request, signal);
      const { facts, notices, plan } = prepared;
      if (input.nonce !== undefined) onlyTransaction(prepared, request);
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
          transactions: prepared.transactions.map(({ built, signatures }) =>
            plannedStep(built, facts, plan.amountLamports, signatures),
          ),
          epochTiming: epochTiming(facts.position, ctx.clock.now()),
          ...noticesBody([
            ...notices,
            ...nonceNotices(facts),
            ...ofFees,
            ...(goal === 'rescue' ? [] : walletNotices(ctx, walletAddress)),
          ]),
        },
        meta: unsignedMeta(ctx, undefined),
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

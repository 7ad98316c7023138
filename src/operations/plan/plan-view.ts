// Formats a plan for responses: every account before and after, the wallet's balance over time, costs, and
// canceled deactivations.

import type { Address } from '@solana/kit';
import { z } from 'zod';
import { fitsNetwork } from '../../chain/transactions/wire-transaction.ts';
import { epochTiming } from '../../domain/epoch-clock.ts';
import type { MachineAccount } from '../../domain/machine/stake-machine-state.ts';
import { describePlan } from '../../domain/plan/describe-plan.ts';
import { BLOCKED_REASONS, type Plan } from '../../domain/plan/plan.ts';
import { EPOCH_ABSENT } from '../../domain/stake/stake-account.ts';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import type { Sentence } from '../../kernel/sentence.ts';
import { idempotencyKeyFor } from '../act/generate-idempotency-key.ts';
import {
  signAndSubmit,
  unsignedMembers,
  unsignedResponse,
  unsignedTransactionSchema,
} from '../act/unsigned-response.ts';
import type { Context } from '../context.ts';
import type { OperationResult } from '../operation.ts';
import { guidanceSchema, integer, sentenceParamsSchema, sol, timestamp } from '../shared-schemas.ts';
import { type PlanRequest, signRequestOf } from './plan-request.ts';
import { type PlannedBytes, type PreparedPlan, preparePlan } from './prepare-plan.ts';
import { refuseUsedKey } from './refuse-used-key.ts';

const plannedAccountSchema = z
  .object({
    state: z.enum(['initialized', 'activating', 'active', 'deactivating', 'inactive']),
    sol: sol('Balance.'),
    stakedSol: sol('Delegated.'),
    stakeAuthority: z.string().meta({ description: 'A rescue changes it.' }),
  })
  .meta({ id: 'PlannedAccount' });

/** A plan, as shown in responses. */
export const planSchema = z
  .object({
    accounts: z
      .array(
        z.object({
          stakeAccountAddress: z.string().meta({
            description: 'In a preview, new accounts are named `new-1`, `new-2` and so on.',
          }),
          voteAccount: z.string().nullable(),
          before: plannedAccountSchema.nullable().meta({ description: 'Null if the plan creates it.' }),
          after: plannedAccountSchema.nullable().meta({ description: 'Null if the plan closes it.' }),
        }),
      )
      .meta({ description: 'Every account of the wallet that was considered.' }),
    wallet: z.object({
      beforeSol: sol('Balance of the wallet.'),
      afterSol: sol('Its balance after the transactions have landed, minus fees.'),
      later: z
        .array(
          z.object({
            stakeAccountAddress: z.string(),
            sol: sol('Amount that can be withdrawn then.'),
            epoch: integer('First epoch in which it can be withdrawn.'),
            estimatedAt: timestamp('Estimated start of that epoch.'),
            earliestAt: timestamp(
              'The same time, based on the fastest measured slots; equals estimatedAt for later epochs.',
            ),
            latestAt: timestamp(
              'The same time, based on the slowest measured slots; equals estimatedAt for later epochs.',
            ),
          }),
        )
        .meta({ description: 'Deactivating stake, including earlier deactivations.' }),
    }),
    cost: z.object({
      feesSol: sol('Network fees.'),
      rentLockedSol: sol(
        'Rent of new accounts, returned when they are closed. Negative: rent of closed accounts; a merge may leave part of it in the remaining account.',
      ),
      forgoneSol: sol(
        'Rewards lost during a migration, at this validator’s yield; null while unknown.',
      ).nullable(),
    }),
    amountSol: sol(
      'For an unstake by amount: the planned amount; with `atLeast` it may exceed the requested one.',
    ).optional(),
    cancelsActivationOf: z.array(z.string()).meta({ description: 'Stakes that end before becoming active.' }),
    laterSteps: z
      .array(
        z.object({
          stakeAccountAddress: z.string(),
          action: z.enum(['withdraw', 'delegate', 'merge']),
          epoch: integer('The first epoch in which it is possible.'),
        }),
      )
      .meta({ description: 'Remaining step; request the same goal again then.' }),
    blocked: z
      .array(
        z.object({
          stakeAccountAddress: z.string(),
          reason: z.enum(BLOCKED_REASONS),
          possibleFromEpoch: integer('Null if waiting does not help.').nullable(),
        }),
      )
      .meta({ description: 'Accounts that stay unchanged, with the reason for each.' }),
  })
  .meta({ id: 'StakePlan' });

/** The reason why no plan is possible. */
export const planRefusalSchema = z
  .object({
    errorCode: z.string(),
    reason: z.string().optional(),
    params: sentenceParamsSchema.optional(),
    message: z.string(),
    suggestedAction: guidanceSchema.nullable(),
    nearestBelowSol: z.number().nullable().optional(),
    nearestAboveSol: z.number().nullable().optional(),
    complete: z
      .boolean()
      .optional()
      .meta({ description: 'False if there were too many combinations to try; closer amounts may exist.' }),
    shortfallSol: z.number().optional(),
  })
  .meta({ id: 'PlanRefusal' });

export const planRefusalView = (error: AppError): z.input<typeof planRefusalSchema> => {
  const { nearestBelowSol, nearestAboveSol, complete, shortfallSol } = error.body as Record<string, never>;
  const figures = Object.entries({ nearestBelowSol, nearestAboveSol, complete, shortfallSol });
  return {
    errorCode: error.code,
    ...(error.reason !== undefined && { reason: error.reason }),
    ...(Object.keys(error.params).length > 0 && { params: error.params }),
    message: error.message,
    suggestedAction: error.suggestedAction ?? null,
    ...Object.fromEntries(figures.filter(([, value]) => value !== undefined)),
  };
};

type ShownPlan = Pick<PreparedPlan, 'plan' | 'world' | 'facts'>;

const forgoneSol = (ctx: Context, { plan }: ShownPlan): number | null => {
  const perEpoch = plan.cost.forgone.map(({ stakeLamports, epochs }) => {
    const estimate = ctx.validator.status.rewardsEstimate(stakeLamports);
    return estimate === null ? null : estimate.estimatedPerEpochSol * epochs;
  });
  if (perEpoch.includes(null)) return null;
  return Math.round(perEpoch.reduce<number>((sum, one) => sum + one!, 0) * 1e9) / 1e9;
};

export const planView = (ctx: Context, prepared: ShownPlan): z.input<typeof planSchema> =>
  describePlan(prepared.plan, {
    chain: prepared.world.chain,
    position: prepared.facts.position,
    nowMs: ctx.clock.now(),
    forgoneSol: forgoneSol(ctx, prepared),
  });

/** Response of a builder that includes the plan of its transaction. */
export const plannedTransactionSchema = unsignedTransactionSchema.extend({
  epochTiming: unsignedMembers.epochTiming,
  plan: planSchema,
});

/** Optional plan in the response of a builder that can also change a single account without a plan. */
export const optionalPlan = planSchema
  .optional()
  .meta({ description: 'Present if several accounts or an amount were requested.' });

const stakedLamports = (account: MachineAccount | undefined): bigint =>
  account !== undefined && 'delegation' in account && account.delegation?.deactivationEpoch === EPOCH_ABSENT
    ? account.delegation.stakeLamports
    : 0n;

/** Returns the accounts whose delegated amount grows, and by how much, largest first. */
export const plannedStakes = ({
  accountsBefore,
  accountsAfter,
}: Plan): readonly { readonly account: Address; readonly lamports: bigint }[] => {
  const before = new Map(accountsBefore.map((one) => [one.address, one]));
  return accountsAfter
    .map((one) => ({
      account: one.address,
      lamports: stakedLamports(one) - stakedLamports(before.get(one.address)),
    }))
    .filter(({ lamports }) => lamports > 0n)
    .sort((a, b) => (a.lamports > b.lamports ? -1 : 1));
};

/** Returns the only transaction of a plan. Throws `AppError('PLAN_NEEDS_SEVERAL')` if there are more. */
export const onlyTransaction = (
  { transactions }: PreparedPlan,
  { goal, use, nonce }: Pick<PlanRequest, 'goal' | 'use' | 'nonce'>,
): PlannedBytes => {
  const [first] = transactions as [PlannedBytes];
  // The planner reserves no space for the instruction that advances a nonce.
  const isTooLarge = nonce !== undefined && !fitsNetwork(first.built);
  const transactionCount = isTooLarge ? Math.max(2, transactions.length) : transactions.length;
  if (transactionCount > 1)
    throw new AppError('PLAN_NEEDS_SEVERAL', 'This requires {transactionCount} transactions.', {
      params: { transactionCount, goal },
      suggestedAction:
        nonce !== undefined
          ? 'A nonce can be used for only one transaction. Name fewer accounts, or build without a nonce.'
          : use === 'one-shot'
            ? 'Call it for one stake account at a time, with stakeAccountAddress.'
            : guidance`Call ${step('planStakeChange')} with the goal {goal} to get all of them, in order.`,
      body: { transactionCount },
    });
  return first;
};

/**
 * Builds the response of a builder whose plan must fit into one transaction. Throws the errors of
 * `preparePlan` and `refuseUsedKey`, and `AppError('PLAN_NEEDS_SEVERAL')` if one transaction is not
 * enough.
 */
export const plannedTransaction = async <Members extends object = object>(
  ctx: Context,
  {
    idempotencyKey,
    ...rest
  }: Omit<PlanRequest, 'key' | 'isCallersKey'> & { readonly idempotencyKey: string | undefined },
  message: Sentence | ((plan: Plan) => Sentence),
  signal: AbortSignal,
  /** The fields that only this builder returns. Default: none. */
  membersOf: (plan: Plan) => Members = () => ({}) as Members,
): Promise<OperationResult<z.input<typeof plannedTransactionSchema> & Members>> => {
  await refuseUsedKey(ctx, rest, idempotencyKey);
  const { key, callers } = idempotencyKeyFor(idempotencyKey);
  const request = { ...rest, isSingle: true, key, isCallersKey: callers };
  const prepared = await preparePlan(ctx, request, signal);
  const { facts, notices, plan } = prepared;
  const { built, signatures } = onlyTransaction(prepared, rest);
  return unsignedResponse(
    ctx,
    built,
    facts,
    {
      message: [typeof message === 'function' ? message(plan) : message, signAndSubmit(rest.wallet)],
      idempotencyKey: key,
      signRequest: signRequestOf(rest),
      amountLamports: plan.amountLamports,
      notices,
      members: {
        ...membersOf(plan),
        epochTiming: epochTiming(facts.position, ctx.clock.now()),
        plan: planView(ctx, prepared),
      },
    },
    signatures,
  );
};

// Previews an unstake without building anything: the amounts that can be unstaked, those nearest to the
// requested one, and its plan.
import { z } from 'zod';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { solNumber, solOrNull } from '../../domain/lamports.ts';
import { type AmountRange, nearestAmounts } from '../../domain/plan/amount-ranges.ts';
import { unstakeAmounts } from '../../domain/plan/goals/plan-unstake.ts';
import { withdrawAmounts } from '../../domain/plan/withdraw-amounts.ts';
import { boundaryNotices } from '../act/read-build-facts.ts';
import { defineOperation } from '../operation.ts';
import { planRefusalSchema, planRefusalView, planSchema, planView } from '../plan/plan-view.ts';
import { previewPlan } from '../plan/prepare-plan.ts';
import { planReadErrors } from '../plan/read-plan-inputs.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import {
  addressSchema,
  epochTimingSchema,
  integer,
  roundingSchema,
  sol,
  solAmount,
  wantSchema,
} from '../shared-schemas.ts';
import { goalOfWant } from './unstake-input.ts';

const amountsOf = { unstake: unstakeAmounts, withdrawAmount: withdrawAmounts };

/** Removes zero from a range. Returns an empty list if nothing is left. */
const withoutZero = ({ low, high }: AmountRange): readonly AmountRange[] =>
  high === 0n ? [] : [{ low: low === 0n ? 1n : low, high }];

/** `POST /api/v1/unstake/preview` */
export const previewUnstake = defineOperation({
  name: 'previewUnstake',
  summary: 'Preview an unstake by amount',
  description:
    'Returns the amounts a wallet can unstake exactly, as ranges. For a given amount, also returns whether it is possible, the nearest possible amounts below and above, and its plan: every account before and after, the SOL that arrives in the wallet and when, and the costs. Nothing is built or changed; to build it, call POST /api/v1/unstake/transaction with the same parameters.',
  effect: 'read',
  input: z.object({
    walletAddress: addressSchema('The wallet that holds both authorities of the accounts.'),
    amountSol: solAmount('The amount to plan, SOL. Default: only the ranges.').optional(),
    want: wantSchema,
    rounding: roundingSchema,
    stakeAccountAddress: addressSchema('Use only this account. Default: all with this validator.').optional(),
  }),
  output: z.object({
    walletAddress: z.string(),
    want: z.enum(['unstake', 'withdrawAmount']),
    reachable: z
      .array(
        z.object({ fromSol: sol('Minimum.'), toSol: sol('Maximum; equal to fromSol for a single amount.') }),
      )
      .meta({
        description:
          'Amounts that can be unstaked exactly, ascending; both ends included, to the lamport; at most 502. Empty if the wallet has no stake to unstake.',
      }),
    complete: z.boolean().meta({
      description:
        'False if there are too many combinations of stakes to try them all. Every amount in `reachable` is possible; other amounts may be, too.',
    }),
    minimumDelegationSol: sol('Minimum that may stay in an account or be split off.'),
    asked: z
      .object({
        amountSol: sol('The requested amount.'),
        isReachable: z.boolean(),
        nearestBelowSol: sol('The amount itself if it is reachable. Null if none.').nullable(),
        nearestAboveSol: sol('The amount itself if it is reachable. Null if none.').nullable(),
      })
      .nullable()
      .meta({ description: 'Null without `amountSol`.' }),
    plan: planSchema.nullable().meta({ description: 'Null without `amountSol`, or if refused.' }),
    transactionCount: integer('Number of transactions to sign; null without a plan.').nullable(),
    refusal: planRefusalSchema
      .nullable()
      .meta({ description: 'Reason why there is no plan for the amount.' }),
    epochTiming: epochTimingSchema,
    ...noticesMembers,
  }),
  errors: planReadErrors,
  async run({ ctx, input, signal }) {
    const { walletAddress, amountSol, want, rounding, stakeAccountAddress } = input;
    const request = {
      wallet: walletAddress,
      goal: goalOfWant[want],
      lamports: amountSol,
      rounding,
      accounts: stakeAccountAddress === undefined ? undefined : [stakeAccountAddress],
    };
    const { world, facts, result } = await previewPlan(ctx, request, signal);
    const { ranges: found, isComplete } = amountsOf[want](world);
    const ranges = found.flatMap(withoutZero);
    const plan = result !== null && 'plan' in result ? result.plan : null;
    const refusal = result !== null && 'refusal' in result ? result.refusal : null;
    const near = amountSol === undefined ? null : nearestAmounts(ranges, amountSol);
    return {
      body: {
        walletAddress,
        want,
        reachable: ranges.map(({ low, high }) => ({ fromSol: solNumber(low), toSol: solNumber(high) })),
        complete: isComplete,
        minimumDelegationSol: solNumber(world.chain.minimumDelegationLamports),
        asked: near && {
          amountSol: solNumber(amountSol!),
          isReachable: near.isReachable,
          nearestBelowSol: solOrNull(near.below),
          nearestAboveSol: solOrNull(near.above),
        },
        plan: plan && planView(ctx, { plan, world, facts }),
        transactionCount: plan?.transactions.length ?? null,
        refusal: refusal && planRefusalView(refusal),
        epochTiming: epochTiming(facts.position, ctx.clock.now()),
        ...noticesBody(boundaryNotices(facts.position)),
      },
    };
  },
});

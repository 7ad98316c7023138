// Projects the rewards of a stake made now, at current rates, using the inflation schedule and the chain's
// rules, and summarizes them in words.

import { z } from 'zod';
import { minimumStakeLamports } from '../../chain/cluster/minimum-delegation.ts';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { solFigure, solNumber } from '../../domain/lamports.ts';
import { criticalNotice, notice } from '../../domain/notice.ts';
import { type ProjectedPeriod, type Projection, project } from '../../domain/portfolio/projection.ts';
import { atLeastApy } from '../../domain/validator/realized-apy.ts';
import { AppError } from '../../kernel/app-error.ts';
import { step } from '../../kernel/guidance.ts';
import { sentenceMembers } from '../../kernel/sentence.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { epochTimingSchema, integer, sentenceShape, sol, solAmount, timestamp } from '../shared-schemas.ts';
import { indivisibleNotices } from '../stake/prepare-stake.ts';
import { nullableSol } from '../validator/validator-response-schemas.ts';
import { recommendStake } from './simulation-recommendation.ts';
import { readStakingYield, type StakingYield } from './staking-yield.ts';

const periodSchema = z
  .object({
    rewardSol: sol('Rewards paid by that time.'),
    balanceSol: sol('Balance of the stake account at that time.'),
    lowRewardSol: nullableSol(
      'The rewards at the low end of the 80 % interval of the yield; null without one.',
    ),
    highRewardSol: nullableSol('The rewards at the high end of that interval.'),
  })
  .meta({ id: 'ProjectedPeriod' });

/** Scales rewards to another yield. */
const atYield = (rewardLamports: bigint, apy: number, basedOnApy: number): number =>
  solNumber(BigInt(Math.round(Number(rewardLamports) * (apy / basedOnApy))));

const periodView =
  ({ apy: { totalApy }, interval }: StakingYield) =>
  ({ rewardLamports, balanceLamports }: ProjectedPeriod): z.input<typeof periodSchema> => {
    const hasBand = interval !== null && totalApy !== null && totalApy > 0;
    return {
      rewardSol: solNumber(rewardLamports),
      balanceSol: solNumber(balanceLamports),
      lowRewardSol: hasBand ? atYield(rewardLamports, interval.lowApy, totalApy) : null,
      highRewardSol: hasBand ? atYield(rewardLamports, interval.highApy, totalApy) : null,
    };
  };

const NO_RATES = { inflationPerEpoch: 0, tipsPerEpoch: 0 };

/** `POST /api/v1/stake/simulate` */
export const simulate = defineOperation({
  name: 'simulateStake',
  summary: "Project a stake's rewards",
  description:
    'Projects the rewards of a stake made now: inflation rewards compound per epoch as the chain pays them, tips are added without compounding, nothing is earned before the stake is active, and rent earns nothing. A forecast at the rates of the last epochs, with inflation falling according to its published schedule; not a promise. Periods are counted from now, including the warm-up.',
  effect: 'read',
  input: z.object({
    amountSol: solAmount('Total that would be moved into the new stake account, rent included, SOL.'),
    durationDays: z
      .int()
      .min(1)
      .max(3650)
      .default(365)
      .meta({
        description: 'Length of the projection in days.',
        override: { type: 'integer', minimum: 1, maximum: 3650, default: 365 },
      }),
  }),
  output: z.object({
    amountSol: sol('As given.'),
    delegatedSol: sol('The part that would be delegated and earn rewards.'),
    durationDays: integer('As given.'),
    effectiveApy: z
      .number()
      .nullable()
      .meta({ description: 'Percent a year, equal to `totalApy` of the validator; null while unknown.' }),
    atLeastApy: z.number().nullable().meta({
      description:
        'Yearly yield of the projections, percent: `effectiveApy`; while tips are unknown, the yield without tips, so the actual rewards may be higher.',
    }),
    projections: z
      .object({ daily: periodSchema, monthly: periodSchema, annual: periodSchema, total: periodSchema })
      .nullable()
      .meta({
        description:
          'After 1, 30, 365 and `durationDays` days from now, so the time until the stake is active earns nothing; null while no rate is available.',
      }),
    onceActive: z
      .object({ perEpochSol: sol('Per epoch.'), perDaySol: sol('Per day.') })
      .nullable()
      .meta({ description: 'Rewards once the stake is active, before compounding.' }),
    activation: z.object({
      epochsUntilActive: integer('Epoch boundaries until the whole stake is active.'),
      estimatedActiveAt: timestamp('Estimated time of that boundary.'),
      firstRewardEpoch: integer('The first epoch that earns rewards.'),
      estimatedFirstRewardAt: timestamp('Estimated time of its payment.'),
    }),
    feeReserve: z.object({
      recommendedSol: sol('Amount to keep in the wallet for later fees.'),
      minimumStakeSol: sol('Minimum that the cluster accepts now: rent plus minimum delegation.'),
    }),
    ...sentenceShape('recommendation'),
    epochTiming: epochTimingSchema,
    ...noticesMembers,
  }),
  errors: ['BELOW_MINIMUM_STAKE', 'UPSTREAM_UNAVAILABLE'],
  failureTitle: 'Simulation failed',
  async run({ ctx, input, signal }) {
    const [limits, position, staking] = await Promise.all([
      ctx.chain.cluster.limits(signal),
      ctx.chain.cluster.recentEpochPosition(signal),
      readStakingYield(ctx, signal),
    ]);
    const minimum = minimumStakeLamports(limits);
    if (input.amountSol <= limits.stakeRentLamports) {
      throw new AppError(
        'BELOW_MINIMUM_STAKE',
        '{amountSol} SOL does not cover the rent-exempt minimum of a stake account; at least {minimumStakeSol} SOL can be staked.',
        {
          reason: 'SIMULATION',
          params: { amountSol: solFigure(input.amountSol), minimumStakeSol: solFigure(minimum) },
          suggestedAction: 'Simulate at least {minimumStakeSol} SOL.',
          body: { minimumStakeSol: solNumber(minimum) },
        },
      );
    }
    const nowMs = ctx.clock.now();
    const projection: Projection = project({
      amountLamports: input.amountSol,
      stakeRentLamports: limits.stakeRentLamports,
      durationDays: input.durationDays,
      rates: staking.rates ?? NO_RATES,
      schedule: staking.schedule,
      position,
      history: await ctx.chain.cluster.stakeHistory(position.epoch, signal),
      nowMs,
    });
    const { activation, onceActive } = projection;
    const period = periodView(staking);
    return {
      body: {
        amountSol: solNumber(input.amountSol),
        delegatedSol: solNumber(projection.delegatedLamports),
        durationDays: input.durationDays,
        effectiveApy: staking.apy.totalApy,
        atLeastApy: staking.rates === null ? null : atLeastApy(staking.apy),
        projections:
          staking.rates === null
            ? null
            : {
                daily: period(projection.daily),
                monthly: period(projection.monthly),
                annual: period(projection.annual),
                total: period(projection.total),
              },
        onceActive:
          staking.rates === null
            ? null
            : {
                perEpochSol: solNumber(onceActive.perEpochLamports),
                perDaySol: solNumber(onceActive.perDayLamports),
              },
        activation: { ...activation, firstRewardEpoch: Number(activation.firstRewardEpoch) },
        feeReserve: {
          recommendedSol: solNumber(ctx.service.settings.feeReserveLamports),
          minimumStakeSol: solNumber(minimum),
        },
        ...sentenceMembers(
          'recommendation',
          recommendStake({
            amountLamports: input.amountSol,
            minimumLamports: minimum,
            feeReserveLamports: ctx.service.settings.feeReserveLamports,
            durationDays: input.durationDays,
            projection: staking.rates === null ? null : projection,
            criticalNotice: criticalNotice(staking.notices) ?? null,
          }),
        ),
        epochTiming: epochTiming(position, nowMs),
        ...noticesBody([
          ...(input.amountSol < minimum
            ? [
                notice(
                  'BELOW_MINIMUM_STAKE',
                  '{amountSol} SOL is below the minimum stake of {minimumStakeSol} SOL, so the cluster would reject it.',
                  { amountSol: solFigure(input.amountSol), minimumStakeSol: solFigure(minimum) },
                ),
              ]
            : indivisibleNotices(input.amountSol, limits)),
          ...staking.notices,
        ]),
      },
      meta: { nextSteps: { stake: step('createStakeTransaction') } },
    };
  },
});

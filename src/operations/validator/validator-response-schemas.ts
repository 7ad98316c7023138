// Schemas shared by several validator endpoints.
import { z } from 'zod';
import { noticeSchema, noticesMembers } from '../response-notices.ts';
import { integer, sol } from '../shared-schemas.ts';

const percent = (description: string) => z.number().meta({ description });

/** A percentage; null if unknown. */
export const nullablePercent = (description: string) => percent(description).nullable();

/** A text; null if unknown. */
export const nullableText = (description: string) => z.string().nullable().meta({ description });

/** A whole number; null if unknown. */
export const nullableInteger = (description: string) => integer(description).nullable();

/** A SOL amount; null if unknown. */
export const nullableSol = (description: string) => sol(description).nullable();

const originSchema = z
  .object({
    source: z.enum(['realised', 'expected', 'provider', 'none']).meta({
      description:
        '`realised`: rewards that were paid. `expected`: issuance of the cluster, used until a reward paid here has been measured. `provider`: value from a statistics provider. `none`: the validator takes no part in tips.',
    }),
    fromEpoch: nullableInteger('First epoch of the window; null unless realised.'),
    toEpoch: nullableInteger('Last epoch of the window.'),
    epochCount: integer('Number of epochs in the window that had a sample.'),
    sampleCount: integer('Number of samples: one for each account and epoch, or one for each epoch of tips.'),
  })
  .meta({ id: 'YieldMethod', description: 'Calculation of a part of the yield.' })
  .nullable()
  .meta({ description: 'Calculation of this part; null while unknown.' });

const intervalSchema = z
  .object({
    lowApy: percent('Low end, percent a year.'),
    highApy: percent('High end.'),
    confidencePct: integer('Share of such intervals that should contain the realized yield, percent.'),
    horizonEpochs: integer('Number of coming epochs whose mean yield the interval covers.'),
    fromEpoch: integer('First measured epoch that it is computed from.'),
    toEpoch: integer('Last one.'),
    epochCount: integer('Number of measured epochs between them, at the current commission.'),
  })
  .meta({ id: 'YieldInterval' })
  .nullable()
  .meta({
    description:
      'Range in which the mean of `totalApy` over the next epochs lies with 80 % confidence. Computed from up to 60 recorded epochs, while `totalApy` is that of the last 5, which may lie outside. Null with fewer than 10; `intervalMissing` has the reason.',
  });

const scheduleSchema = z
  .object({
    ratePct: percent('Current inflation, percent of the supply a year.'),
    terminalPct: percent('Value that it does not fall below.'),
    yearlyFallPct: percent('Share by which it declines every year, percent.'),
  })
  .meta({ id: 'InflationSchedule' })
  .nullable()
  .meta({ description: 'The cluster’s published schedule; null while it cannot be read.' });

const apyMembers = {
  stakingApy: nullablePercent(
    'Inflation rewards after the commission in force, compounded over 365 days, percent. Like the others, null while stake earns nothing; the reason is in notices.',
  ),
  jitoMevApy: nullablePercent('MEV tips after commission, not compounded, percent.'),
  totalApy: nullablePercent('stakingApy + jitoMevApy; null if either is.'),
  atLeastApy: nullablePercent(
    'Lower bound of the yield, used for projections: totalApy, or stakingApy (without tips) if jitoMevApy is null.',
  ),
  interval: intervalSchema,
  intervalMissing: noticeSchema
    .nullable()
    .meta({ description: 'The reason why there is no interval; null if there is one.' }),
  pastIntervals: z
    .object({
      said: integer('Past epochs whose interval was compared with the yield of the 30 epochs after it.'),
      held: integer('Number of these whose interval contained that yield.'),
    })
    .meta({
      description:
        'Accuracy of earlier intervals, each recomputed from the recorded epochs before it. About 80 % should hold.',
    }),
  commission: nullablePercent('Commission on inflation rewards, read from the chain, percent.'),
  jitoCommissionBps: nullableInteger('Commission on MEV tips, basis points.'),
  method: z
    .object({
      staking: originSchema,
      jitoMev: originSchema,
      secondsPerEpoch: z
        .number()
        .nullable()
        .meta({ description: 'Measured length of an epoch, used for the year.' }),
      inflationSchedule: scheduleSchema,
      description: z.string(),
    })
    .meta({ description: 'Method of the calculation. Past figures are no guarantee of future results.' }),
};

/** The APY object. */
export const apySchema = z
  .object({ ...apyMembers, ...noticesMembers })
  .meta({ id: 'Apy', description: 'Annual staking yield with this validator.' });

const performanceMembers = {
  voteSuccessRate: nullablePercent(
    'Vote credits earned this epoch as a share of the maximum; null in the first 64 slots of the epoch.',
  ),
  uptimePercentage: nullablePercent(
    'Share of our samples of the last 30 epochs in which the validator was not delinquent. A current delinquency counts as one more sample.',
  ),
  uptimeSamples: integer('Number of these samples.'),
  skipRate: nullablePercent('Share of passed leader slots without a block; null under 8 passed slots.'),
  epochCredits: nullableInteger('Vote credits earned this epoch.'),
  epochCreditsRank: nullableInteger('Rank by vote credits of this epoch; 1 is best.'),
  totalActiveStake: nullableSol('Stake that is active this epoch.'),
  delinquent: z
    .boolean()
    .nullable()
    .meta({ description: 'True if the validator is delinquent (its votes lag behind).' }),
};

export const performanceSchema = z
  .object({ ...performanceMembers, ...noticesMembers })
  .meta({ id: 'Performance', description: 'Current performance of the validator.' });

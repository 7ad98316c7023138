// Schemas shared by several validator endpoints.
import { z } from 'zod';
import { noticesMembers } from '../notices.ts';
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
        '`realised`: rewards that were paid. `expected`: issuance of the cluster, used until a reward paid here has been measured. `provider`: figure of a statistics provider. `none`: the validator takes no part in tips.',
    }),
    fromEpoch: nullableInteger('First epoch of the window; null unless realised.'),
    toEpoch: nullableInteger('Last epoch of the window.'),
    epochCount: integer('Epochs in the window that had a sample.'),
    sampleCount: integer('Samples: one for each account and epoch, or each epoch of tips.'),
  })
  .meta({ id: 'YieldMethod', description: 'Calculation of a part of the yield.' })
  .nullable()
  .meta({ description: 'Calculation of this part; null while unknown.' });

/** The fields of the APY object. */
const apyMembers = {
  stakingApy: nullablePercent(
    'Inflation rewards after the commission in force, compounded over 365 days, percent. Like the others, null while stake earns nothing; the reason is in notices.',
  ),
  jitoMevApy: nullablePercent('MEV tips after commission, not compounded, percent.'),
  totalApy: nullablePercent('stakingApy + jitoMevApy; null if either is.'),
  atLeastApy: nullablePercent(
    'totalApy; stakingApy alone, excluding tips, while jitoMevApy is null. Used for projections.',
  ),
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
      description: z.string(),
    })
    .meta({ description: 'Method of the calculation. Past figures are no guarantee of future results.' }),
};

/** The APY object. */
export const apySchema = z
  .object({ ...apyMembers, ...noticesMembers })
  .meta({ id: 'Apy', description: 'Annual staking yield with this validator.' });

/** The fields of the performance object. */
const performanceMembers = {
  voteSuccessRate: nullablePercent(
    'Vote credits earned this epoch as a share of the maximum; null in its first 64 slots.',
  ),
  uptimePercentage: nullablePercent(
    'Share of our samples of the last 30 epochs in which the validator was not delinquent.',
  ),
  uptimeSamples: integer('Number of these samples.'),
  skipRate: nullablePercent('Share of passed leader slots without a block; null under 8 passed slots.'),
  epochCredits: nullableInteger('Vote credits earned this epoch.'),
  epochCreditsRank: nullableInteger('Rank by vote credits of this epoch, 1 is best.'),
  totalActiveStake: nullableSol('Stake that is active this epoch.'),
  delinquent: z
    .boolean()
    .nullable()
    .meta({ description: 'True if the validator is delinquent (its votes lag behind).' }),
};

/** The performance object. */
export const performanceSchema = z
  .object({ ...performanceMembers, ...noticesMembers })
  .meta({ id: 'Performance', description: 'Current performance of the validator.' });

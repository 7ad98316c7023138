// Shows the validator's own income, rank and skip rate by epoch, as recorded by this service, and its current
// vote latency.
import { z } from 'zod';
import { solNumber } from '../../domain/lamports.ts';
import { notice } from '../../domain/notice.ts';
import type { EpochSample } from '../../store/validator-samples.ts';
import { NO_MEV_PROVIDER } from '../../validator/mev-rates.ts';
import { warningIf, warningsOf } from '../../validator/response-part.ts';
import { boundedChainRead } from '../bounded-chain-read.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { integer } from '../shared-schemas.ts';
import { apyBody, lastApyBody } from '../validator/validator-apy.ts';
import {
  apySchema,
  nullableInteger,
  nullablePercent,
  nullableSol,
} from '../validator/validator-response-schemas.ts';
import { readRecords, recordsAsOfSchema } from './last-records.ts';

const LATENCY_UNAVAILABLE = notice(
  'VOTE_LATENCY_UNAVAILABLE',
  'No RPC node is responding, so the vote latency is unavailable.',
);

const epochSchema = z
  .object({
    epoch: integer('The epoch.'),
    commissionSol: nullableSol('Inflation commission received by the vote account for it.'),
    tipsSol: nullableSol("The validator's part of the MEV tips."),
    blockRewardsSol: nullableSol('Fees and priority fees of the leader slots read so far.'),
    leaderSlotsUnread: nullableInteger('Leader slots that blockRewardsSol does not include yet.'),
    stakeRank: nullableInteger('Rank by active stake; 1 is the largest.'),
    validators: nullableInteger('Validators with stake.'),
    skipRate: nullablePercent('Share of passed leader slots without a block, percent.'),
    clusterSkipRate: nullablePercent('The same share for all validators.'),
  })
  .meta({ id: 'OwnEpoch' });

const EPOCHS = 60;

const solOrNull = (lamports: bigint | null): number | null =>
  lamports === null ? null : solNumber(lamports);

const showEpoch = (sample: EpochSample): z.input<typeof epochSchema> => ({
  epoch: Number(sample.epoch),
  commissionSol: solOrNull(sample.commissionLamports),
  tipsSol: solOrNull(sample.tipsLamports),
  blockRewardsSol: solOrNull(sample.blockRewardsLamports),
  leaderSlotsUnread: sample.leaderSlotsUnread,
  stakeRank: sample.stakeRank,
  validators: sample.validators,
  skipRate: sample.skipRate,
  clusterSkipRate: sample.clusterSkipRate,
});

/** Reads income, rank and skip rate by epoch. */
export const readOwnRecords = (ctx: Context) =>
  readRecords(ctx, 'validator', () => ctx.validator.facts.sources.samples.epochs(EPOCHS));

/** `GET /api/v1/operator/validator` */
export const showOwnValidator = defineOperation({
  name: 'showOwnValidator',
  summary: 'Own income and rank',
  description:
    'Income, rank by stake and skip rate of the validator in the newest 60 recorded epochs, including the current one, recorded every 15 minutes. Income is before the costs of voting. Values without a source are null.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    voteLatencySlots: z.number().nullable().meta({
      description:
        'Mean number of slots until a vote landed, over the last 31 votes; null if the vote account does not record it.',
    }),
    apy: apySchema.nullable().meta({ description: 'Yield of the stakers; null while unknown.' }),
    blockRewardsOffered: z.boolean().meta({
      description: 'False if the RPC serves blocks without their rewards, as the sandbox’s RPC does.',
    }),
    epochs: z.array(epochSchema).meta({ description: 'Newest first.' }),
    recordsAsOf: recordsAsOfSchema,
    ...noticesMembers,
  }),
  errors: ['STORE_UNAVAILABLE'],
  async run({ ctx, signal }) {
    const { chain, sources, blockRewardsServed } = ctx.validator.facts;
    const [own, apy, { records: epochs, recordsAsOf }] = await Promise.all([
      boundedChainRead(ctx, chain.own, signal),
      boundedChainRead(ctx, (within) => apyBody(ctx, within), signal),
      readOwnRecords(ctx),
    ]);
    const areBlockRewardsKnown = epochs.some(({ blockRewardsLamports }) => (blockRewardsLamports ?? 0n) > 0n);
    const areBlockRewardsServed =
      areBlockRewardsKnown ||
      (ctx.service.sandbox === null && (await boundedChainRead(ctx, blockRewardsServed, signal)) !== false);
    return {
      body: {
        voteLatencySlots: own?.state?.meanVoteLatencySlots ?? null,
        apy: apy ?? lastApyBody(ctx),
        blockRewardsOffered: areBlockRewardsServed,
        epochs: epochs.map(showEpoch),
        recordsAsOf,
        ...noticesBody(
          warningsOf(
            warningIf(own === null, LATENCY_UNAVAILABLE),
            warningIf(sources.mev === null, NO_MEV_PROVIDER),
          ),
        ),
      },
    };
  },
});

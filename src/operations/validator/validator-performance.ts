// How the validator votes and leads now, and how often it was seen voting.
import { z } from 'zod';
import { solNumber } from '../../domain/lamports.ts';
import { leaderSlots } from '../../domain/validator/leader-slots.ts';
import {
  creditsEarned,
  type Standing,
  UPTIME_EPOCHS,
  voteSuccessRate,
} from '../../domain/validator/validator-score.ts';
import type { ValidatorStatistic } from '../../upstream/network-statistics.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { NO_NETWORK_PROVIDER } from './mev-rates.ts';
import {
  NO_CREDITS_YET,
  NO_SKIP_RATE_YET,
  NO_VOTE_RATE_YET,
  type Part,
  part,
  providerPart,
  requireAny,
  warningIf,
  warningsOf,
} from './part.ts';
import { performanceSchema } from './schemas.ts';

const uptime = ({ samples, delinquent }: { samples: number; delinquent: number }): number | null =>
  samples === 0 ? null : Math.round(((samples - delinquent) / samples) * 10_000) / 100;

const oldestUptimeEpoch = (epoch: bigint): bigint =>
  epoch < UPTIME_EPOCHS ? 0n : epoch - UPTIME_EPOCHS + 1n;

const readStanding = async (ctx: Context, signal: AbortSignal): Promise<Standing> => {
  const { chain, sources } = ctx.validator;
  return chain.standing((await sources.cluster.recentEpochPosition(signal)).epoch, signal);
};

/** The performance object of this moment. Throws `AppError('UPSTREAM_UNAVAILABLE')` when nobody says anything. */
export const performanceBody = async (
  ctx: Context,
  signal: AbortSignal,
): Promise<z.input<typeof performanceSchema>> => {
  const { chain, sources } = ctx.validator;
  const [position, own, standing, blocks, leader] = await Promise.all([
    part(sources.cluster.recentEpochPosition(signal), 'No RPC answers: the epoch is not known.'),
    part(chain.own(signal), "No RPC answers: the validator's votes and stake are not known from the chain."),
    part(readStanding(ctx, signal), 'No RPC lists the validators: the rank is not known.'),
    part(chain.blocks(signal), 'No RPC counts the blocks of this epoch: the vote success rate is not known.'),
    part(chain.leader(signal), 'No RPC counts leader slots: the skip rate is not known.'),
  ]);
  const epoch = position.value?.epoch ?? null;
  const tally = await part(
    sources.samples.delinquency(epoch === null ? 0n : oldestUptimeEpoch(epoch)),
    'The store cannot be read: the uptime is not known.',
  );
  // Asked only where the chain is silent.
  const told: Part<ValidatorStatistic> =
    own.value === null
      ? await providerPart(sources.network?.validator(signal), NO_NETWORK_PROVIDER)
      : { value: null, warnings: [] };
  requireAny([own, standing, told]);
  const listed = own.value?.listed;
  const earned = listed && epoch !== null ? (creditsEarned(listed.epochCredits, epoch) ?? 0n) : null;
  const votes =
    earned !== null && blocks.value !== null
      ? voteSuccessRate(earned, blocks.value)
      : (told.value?.voteSuccessPct ?? null);
  const skipRate = leader.value ? leaderSlots(leader.value).skipRatePct : (told.value?.skipRatePct ?? null);
  return {
    voteSuccessRate: votes,
    uptimePercentage: tally.value && uptime(tally.value),
    uptimeSamples: tally.value?.samples ?? 0,
    skipRate,
    epochCredits: earned === null ? (told.value?.creditsThisEpoch ?? null) : Number(earned),
    epochCreditsRank: standing.value?.creditRank?.rank ?? null,
    totalActiveStake: listed
      ? solNumber(listed.activatedStakeLamports)
      : (told.value?.activatedStakeSol ?? null),
    delinquent: listed?.delinquent ?? told.value?.delinquent ?? null,
    warnings: warningsOf(
      ...[position, own, standing, blocks, leader, tally, told],
      warningIf(standing.value !== null && standing.value.creditRank === null, NO_CREDITS_YET),
      warningIf(leader.value !== null && skipRate === null, NO_SKIP_RATE_YET),
      warningIf(earned !== null && blocks.value !== null && votes === null, NO_VOTE_RATE_YET),
    ),
  };
};

/** `GET /api/v1/validator/performance` */
export const validatorPerformance = defineOperation({
  name: 'validatorPerformance',
  summary: 'How the validator votes and leads',
  description:
    'Vote success, skip rate, credits and their rank in the running epoch, read from the chain, and uptime from the samples that this service takes every quarter of an hour. Members that nobody can say are null, with a warning.',
  effect: 'read',
  input: z.object({}),
  output: performanceSchema,
  errors: ['UPSTREAM_UNAVAILABLE'],
  run: async ({ ctx, signal }) => ({ body: await performanceBody(ctx, signal) }),
});

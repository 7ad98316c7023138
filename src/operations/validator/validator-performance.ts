// Reports the validator's current votes and leader slots, and its voting uptime.
import { z } from 'zod';
import { solNumber } from '../../domain/lamports.ts';
import { notice } from '../../domain/notice.ts';
import { leaderSlots } from '../../domain/validator/leader-slots.ts';
import { creditsEarned, UPTIME_EPOCHS, voteSuccessRate } from '../../domain/validator/validator-score.ts';
import type { ValidatorStatistic } from '../../upstream/network-statistics.ts';
import { NO_NETWORK_PROVIDER } from '../../validator/mev-rates.ts';
import {
  EPOCH_UNAVAILABLE,
  NO_CREDITS_YET,
  NO_SKIP_RATE_YET,
  NO_VOTE_RATE_YET,
  type Part,
  part,
  providerPart,
  RANK_UNAVAILABLE,
  requireAny,
  warningIf,
  warningsOf,
} from '../../validator/response-part.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody } from '../response-notices.ts';
import { performanceSchema } from './validator-response-schemas.ts';

const uptime = ({ samples, delinquent }: { samples: number; delinquent: number }): number | null =>
  samples === 0 ? null : Math.round(((samples - delinquent) / samples) * 10_000) / 100;

const oldestUptimeEpoch = (epoch: bigint): bigint =>
  epoch < UPTIME_EPOCHS ? 0n : epoch - UPTIME_EPOCHS + 1n;

/**
 * Returns the current performance object. Throws `AppError('UPSTREAM_UNAVAILABLE')` if no source responds.
 */
export const performanceBody = async (
  ctx: Context,
  signal: AbortSignal,
): Promise<z.input<typeof performanceSchema>> => {
  const { chain, sources } = ctx.validator.facts;
  // The position is read too, because values from another epoch must be omitted.
  const asked = sources.cluster.recentEpochPosition(signal);
  const [position, own, ranking, blocks, leader] = await Promise.all([
    part(asked, EPOCH_UNAVAILABLE),
    part(
      asked.then(
        ({ epoch: now }) => chain.own(signal, now),
        () => chain.own(signal),
      ),
      notice(
        'VOTES_UNAVAILABLE',
        "No RPC node is responding, so the validator's votes and stake cannot be read from the chain.",
      ),
    ),
    part(
      asked.then(({ epoch: now }) => chain.ranking(now, signal)),
      RANK_UNAVAILABLE,
    ),
    part(
      asked.then((at) => chain.blocks(at, signal)),
      notice(
        'BLOCKS_UNAVAILABLE',
        'No RPC node counts this epoch’s blocks, so the vote success rate cannot be read from the chain.',
      ),
    ),
    part(
      asked.then((at) => chain.leader(at, signal)),
      notice(
        'SKIP_RATE_UNAVAILABLE',
        'No RPC node counts this epoch’s leader slots, so the skip rate cannot be read from the chain.',
      ),
    ),
  ]);
  const epoch = position.value?.epoch ?? null;
  const recorded = await part(
    sources.samples.delinquency(epoch === null ? 0n : oldestUptimeEpoch(epoch)),
    notice('UPTIME_UNAVAILABLE', 'The store cannot be read, so the uptime is unavailable.'),
  );
  // Queries the provider only if the chain does not respond.
  const provider: Part<ValidatorStatistic> =
    own.value === null
      ? await providerPart(sources.network?.validator(signal), NO_NETWORK_PROVIDER)
      : { value: null, warnings: [] };
  requireAny([own, ranking, provider]);
  const listed = own.value?.listed;
  const delinquent = listed?.delinquent ?? provider.value?.delinquent ?? null;
  // Counts a delinquency that no sample may contain yet.
  const added = delinquent === true ? 1 : 0;
  const tally = recorded.value && {
    samples: recorded.value.samples + added,
    delinquent: recorded.value.delinquent + added,
  };
  const earned = listed && epoch !== null ? (creditsEarned(listed.epochCredits, epoch) ?? 0n) : null;
  const votes =
    earned !== null && blocks.value !== null
      ? voteSuccessRate(earned, blocks.value.blocks)
      : (provider.value?.voteSuccessPct ?? null);
  const skipRate = leader.value
    ? leaderSlots(leader.value).skipRatePct
    : (provider.value?.skipRatePct ?? null);
  return {
    voteSuccessRate: votes,
    uptimePercentage: tally && uptime(tally),
    uptimeSamples: tally?.samples ?? 0,
    skipRate,
    epochCredits: earned === null ? (provider.value?.creditsThisEpoch ?? null) : Number(earned),
    epochCreditsRank: ranking.value?.creditRank?.rank ?? null,
    totalActiveStake: listed
      ? solNumber(listed.activatedStakeLamports)
      : (provider.value?.activatedStakeSol ?? null),
    delinquent,
    ...noticesBody(
      warningsOf(
        ...[position, own, ranking, blocks, leader, recorded, provider],
        warningIf(ranking.value !== null && ranking.value.creditRank === null, NO_CREDITS_YET),
        warningIf(leader.value !== null && skipRate === null, NO_SKIP_RATE_YET),
        warningIf(earned !== null && blocks.value !== null && votes === null, NO_VOTE_RATE_YET),
      ),
    ),
  };
};

/** `GET /api/v1/validator/performance` */
export const validatorPerformance = defineOperation({
  name: 'validatorPerformance',
  summary: 'Validator performance',
  description:
    'Vote success, skip rate, credits and rank in the current epoch, read from the chain, and uptime from samples that this service takes every 15 minutes. Unavailable fields are null, with a warning.',
  effect: 'read',
  input: z.object({}),
  output: performanceSchema,
  errors: ['UPSTREAM_UNAVAILABLE'],
  run: async ({ ctx, signal }) => ({ body: await performanceBody(ctx, signal) }),
});

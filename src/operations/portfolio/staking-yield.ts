// Reads the yield for a stake made now. An unknown part is null with a notice, never zero.
import { criticalNotice, type Notice, notice, rankedNotices } from '../../domain/notice.ts';
import type { EpochRates } from '../../domain/portfolio/projection.ts';
import type { InflationSchedule } from '../../domain/validator/inflation-schedule.ts';
import type { Apy } from '../../domain/validator/realized-apy.ts';
import type { YieldInterval } from '../../domain/validator/yield-interval.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';

export interface StakingYield {
  readonly apy: Apy;
  /** Null if the inflation rate is unknown or a critical notice is active. Unknown tips count as zero, with a notice. */
  readonly rates: EpochRates | null;
  readonly schedule: InflationSchedule | null;
  readonly interval: YieldInterval | null;
  /** Most severe first. */
  readonly notices: readonly Notice[];
}

const UNKNOWN: Apy = { stakingApy: null, jitoMevApy: null, totalApy: null };
const NO_RATE = notice(
  'YIELD_UNKNOWN',
  'The validator’s yield is currently unavailable, so rewards cannot be projected.',
);
const NO_TIPS = notice(
  'TIPS_UNKNOWN',
  'The validator’s tips are currently unavailable, so the projection excludes tips and is a lower bound.',
);

const nothingKnown = (ctx: { readonly validator: Pick<Context['validator'], 'status'> }): StakingYield => ({
  apy: UNKNOWN,
  rates: null,
  schedule: null,
  interval: null,
  notices: rankedNotices([...ctx.validator.status.notices(), NO_RATE]),
});

/**
 * Reads the yield. A yield that cannot be read is returned as unknown. Rejects only if `signal` is aborted.
 */
export const readStakingYield = async (
  ctx: { readonly validator: Pick<Context['validator'], 'yieldNow' | 'status'> },
  signal: AbortSignal,
): Promise<StakingYield> => {
  try {
    const status = await ctx.validator.yieldNow?.(signal);
    if (status === undefined) return nothingKnown(ctx);
    const { apy, inflationPerEpoch, tipsPerEpoch, schedule, interval, notices } = status;
    if (criticalNotice(notices) !== undefined) return { apy, rates: null, schedule, interval: null, notices };
    const rates = inflationPerEpoch === null ? null : { inflationPerEpoch, tipsPerEpoch: tipsPerEpoch ?? 0 };
    const more = rates === null ? [NO_RATE] : tipsPerEpoch === null ? [NO_TIPS] : [];
    return { apy, rates, schedule, interval, notices: rankedNotices([...notices, ...more]) };
  } catch (error) {
    signal.throwIfAborted();
    if (!isAppError(error, 'UPSTREAM_UNAVAILABLE')) throw error;
    return nothingKnown(ctx);
  }
};

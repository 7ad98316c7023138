// Epoch timing as answers carry it; optional ones are left out rather than failing an answer that is otherwise true.
import { epochTiming } from '../../domain/epoch-clock.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';

/** The epochTiming member, or nothing while no RPC can say. */
export const optionalEpochTiming = async (
  ctx: Context,
  signal: AbortSignal,
): Promise<{ epochTiming?: ReturnType<typeof epochTiming> }> => {
  try {
    return { epochTiming: epochTiming(await ctx.cluster.epochPosition(signal), ctx.clock.now()) };
  } catch (error) {
    if (isAppError(error, 'UPSTREAM_UNAVAILABLE')) return {};
    throw error;
  }
};

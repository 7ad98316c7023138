// Prunes old settled intents once a day, because anyone can submit them.
import { repeatUntil } from '../../kernel/abort.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const PRUNE_AFTER_MS = 30 * DAY_MS;
/** Of submissions that were refused before they were sent: long enough for a caller who repeats one. */
const PRUNE_REFUSED_AFTER_MS = 60 * 60 * 1000;

/** Prunes at once and then every day until `ctx.lifetime` aborts. Never rejects. */
export const pruneIntentsDaily = (ctx: Context): Promise<void> =>
  repeatUntil(ctx.lifetime, ctx.clock, DAY_MS, async () => {
    try {
      const now = ctx.clock.now();
      await ctx.intents.pruneBefore(now - PRUNE_AFTER_MS, now - PRUNE_REFUSED_AFTER_MS);
    } catch (error) {
      if (!isAppError(error, 'STORE_UNAVAILABLE'))
        ctx.logger.error({ err: error }, 'old intents were not pruned');
    }
  });

// Prunes old settled intents once a day. Anyone can create intents, so they must not accumulate.
import { runRepeatedly } from '../../../kernel/run-repeatedly.ts';
import type { Context } from '../../context.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const PRUNE_AFTER_MS = 30 * DAY_MS;
/** Retention of submissions that were refused before sending: long enough for callers to retry. */
const PRUNE_REFUSED_AFTER_MS = 60 * 60 * 1000;

/** Prunes immediately and then once a day until `ctx.lifetime` is aborted. Never rejects. */
export const pruneIntentsDaily = (ctx: Context): Promise<void> => {
  const {
    clock,
    logger,
    service: { lifetime: signal },
  } = ctx;
  const prune = async (): Promise<void> => {
    await ctx.store.intents.pruneBefore(clock.now() - PRUNE_AFTER_MS, clock.now() - PRUNE_REFUSED_AFTER_MS);
  };
  return runRepeatedly('intent retention', DAY_MS, prune, { clock, logger, signal }).ended;
};

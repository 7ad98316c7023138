// Resumes unsettled submissions after a restart and follows each one to its outcome.
import { isAppError } from '../../../kernel/app-error.ts';
import type { IntentRecord } from '../../../store/intent-log.ts';
import type { Context } from '../../context.ts';
import { readLanded, recordLanded, refreshIndexAccounts } from './record-landed-transaction.ts';
import { submissionOfRecord } from './send-recorded-submission.ts';

/**
 * Resumes the submissions in the background, once at startup, until `ctx.lifetime` is aborted. Never rejects.
 */
export const resumeUnsettled = async (ctx: Context): Promise<void> => {
  const attempt = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      if (!ctx.service.lifetime.aborted && !isAppError(error, 'STORE_UNAVAILABLE'))
        ctx.logger.error({ err: error }, 'unsettled submissions could not be followed');
    }
  };
  await attempt(followAll(ctx, attempt));
};

/** Follows each submission independently. `attempt` handles failures, so one does not affect the others. */
const followAll = async (ctx: Context, attempt: (work: Promise<unknown>) => Promise<void>): Promise<void> => {
  const unsettled = await ctx.store.intents.unsettled();
  if (unsettled.length > 0)
    ctx.logger.info({ count: unsettled.length }, 'following recorded submissions that are not settled');
  await Promise.all(unsettled.map((intent) => attempt(follow(ctx, intent))));
};

const follow = async (ctx: Context, intent: IntentRecord): Promise<void> => {
  const { signature } = intent.submission;
  const outcome = await ctx.chain.submitter.submit(
    { ...submissionOfRecord(intent), maybeSentBefore: true },
    ctx.service.lifetime,
  );
  if (outcome.kind === 'unresolved') return;
  // A repeated request may have settled the intent with its response in the meantime; that response is kept.
  if ((await ctx.store.intents.findSubmission(signature))?.state !== 'signed') return;
  if (outcome.kind === 'confirmed') {
    const { wireBytes } = intent.submission;
    const landed = readLanded(ctx, { signature, slot: outcome.slot, wireBytes });
    refreshIndexAccounts(ctx, landed);
    await recordLanded(ctx, landed, intent.source);
  }
  await ctx.store.intents.settle(signature, {
    state: outcome.kind,
    slot: 'slot' in outcome ? outcome.slot : null,
    error: 'error' in outcome ? JSON.stringify(outcome.error) : null,
    response: null,
  });
  ctx.logger.info({ signature, outcome: outcome.kind }, 'a recorded submission is settled');
};

// Notices of a registration itself: the test ping, and the deregistration notice of a deleted one.
import { pingEvent } from '../../events/delivery/ping-event.ts';
import { RETENTION_MS } from '../../events/delivery/webhook-retention.ts';
import { eventIdOf } from '../../events/watcher/event-of-fact.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { NewEvent } from '../../store/outbox/outbox.ts';
import type { Registration } from '../../store/registration-rows.ts';
import type { Context } from '../context.ts';

/** How long a ping is attempted, ms: at once and a few seconds later. Nobody waits longer, and nobody is hammered through us. */
const PING_LIFE_MS = 60_000;

/** A deregistration notice is attempted for so long, ms. */
const NOTICE_LIFE_MS = 3_600_000;

/** A ping of a registration: for a minute, or by the whole schedule while its receiver has not answered any. */
export const pingOf = async (
  ctx: Context,
  registration: Pick<Registration, 'id' | 'walletAddress' | 'awaitsAnswer'>,
  signal: AbortSignal,
): Promise<NewEvent> =>
  pingEvent(
    registration,
    await knownEpoch(ctx, signal),
    ctx.clock.now(),
    registration.awaitsAnswer ? null : PING_LIFE_MS,
  );

/** The last that a receiver hears: signed, so that it can tell a deletion by somebody else from a lost connection. For an hour at most. */
export const deregistrationNoticeOf = async (
  ctx: Context,
  { id, walletAddress, events }: Registration,
  nowMs: number,
  signal: AbortSignal,
): Promise<NewEvent> => ({
  id: eventIdOf({
    genesisHash: ctx.chain.cluster.genesisHash,
    registrationId: id,
    type: 'registration_deleted',
    fact: String(nowMs),
  }),
  registrationId: id,
  type: 'registration_deleted',
  atMs: nowMs,
  data: JSON.stringify({
    walletAddress,
    epoch: await knownEpoch(ctx, signal),
    webhookId: id,
    events,
    deletedAt: new Date(nowMs).toISOString(),
    restorableUntil: new Date(nowMs + RETENTION_MS).toISOString(),
  }),
  expiresAtMs: nowMs + NOTICE_LIFE_MS,
});

/** Null while no RPC node tells: a notice is no reason to fail. */
const knownEpoch = async (ctx: Context, signal: AbortSignal): Promise<number | null> => {
  try {
    return Number((await ctx.chain.cluster.recentEpochPosition(signal)).epoch);
  } catch (error) {
    signal.throwIfAborted();
    if (!isAppError(error, 'UPSTREAM_UNAVAILABLE')) throw error;
    return null;
  }
};

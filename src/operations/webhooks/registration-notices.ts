// Notices of a registration itself: the test ping, and the deregistration notice of a deleted one.
import { pingEvent } from '../../events/delivery/ping-event.ts';
import { RETENTION_MS } from '../../events/delivery/webhook-retention.ts';
import { eventIdOf } from '../../events/watcher/event-of-fact.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { NewEvent } from '../../store/outbox/outbox.ts';
import type { Registration } from '../../store/registration-rows.ts';
import type { Context } from '../context.ts';

/** How long a ping is attempted, ms: at once and a few seconds later. Short, so that no caller waits long and no third party is flooded. */
const PING_LIFE_MS = 60_000;

/** How long a deregistration notice is attempted, ms. */
const NOTICE_LIFE_MS = 3_600_000;

/** Pings a registration: for one minute, or on the full retry schedule if its receiver has never answered. */
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

/** The last delivery to a receiver, signed, so that it can distinguish a deletion by someone else from a lost connection. Retried for an hour at most. */
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

/** Null if no RPC node answers: a notice must not fail because of that. */
const knownEpoch = async (ctx: Context, signal: AbortSignal): Promise<number | null> => {
  try {
    return Number((await ctx.chain.cluster.recentEpochPosition(signal)).epoch);
  } catch (error) {
    signal.throwIfAborted();
    if (!isAppError(error, 'UPSTREAM_UNAVAILABLE')) throw error;
    return null;
  }
};

// Creates notifications about a registration itself: the test ping and the deletion notice.
import { pingEvent } from '../../events/delivery/ping-event.ts';
import { RETENTION_MS } from '../../events/delivery/webhook-retention.ts';
import { eventIdOf } from '../../events/watcher/event-of-fact.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { NewEvent } from '../../store/outbox/outbox.ts';
import type { Registration } from '../../store/registration-rows.ts';
import type { Context } from '../context.ts';

/**
 * Time during which delivery of a ping is attempted, in ms. It is short, so callers do not wait long and third
 * parties are not flooded.
 */
const PING_LIFE_MS = 60_000;

/** Time during which delivery of a deletion notice is attempted, in ms. */
const NOTICE_LIFE_MS = 3_600_000;

/**
 * Creates a ping. Its delivery is attempted for one minute, or on the full retry schedule if the receiver has
 * never responded.
 */
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

/**
 * Creates the last delivery to a receiver. Its signature shows that the registration was deleted, possibly by
 * someone else, rather than the connection lost. It is retried for at most an hour.
 */
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

/**
 * Returns the current epoch. Returns null if no RPC node responds, because a notice must not fail for that
 * reason.
 */
const knownEpoch = async (ctx: Context, signal: AbortSignal): Promise<number | null> => {
  try {
    return Number((await ctx.chain.cluster.recentEpochPosition(signal)).epoch);
  } catch (error) {
    signal.throwIfAborted();
    if (!isAppError(error, 'UPSTREAM_UNAVAILABLE')) throw error;
    return null;
  }
};

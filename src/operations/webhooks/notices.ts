// Notices of a registration itself: the test ping, and the farewell of a deleted one.
import { randomBytes } from 'node:crypto';
import { RETENTION_MS } from '../../events/delivery/webhook-retention.ts';
import { eventIdOf } from '../../events/watcher/event-id.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { NewEvent } from '../../store/outbox/outbox.ts';
import type { Registration } from '../../store/webhooks.ts';
import type { Context } from '../context.ts';

/** How long a ping is attempted, ms: at once and a few seconds later. Nobody waits longer, and nobody is hammered through us. */
export const PING_LIFE_MS = 60_000;

/** A ping, told apart from every other. */
export const pingOf = async (
  ctx: Context,
  { id, walletAddress }: Registration,
  signal: AbortSignal,
): Promise<NewEvent> => {
  const epoch = await knownEpoch(ctx, signal);
  const nowMs = ctx.clock.now();
  return {
    id: eventIdOf({
      genesisHash: ctx.cluster.genesisHash,
      registrationId: id,
      type: 'ping',
      fact: randomBytes(16).toString('hex'),
    }),
    registrationId: id,
    type: 'ping',
    atMs: nowMs,
    data: JSON.stringify({ walletAddress, epoch, webhookId: id }),
    expiresAtMs: nowMs + PING_LIFE_MS,
  };
};

/** The last that a receiver hears: signed, so that it can tell a deletion by a stranger from a lost connection. */
export const farewellOf = async (
  ctx: Context,
  { id, walletAddress, events }: Registration,
  nowMs: number,
  signal: AbortSignal,
): Promise<NewEvent> => ({
  id: eventIdOf({
    genesisHash: ctx.cluster.genesisHash,
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
  expiresAtMs: null,
});

/** Null while no RPC node tells: a notice is no reason to fail. */
const knownEpoch = async (ctx: Context, signal: AbortSignal): Promise<number | null> => {
  try {
    return Number((await ctx.cluster.recentEpochPosition(signal)).epoch);
  } catch (error) {
    signal.throwIfAborted();
    if (!isAppError(error, 'UPSTREAM_UNAVAILABLE')) throw error;
    return null;
  }
};

// Prunes deliveries and deleted registrations after their time, and sends first pings to registrations that earlier versions made.
import type { Outbox } from '../../store/outbox/outbox.ts';
import type { Webhooks } from '../../store/webhooks.ts';
import { pingEvent } from './ping-event.ts';

/** Settled deliveries stay in the log, dead ones can be replayed, and deleted registrations can be restored for so long, ms: 30 days. */
export const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** What was forgotten. */
interface Forgotten {
  readonly deliveries: number;
  readonly registrations: number;
}

/** Forgets all that is older. For one process at a time, though several do no harm. Rejects with `STORE_UNAVAILABLE`. */
export const pruneOldWebhooks = async (
  {
    webhooks,
    outbox,
  }: {
    readonly webhooks: Pick<Webhooks, 'pruneDeletedBefore'>;
    readonly outbox: Pick<Outbox, 'pruneSettledBefore'>;
  },
  nowMs: number,
): Promise<Forgotten> => {
  const beforeMs = nowMs - RETENTION_MS;
  return {
    deliveries: await outbox.pruneSettledBefore({ deliveredBeforeMs: beforeMs, deadBeforeMs: beforeMs }),
    registrations: await webhooks.pruneDeletedBefore(beforeMs),
  };
};

/** Registrations that are asked at once. */
const ASKED_AT_ONCE = 100;

/** Sends a first ping to every receiver that has answered nothing and was never asked. Rejects with `STORE_UNAVAILABLE`. */
export const pingUnasked = async (
  {
    webhooks,
    outbox,
  }: {
    readonly webhooks: Pick<Webhooks, 'unasked'>;
    readonly outbox: Pick<Outbox, 'record'>;
  },
  nowMs: number,
): Promise<void> => {
  for (;;) {
    const unasked = await webhooks.unasked(ASKED_AT_ONCE);
    await outbox.record(unasked.map((registration) => pingEvent(registration, null, nowMs, null)));
    if (unasked.length < ASKED_AT_ONCE) return;
  }
};

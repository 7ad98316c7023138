// Prunes settled deliveries and deleted registrations after 30 days.
import type { Outbox } from '../../store/outbox/outbox.ts';
import type { Webhooks } from '../../store/webhooks.ts';

/**
 * Time in ms for which settled deliveries stay in the log, dead deliveries can be replayed, and deleted
 * registrations can be restored: 30 days.
 */
export const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** Numbers of pruned rows. */
interface Forgotten {
  readonly deliveries: number;
  readonly registrations: number;
}

/**
 * Deletes everything older than the retention time. Normally one process runs this; concurrent runs are
 * harmless. Rejects with `AppError('STORE_UNAVAILABLE')` if the store is unavailable.
 */
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

// Lists the receivers with deliveries that are waiting or have failed permanently, each with its last attempt.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';
import { readAttemptLog } from './attempt-log.ts';
import type { Receiver } from './outbox.ts';

const MAX_RECEIVERS = 1_000;

/** A disabled registration gets only pings, which its owner sends, and a deleted one its deregistration notice. */
const mayBeAttempted = sql`webhooks.disabled_reason is null
  and (webhooks.deleted_at_ms is not null) = (events.type = 'registration_deleted')`;

/** Implements `Outbox.receivers`. */
export const listReceivers = async (db: Kysely<Database>): Promise<readonly Receiver[]> => {
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.registration')
    .innerJoin('events', 'events.key', 'deliveries.event')
    .where('deliveries.state', 'in', ['pending', 'dead'])
    .groupBy('webhooks.id')
    .select([
      'webhooks.id',
      'webhooks.kind',
      'webhooks.callback_url',
      'webhooks.disabled_reason',
      'webhooks.deleted_at_ms',
      'webhooks.failing_since_ms',
      'webhooks.last_delivery_at_ms',
      sql<bigint>`sum(case when deliveries.state = 'pending' then 1 else 0 end)`.as('waiting'),
      sql<bigint>`sum(case when deliveries.state = 'dead' then 1 else 0 end)`.as('dead'),
      sql<bigint | null>`min(case when ${mayBeAttempted} then deliveries.due_at_ms end)`.as('next_ms'),
      sql<bigint | null>`max(case when deliveries.attempts_ever > 0 then deliveries.event end)`.as(
        'attempted',
      ),
    ])
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .orderBy('webhooks.id')
    .limit(MAX_RECEIVERS)
    .execute();
  const attempted = rows.flatMap(({ attempted: event }) => event ?? []);
  const logs =
    attempted.length === 0
      ? []
      : await db
          .selectFrom('deliveries')
          .select(['event', 'attempt_log'])
          .where('event', 'in', attempted)
          .execute();
  const logOf = new Map(logs.map(({ event, attempt_log }) => [String(event), attempt_log]));
  return rows.map((row) => ({
    registrationId: row.id,
    kind: row.kind,
    callbackUrl: row.callback_url,
    isDisabled: row.disabled_reason !== null,
    isDeleted: row.deleted_at_ms !== null,
    failingSinceMs: row.failing_since_ms === null ? null : Number(row.failing_since_ms),
    waiting: Number(row.waiting),
    dead: Number(row.dead),
    nextAttemptAtMs: row.next_ms === null ? null : Number(row.next_ms),
    lastAttempt: readAttemptLog(logOf.get(String(row.attempted)) ?? '').at(-1) ?? null,
    lastAcceptedAtMs: row.last_delivery_at_ms === null ? null : Number(row.last_delivery_at_ms),
  }));
};

// Registrations of callbacks, their events, deliveries and attempts.
import { sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

export const webhooks: Migration = {
  name: '0005-webhooks',
  up: async (db, { text, integer, identity, tableOptions }) => {
    await sql`
      create table webhooks (
        id ${text} primary key,
        kind ${text} not null,
        wallet ${text} not null,
        callback_url ${text} not null,
        events ${text} not null,
        created_at_ms ${integer} not null,
        created_epoch ${integer} not null,
        created_slot ${integer} not null,
        client ${text} not null,
        secret_generation ${integer} not null,
        rotated_at_ms ${integer},
        last_delivery_at_ms ${integer},
        failing_since_ms ${integer},
        disabled_reason ${text},
        deleted_at_ms ${integer}
      ) ${tableOptions}`.execute(db);
    await sql`create index webhooks_by_wallet on webhooks (wallet) where deleted_at_ms is null`.execute(db);
    await sql`create index webhooks_by_client on webhooks (client, wallet) where deleted_at_ms is null`.execute(
      db,
    );
    await sql`create index webhooks_deleted on webhooks (deleted_at_ms) where deleted_at_ms is not null`.execute(
      db,
    );
    // Deliveries refer to events by number: by their random ids, every write would touch pages all over the file (twice the time, 2026-11).
    await sql`
      create table events (
        key ${identity},
        id ${text} not null unique,
        registration ${text} not null references webhooks (id),
        type ${text} not null,
        at_ms ${integer} not null,
        data ${text} not null,
        expires_at_ms ${integer}
      ) ${tableOptions}`.execute(db);
    await sql`create index events_by_registration on events (registration)`.execute(db);
    // A lease is in no index, so that taking one writes the row alone: whoever finds it past may take it.
    await sql`
      create table deliveries (
        event ${integer} primary key references events (key),
        registration ${text} not null,
        at_ms ${integer} not null,
        state ${text} not null,
        attempts ${integer} not null,
        attempts_ever ${integer} not null,
        due_at_ms ${integer},
        lease_owner ${text},
        lease_until_ms ${integer},
        settled_at_ms ${integer},
        attempt_log ${text} not null
      ) ${tableOptions}`.execute(db);
    await sql`
      create index deliveries_due on deliveries (due_at_ms, at_ms, event, registration)
      where state = 'pending'`.execute(db);
    await sql`create index deliveries_by_registration on deliveries (registration, at_ms, event)`.execute(db);
    // To count them.
    await sql`create index deliveries_dead on deliveries (event) where state = 'dead'`.execute(db);
    await sql`
      create table marks (
        name ${text} primary key,
        value ${text} not null
      ) ${tableOptions}`.execute(db);
  },
};

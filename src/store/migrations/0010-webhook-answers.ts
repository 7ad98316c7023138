// Which receivers never answered, which registrations only their secret may delete, and the host of each callback, for caps.
import { sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

export const webhookAnswers: Migration = {
  name: '0010-webhook-answers',
  up: async (db, { text, integer }) => {
    await sql`alter table webhooks add column awaits_answer ${integer} not null default 0`.execute(db);
    await sql`alter table webhooks add column secret_deletes ${integer} not null default 0`.execute(db);
    await sql`alter table webhooks add column callback_host ${text} not null default ''`.execute(db);
    // Whoever ever answered 2xx has answered.
    await sql`update webhooks set awaits_answer = 1 where kind = 'events' and last_delivery_at_ms is null`.execute(
      db,
    );
    // What is due to the others waits; pings do not.
    await sql`update deliveries set due_at_ms = null where state = 'pending'
      and registration in (select id from webhooks where awaits_answer = 1)
      and event not in (select key from events where type in ('ping', 'registration_deleted'))`.execute(db);
    const rows = await db.selectFrom('webhooks').select(['id', 'callback_url']).execute();
    for (const { id, callback_url } of rows)
      await db
        .updateTable('webhooks')
        .set({ callback_host: new URL(callback_url).hostname })
        .where('id', '=', id)
        .execute();
    await sql`create index webhooks_awaiting on webhooks (callback_host) where awaits_answer = 1`.execute(db);
  },
};

// Intents and their submissions, as the first stores had them; those are taken over as they are.
import { sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

export const intents: Migration = {
  name: '0001-intents',
  up: async (db, { text, integer, bytes, tableOptions }) => {
    await sql`
      create table if not exists submissions (
        signature ${text} primary key,
        wire_bytes ${bytes} not null,
        last_valid_block_height ${integer} not null,
        nonce_account ${text},
        nonce_value ${text},
        state ${text} not null,
        slot ${integer},
        error ${text}
      ) ${tableOptions}`.execute(db);
    await sql`
      create table if not exists intents (
        operation ${text} not null,
        wallet ${text} not null,
        key ${text} not null,
        parameters ${text} not null,
        source ${text} not null,
        created_at_ms ${integer} not null,
        signature ${text} not null references submissions (signature),
        answer ${text},
        primary key (operation, wallet, key)
      ) ${tableOptions}`.execute(db);
    await sql`create index if not exists intents_by_age on intents (created_at_ms)`.execute(db);
    await sql`create index if not exists submissions_unsettled on submissions (state) where state = 'signed'`.execute(
      db,
    );
  },
};

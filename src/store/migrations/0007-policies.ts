// The autopilot's policies, with what became of each last.
import { sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

export const policies: Migration = {
  name: '0007-policies',
  up: async (db, { text, integer, tableOptions }) => {
    await sql`
      create table policies (
        wallet ${text} primary key,
        keep_liquid_lamports ${integer} not null check (keep_liquid_lamports >= 0),
        min_sweep_lamports ${integer} not null check (min_sweep_lamports >= 0),
        callback_url ${text} not null,
        paused ${integer} not null,
        nonce ${integer} not null,
        signature ${text} not null,
        registration ${text} not null,
        created_at_ms ${integer} not null,
        updated_at_ms ${integer} not null,
        deleted_at_ms ${integer},
        sweep_epoch ${integer},
        sweep_lamports ${integer},
        sweep_stake_account ${text},
        sweep_event ${text},
        sweep_at_ms ${integer},
        skip_epoch ${integer},
        skip_reason ${text},
        skip_at_ms ${integer}
      ) ${tableOptions}`.execute(db);
    await sql`
      create index policies_active on policies (wallet)
      where deleted_at_ms is null and paused = 0`.execute(db);
  },
};

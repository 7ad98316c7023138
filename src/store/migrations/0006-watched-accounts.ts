// The watcher's stored stake accounts.
import { sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

export const watchedAccounts: Migration = {
  name: '0006-watched-accounts',
  up: async (db, { text, integer, bytes, tableOptions }) => {
    await sql`
      create table watched_accounts (
        address ${text} primary key,
        wallet ${text} not null,
        slot ${integer} not null,
        lamports ${integer} not null,
        data ${bytes} not null,
        delegated_epoch ${integer}
      ) ${tableOptions}`.execute(db);
  },
};

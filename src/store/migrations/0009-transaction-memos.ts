// Whether a recorded transaction carries our memo: until here only those that do were recorded.
import { sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

export const transactionMemos: Migration = {
  name: '0009-transaction-memos',
  up: async (db, { integer }) => {
    await sql`alter table transactions add column has_memo ${integer} not null default 1`.execute(db);
  },
};

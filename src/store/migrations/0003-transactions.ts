// Landed transactions, ordered for a wallet's history and for windows of time, and how far each address was searched.
import { sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

export const transactions: Migration = {
  name: '0003-transactions',
  up: async (db, { text, integer, tableOptions }) => {
    await sql`
      create table transactions (
        signature ${text} primary key,
        type ${text} not null,
        wallet ${text} not null,
        stake_account ${text},
        lamports ${integer} not null check (lamports >= 0),
        slot ${integer} not null,
        epoch ${integer} not null,
        confirmed_at_ms ${integer} not null,
        source ${text} not null
      ) ${tableOptions}`.execute(db);
    await sql`create index transactions_by_wallet on transactions (wallet, slot, signature)`.execute(db);
    await sql`create index transactions_by_time on transactions (confirmed_at_ms)`.execute(db);
    await sql`
      create table coverage (
        address ${text} primary key,
        from_slot ${integer} not null,
        from_signature ${text},
        to_slot ${integer} not null,
        to_signature ${text},
        reaches_start ${integer} not null
      ) ${tableOptions}`.execute(db);
  },
};

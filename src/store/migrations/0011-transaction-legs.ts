// What a landed transaction did to each stake account: until here a transaction was one act on one account.
import { sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

export const transactionLegs: Migration = {
  name: '0011-transaction-legs',
  up: async (db, { text, integer, tableOptions }) => {
    await sql`
      create table transaction_legs (
        signature ${text} not null,
        leg ${integer} not null,
        type ${text} not null,
        stake_account ${text},
        counter_account ${text},
        lamports ${integer},
        primary key (signature, leg)
      ) ${tableOptions}`.execute(db);
  },
};

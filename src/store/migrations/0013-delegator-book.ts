// The delegator book: every account of the validator as it was last noted, what became of each, and stake by epoch.
import { sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

export const delegatorBook: Migration = {
  name: '0013-delegator-book',
  up: async (db, { text, integer, tableOptions }) => {
    await sql`
      create table book_accounts (
        address ${text} primary key,
        wallet ${text} not null,
        staker ${text} not null,
        stake_lamports ${integer} not null,
        credits ${integer} not null,
        activation_epoch ${integer},
        deactivation_epoch ${integer},
        slot ${integer} not null,
        first_seen_epoch ${integer} not null,
        first_seen_at_ms ${integer} not null,
        left_at_ms ${integer}
      ) ${tableOptions}`.execute(db);
    await sql`create index book_accounts_by_age on book_accounts (first_seen_at_ms)`.execute(db);
    await sql`
      create table book_changes (
        address ${text} not null,
        slot ${integer} not null,
        kind ${text} not null,
        wallet ${text} not null,
        epoch ${integer} not null,
        at_ms ${integer} not null,
        lamports ${integer} not null,
        primary key (address, slot, kind)
      ) ${tableOptions}`.execute(db);
    await sql`create index book_changes_by_time on book_changes (at_ms, address)`.execute(db);
    await sql`create index book_changes_by_wallet on book_changes (wallet, at_ms)`.execute(db);
    await sql`
      create table book_epochs (
        epoch ${integer} primary key,
        accounts ${integer} not null,
        delegators ${integer} not null,
        active_lamports ${integer} not null,
        activating_lamports ${integer} not null,
        deactivating_lamports ${integer} not null
      ) ${tableOptions}`.execute(db);
    // Which transaction made an account of the book.
    await sql`create index transactions_by_stake_account on transactions (stake_account)`.execute(db);
    await sql`create index transaction_legs_by_account on transaction_legs (stake_account)`.execute(db);
    await sql`create index transaction_legs_by_counter on transaction_legs (counter_account)`.execute(db);
  },
};

// Samples of the validator and counts of calls.
import { sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

export const samples: Migration = {
  name: '0004-samples',
  up: async (db, { text, integer, real, tableOptions }) => {
    await sql`
      create table epoch_samples (
        epoch ${integer} primary key,
        active_stake_lamports ${integer},
        credits ${integer},
        apy ${real},
        commission ${real},
        skip_rate ${real}
      ) ${tableOptions}`.execute(db);
    await sql`
      create table vote_samples (
        quarter_hour ${integer} primary key,
        timestamp_ms ${integer} not null,
        slot ${integer} not null,
        vote_success_rate ${real} not null
      ) ${tableOptions}`.execute(db);
    await sql`
      create table delinquency_samples (
        epoch ${integer} primary key,
        samples ${integer} not null,
        delinquent ${integer} not null
      ) ${tableOptions}`.execute(db);
    await sql`
      create table endpoint_counts (
        endpoint ${text} primary key,
        count ${integer} not null
      ) ${tableOptions}`.execute(db);
  },
};

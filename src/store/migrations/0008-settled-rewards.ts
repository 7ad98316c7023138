// Rewards of ended epochs that cannot change any more, so that they outlive the account and the RPC's memory.
import { sql } from 'kysely';
import type { Migration } from '../engine/migrate.ts';

export const settledRewards: Migration = {
  name: '0008-settled-rewards',
  up: async (db, { text, integer, real, tableOptions }) => {
    await sql`
      create table settled_rewards (
        stake_account ${text} not null,
        epoch ${integer} not null,
        wallet ${text} not null,
        inflation_lamports ${integer},
        tips_lamports ${integer},
        post_balance_lamports ${integer},
        commission_pct ${real},
        effective_slot ${integer},
        paid_at_ms ${integer},
        primary key (stake_account, epoch)
      ) ${tableOptions}`.execute(db);
    await sql`create index settled_rewards_by_wallet on settled_rewards (wallet, stake_account)`.execute(db);
  },
};

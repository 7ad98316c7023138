// Final rewards of ended epochs. They are stored permanently, and each value is added once it is known.
import { type Kysely, sql } from 'kysely';
import { guardedQuery, withStoreErrors } from './engine/store-errors.ts';
import type { Database } from './schema.ts';

/** One account in one ended epoch. Null means that a value is unknown or not final yet. */
export interface SettledReward {
  readonly stakeAccountAddress: string;
  readonly epoch: bigint;
  /** The withdraw authority that first requested the rewards. */
  readonly wallet: string;
  readonly inflationLamports: bigint | null;
  readonly tipsLamports: bigint | null;
  /** Also null if nothing was paid. */
  readonly postBalanceLamports: bigint | null;
  /** Percent. */
  readonly commissionPct: number | null;
  /** Slot in which the inflation reward was paid. */
  readonly effectiveSlot: bigint | null;
  /** Time of payment, milliseconds since the Unix epoch. */
  readonly paidAtMs: number | null;
}

/** Durable rewards. Rejects like `TransactionRecords`. */
export interface SettledRewards {
  /** Stores rewards. Known values replace earlier ones; nulls do not. */
  readonly record: (rewards: readonly SettledReward[]) => Promise<void>;
  /** Returns the rewards of these accounts (at most 500) from `fromEpoch` onwards, oldest first. */
  readonly find: (stakeAccounts: readonly string[], fromEpoch: bigint) => Promise<readonly SettledReward[]>;
  /** Lists the accounts with stored rewards requested by `wallet`. */
  readonly accountsOf: (wallet: string) => Promise<readonly string[]>;
}

/** Number of rows per insert. With nine values each, this stays below every engine's parameter limit. */
const ROWS = 100;

export const createSettledRewards = (db: Kysely<Database>): SettledRewards => ({
  record: (rewards) =>
    withStoreErrors(() =>
      db.transaction().execute(async (transaction) => {
        // Sorted, so two processes that write the same rewards cannot deadlock.
        const sorted = rewards.toSorted(
          (a, b) => Number(a.epoch - b.epoch) || (a.stakeAccountAddress < b.stakeAccountAddress ? -1 : 1),
        );
        for (let at = 0; at < sorted.length; at += ROWS)
          await upsert(transaction, sorted.slice(at, at + ROWS));
      }),
    ),

  find: (stakeAccounts, fromEpoch) =>
    guardedQuery(async () => {
      if (stakeAccounts.length === 0) return [];
      const rows = await db
        .selectFrom('settled_rewards')
        .selectAll()
        .where('stake_account', 'in', stakeAccounts)
        .where('epoch', '>=', fromEpoch)
        .orderBy('epoch')
        .execute();
      return rows.map(rewardOf);
    }),

  accountsOf: (wallet) =>
    guardedQuery(async () => {
      const rows = await db
        .selectFrom('settled_rewards')
        .select('stake_account')
        .distinct()
        .where('wallet', '=', wallet)
        .orderBy('stake_account')
        .execute();
      return rows.map((row) => row.stake_account);
    }),
});

const upsert = async (db: Kysely<Database>, rewards: readonly SettledReward[]): Promise<void> => {
  await db
    .insertInto('settled_rewards')
    .values(rewards.map(rowOf))
    .onConflict((conflict) =>
      conflict.columns(['stake_account', 'epoch']).doUpdateSet({
        inflation_lamports: newerOf('inflation_lamports'),
        tips_lamports: newerOf('tips_lamports'),
        post_balance_lamports: newerOf('post_balance_lamports'),
        commission_pct: newerOf('commission_pct'),
        effective_slot: newerOf('effective_slot'),
        paid_at_ms: newerOf('paid_at_ms'),
      }),
    )
    .execute();
};

const newerOf = (column: Exclude<keyof Database['settled_rewards'], 'stake_account' | 'epoch' | 'wallet'>) =>
  sql<never>`coalesce(excluded.${sql.id(column)}, settled_rewards.${sql.id(column)})`;

const rowOf = (reward: SettledReward): Database['settled_rewards'] => ({
  stake_account: reward.stakeAccountAddress,
  epoch: reward.epoch,
  wallet: reward.wallet,
  inflation_lamports: reward.inflationLamports,
  tips_lamports: reward.tipsLamports,
  post_balance_lamports: reward.postBalanceLamports,
  commission_pct: reward.commissionPct,
  effective_slot: reward.effectiveSlot,
  paid_at_ms: reward.paidAtMs === null ? null : BigInt(reward.paidAtMs),
});

const rewardOf = (row: Database['settled_rewards']): SettledReward => ({
  stakeAccountAddress: row.stake_account,
  epoch: row.epoch,
  wallet: row.wallet,
  inflationLamports: row.inflation_lamports,
  tipsLamports: row.tips_lamports,
  postBalanceLamports: row.post_balance_lamports,
  commissionPct: row.commission_pct,
  effectiveSlot: row.effective_slot,
  paidAtMs: row.paid_at_ms === null ? null : Number(row.paid_at_ms),
});

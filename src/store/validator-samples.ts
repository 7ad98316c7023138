// Samples of the validator: one row per epoch, one vote sample per quarter of an hour, and delinquency counts
// by epoch.
import { type Kysely, sql } from 'kysely';
import { inBatches } from './engine/delete-in-batches.ts';
import { guardedQuery, withStoreErrors } from './engine/store-errors.ts';
import type { Database } from './schema.ts';

/** Values of one epoch. Null means unknown; the value can be added later. */
export interface EpochSample {
  readonly epoch: bigint;
  readonly activeStakeLamports: bigint | null;
  readonly credits: bigint | null;
  /** Percent. */
  readonly apy: number | null;
  /** Percent. */
  readonly commission: number | null;
  /** Percent. */
  readonly skipRate: number | null;
  /** Percent, of all validators. */
  readonly clusterSkipRate: number | null;
  /** Rank by stake; 1 is the largest. */
  readonly stakeRank: number | null;
  /** Number of validators with stake. */
  readonly validators: number | null;
  /** Inflation commission that was paid for the epoch. */
  readonly commissionLamports: bigint | null;
  /** The validator's share of the MEV tips. */
  readonly tipsLamports: bigint | null;
  /** Fees and priority fees of the leader slots read so far. */
  readonly blockRewardsLamports: bigint | null;
  /** The last leader slot that `blockRewardsLamports` includes. */
  readonly blockRewardsSlot: bigint | null;
  /** Leader slots of the epoch that `blockRewardsLamports` does not include. */
  readonly leaderSlotsUnread: number | null;
}

/** Values to record. Null or absent values leave the stored ones unchanged. */
export type NewEpochSample = Pick<EpochSample, 'epoch'> & Partial<EpochSample>;

/** A vote sample. */
export interface VoteSample {
  /** Milliseconds since the Unix epoch. */
  readonly timestampMs: number;
  readonly slot: bigint;
  /** Percentage of the maximum credits so far in the epoch. */
  readonly voteSuccessRate: number;
}

/** Number of polls of the validator, and in how many of them it was delinquent. */
interface DelinquencyTally {
  readonly samples: number;
  readonly delinquent: number;
}

interface SampleRetention {
  /** Deletes vote samples from before this time, in ms since the Unix epoch. */
  readonly votesBeforeMs: number;
  /** Deletes the delinquency of epochs before this one. */
  readonly delinquencyBeforeEpoch: bigint;
}

/** Durable samples. All methods reject like those of `TransactionRecords`. */
export interface Samples {
  /** Records an epoch. Known values replace earlier ones; nulls do not. */
  readonly recordEpochs: (samples: readonly NewEpochSample[]) => Promise<void>;
  /** Lists the newest `limit` epochs, newest first. */
  readonly epochs: (limit: number) => Promise<readonly EpochSample[]>;
  /**
   * Stores the first sample of each quarter of an hour. Returns false if there already was one, for instance
   * from another replica.
   */
  readonly recordVote: (sample: VoteSample) => Promise<boolean>;
  /** Lists samples from `sinceMs` onwards, oldest first. 30 days have 2,880. */
  readonly votes: (sinceMs: number) => Promise<readonly VoteSample[]>;
  readonly recordDelinquency: (sample: {
    readonly epoch: bigint;
    readonly isDelinquent: boolean;
  }) => Promise<void>;
  /** Counts all samples from `fromEpoch` onwards. */
  readonly delinquency: (fromEpoch: bigint) => Promise<DelinquencyTally>;
  /** Deletes old samples, a few hundred rows at a time. Returns the number of deleted rows. */
  readonly forget: (retention: SampleRetention) => Promise<number>;
}

const QUARTER_HOUR_MS = 15 * 60 * 1000;

export const createSamples = (db: Kysely<Database>): Samples => ({
  recordEpochs: (samples) =>
    withStoreErrors(() =>
      db.transaction().execute(async (transaction) => {
        for (const sample of samples.toSorted((a, b) => (a.epoch < b.epoch ? -1 : 1)))
          await transaction
            .insertInto('epoch_samples')
            .values(rowOf(sample))
            .onConflict((conflict) => conflict.column('epoch').doUpdateSet(newerValues))
            .execute();
      }),
    ),

  epochs: (limit) =>
    guardedQuery(async () => {
      const rows = await db
        .selectFrom('epoch_samples')
        .selectAll()
        .orderBy('epoch', 'desc')
        .limit(limit)
        .execute();
      return rows.map(sampleOf);
    }),

  recordVote: ({ timestampMs, slot, voteSuccessRate }) =>
    withStoreErrors(async () => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('vote_samples')
        .values({
          quarter_hour: quarterHour(timestampMs),
          timestamp_ms: BigInt(timestampMs),
          slot,
          vote_success_rate: voteSuccessRate,
        })
        .onConflict((conflict) => conflict.column('quarter_hour').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    }),

  votes: (sinceMs) =>
    guardedQuery(async () => {
      const rows = await db
        .selectFrom('vote_samples')
        .selectAll()
        .where('quarter_hour', '>=', quarterHour(sinceMs))
        .where('timestamp_ms', '>=', BigInt(sinceMs))
        .orderBy('quarter_hour')
        .execute();
      return rows.map((row) => ({
        timestampMs: Number(row.timestamp_ms),
        slot: row.slot,
        voteSuccessRate: row.vote_success_rate,
      }));
    }),

  recordDelinquency: ({ epoch, isDelinquent }) =>
    withStoreErrors(async () => {
      await db
        .insertInto('delinquency_samples')
        .values({ epoch, samples: 1n, delinquent: isDelinquent ? 1n : 0n })
        .onConflict((conflict) =>
          conflict.column('epoch').doUpdateSet({
            samples: sql`delinquency_samples.samples + excluded.samples`,
            delinquent: sql`delinquency_samples.delinquent + excluded.delinquent`,
          }),
        )
        .execute();
    }),

  delinquency: (fromEpoch) =>
    guardedQuery(async () => {
      const row = await db
        .selectFrom('delinquency_samples')
        .select([
          sql<bigint>`cast(coalesce(sum(samples), 0) as bigint)`.as('samples'),
          sql<bigint>`cast(coalesce(sum(delinquent), 0) as bigint)`.as('delinquent'),
        ])
        .where('epoch', '>=', fromEpoch)
        .executeTakeFirstOrThrow();
      return { samples: Number(row.samples), delinquent: Number(row.delinquent) };
    }),

  forget: ({ votesBeforeMs, delinquencyBeforeEpoch }) =>
    withStoreErrors(async () => {
      const votes = await inBatches((limit) => pruneVotes(db, votesBeforeMs, limit));
      const { numDeletedRows } = await db
        .deleteFrom('delinquency_samples')
        .where('epoch', '<', delinquencyBeforeEpoch)
        .executeTakeFirstOrThrow();
      return votes + Number(numDeletedRows);
    }),
});

const quarterHour = (timestampMs: number): bigint => BigInt(Math.floor(timestampMs / QUARTER_HOUR_MS));

type EpochRow = Database['epoch_samples'];

const wholeOrNull = (value: number | null | undefined): bigint | null =>
  value == null ? null : BigInt(value);
const numberOrNull = (value: bigint | null): number | null => (value === null ? null : Number(value));

const rowOf = (sample: NewEpochSample): EpochRow => ({
  epoch: sample.epoch,
  active_stake_lamports: sample.activeStakeLamports ?? null,
  credits: sample.credits ?? null,
  apy: sample.apy ?? null,
  commission: sample.commission ?? null,
  skip_rate: sample.skipRate ?? null,
  cluster_skip_rate: sample.clusterSkipRate ?? null,
  stake_rank: wholeOrNull(sample.stakeRank),
  validators: wholeOrNull(sample.validators),
  commission_lamports: sample.commissionLamports ?? null,
  tips_lamports: sample.tipsLamports ?? null,
  block_rewards_lamports: sample.blockRewardsLamports ?? null,
  block_rewards_slot: sample.blockRewardsSlot ?? null,
  leader_slots_unread: wholeOrNull(sample.leaderSlotsUnread),
});

const sampleOf = (row: EpochRow): EpochSample => ({
  epoch: row.epoch,
  activeStakeLamports: row.active_stake_lamports,
  credits: row.credits,
  apy: row.apy,
  commission: row.commission,
  skipRate: row.skip_rate,
  clusterSkipRate: row.cluster_skip_rate,
  stakeRank: numberOrNull(row.stake_rank),
  validators: numberOrNull(row.validators),
  commissionLamports: row.commission_lamports,
  tipsLamports: row.tips_lamports,
  blockRewardsLamports: row.block_rewards_lamports,
  blockRewardsSlot: row.block_rewards_slot,
  leaderSlotsUnread: numberOrNull(row.leader_slots_unread),
});

/** Sets every column to the new value, or keeps the stored value if the new one is null. */
const newerValues = Object.fromEntries(
  Object.keys(rowOf({ epoch: 0n }))
    .filter((column) => column !== 'epoch')
    .map((column) => [
      column,
      sql<never>`coalesce(excluded.${sql.id(column)}, epoch_samples.${sql.id(column)})`,
    ]),
);

const pruneVotes = async (db: Kysely<Database>, beforeMs: number, limit: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('vote_samples')
    .where('quarter_hour', 'in', (old) =>
      old
        .selectFrom('vote_samples')
        .select('quarter_hour')
        .where('quarter_hour', '<=', quarterHour(beforeMs))
        .where('timestamp_ms', '<', BigInt(beforeMs))
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};

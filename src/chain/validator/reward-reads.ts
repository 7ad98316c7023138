// Reads rewards: the inflation rewards of ended epochs (paid, not paid, or unknown), and the fees of single
// blocks.
import type { Address } from '@solana/kit';
import type { InflationPayment } from '../../domain/portfolio/account-rewards.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { ReadOptions } from '../ports.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { asUnavailable, type RpcCall, type RpcPool } from '../rpc/rpc-pool.ts';
import { blockRewardsSchema, blockTimeSchema, inflationRewardsSchema } from './validator-schemas.ts';

/** An inflation reward, with the slot in which it was paid. */
export interface PaidInflation extends InflationPayment {
  readonly effectiveSlot: bigint;
}

/** Rewards of one epoch for the requested addresses. */
export type EpochPayments =
  /** Payments by address; null if nothing was paid. */
  | {
      readonly epoch: bigint;
      readonly state: 'known';
      readonly payments: ReadonlyMap<Address, PaidInflation | null>;
    }
  /** Rewards are being distributed; the result is known in a minute or two. */
  | { readonly epoch: bigint; readonly state: 'distributing' }
  /** The epoch has not ended, or no node has blocks that old. */
  | { readonly epoch: bigint; readonly state: 'unavailable' };

/**
 * Reads rewards. All methods throw `AppError('UPSTREAM_UNAVAILABLE')` if no RPC returns a usable response in
 * time.
 */
export interface RewardReads {
  /**
   * Returns payments in the order of `epochs`. Makes at most four concurrent requests of 100 addresses each.
   * Reads at `finalized` by default.
   */
  readonly inflationPayments: (
    addresses: readonly Address[],
    epochs: readonly bigint[],
    options: ReadOptions,
  ) => Promise<readonly EpochPayments[]>;
  /** Returns the time of the block at `slot` in seconds since the Unix epoch; null if no node knows it. */
  readonly blockTimeSeconds: (slot: bigint, options: ReadOptions) => Promise<number | null>;
  /**
   * Returns the fees, in lamports, that the leader of a finalized block received; null if no node has the
   * block. Nodes give the same response for skipped slots and for blocks that they have lost, so both are
   * `missing`.
   */
  readonly blockRewardLamports: (slot: bigint, options: ReadOptions) => Promise<bigint | 'missing' | null>;
}

const ADDRESSES_PER_CALL = 100;
const UNDER_WAY = 4;

/**
 * Agave's error codes: the rewards period is still active; the block has been cleaned up, is not available
 * yet, was skipped, or is beyond the node's history.
 */
const DISTRIBUTING = -32_017;
const MISSING = new Set([-32_007, -32_009]);
const NO_BLOCK = new Set([-32_001, -32_004, -32_007, -32_009, -32_011, -32_014]);

/** Returns the JSON-RPC error code if nodes refused the request, otherwise null. */
const refusal = (error: unknown): number | null => {
  if (error instanceof RpcError) return error.code;
  return isAppError(error, 'UPSTREAM_UNAVAILABLE') && error.cause instanceof RpcError
    ? error.cause.code
    : null;
};

const chunks = (addresses: readonly Address[]): readonly (readonly Address[])[] =>
  Array.from({ length: Math.ceil(addresses.length / ADDRESSES_PER_CALL) }, (_, i) =>
    addresses.slice(i * ADDRESSES_PER_CALL, (i + 1) * ADDRESSES_PER_CALL),
  );

/**
 * Applies `use` to each item, with at most `UNDER_WAY` concurrent calls, and keeps the order. The first
 * failure stops the rest and is thrown once no call is running.
 */
const mapFew = async <T, R>(items: readonly T[], use: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      try {
        results[index] = await use(items[index]!);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(UNDER_WAY, items.length) }, work));
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
  return results;
};

/**
 * Creates the reads over a pool. Stateless. Rewards of an ended epoch never change, so callers may cache them
 * forever.
 */
export const createRewardReads = (pool: RpcPool): RewardReads => {
  const rewardsCall = (
    addresses: readonly Address[],
    epoch: bigint,
    { commitment = 'finalized' }: ReadOptions,
  ): RpcCall<readonly (PaidInflation | null)[]> => ({
    method: 'getInflationReward',
    params: [addresses, { commitment, epoch: Number(epoch) }],
    schema: inflationRewardsSchema
      .refine((rows) => rows.length === addresses.length)
      .refine((rows) => rows.every((row) => row === null || row.epoch === epoch))
      .transform((rows) =>
        rows.map(
          (row) =>
            row && {
              epoch,
              effectiveSlot: row.effectiveSlot,
              lamports: row.amount,
              postBalanceLamports: row.postBalance,
              commissionPct: row.commissionPct,
            },
        ),
      ),
  });

  const part = async (addresses: readonly Address[], epoch: bigint, options: ReadOptions) => {
    try {
      return await pool.call(rewardsCall(addresses, epoch, options), { signal: options.signal });
    } catch (error) {
      const code = refusal(error);
      if (code === DISTRIBUTING) return 'distributing';
      if (code !== null && NO_BLOCK.has(code)) return 'unavailable';
      throw asUnavailable(error);
    }
  };

  return {
    inflationPayments: async (addresses, epochs, options) => {
      const parts = chunks(addresses);
      const jobs = epochs.flatMap((epoch) => parts.map((asked) => ({ epoch, asked })));
      const responses = await mapFew(jobs, ({ epoch, asked }) => part(asked, epoch, options));
      return epochs.map((epoch, index): EpochPayments => {
        const own = responses.slice(index * parts.length, (index + 1) * parts.length);
        const missing = own.find((response) => typeof response === 'string');
        if (missing !== undefined) return { epoch, state: missing as 'distributing' | 'unavailable' };
        const rows = own.flat() as (PaidInflation | null)[];
        return { epoch, state: 'known', payments: new Map(addresses.map((one, i) => [one, rows[i]!])) };
      });
    },

    blockTimeSeconds: async (slot, { signal }) => {
      try {
        return await pool.call(
          { method: 'getBlockTime', params: [Number(slot)], schema: blockTimeSchema },
          { signal },
        );
      } catch (error) {
        const code = refusal(error);
        if (code !== null && NO_BLOCK.has(code)) return null;
        throw asUnavailable(error);
      }
    },

    blockRewardLamports: async (slot, { signal }) => {
      const config = {
        transactionDetails: 'none',
        rewards: true,
        commitment: 'finalized',
        maxSupportedTransactionVersion: 1,
      };
      try {
        const { rewards } = await pool.call(
          { method: 'getBlock', params: [Number(slot), config], schema: blockRewardsSchema },
          { signal },
        );
        // All fees of a block go to its leader, on an account of the leader's choice.
        const fees = rewards.filter(({ rewardType }) => rewardType === 'Fee');
        return fees.reduce((sum, { lamports }) => sum + lamports, 0n);
      } catch (error) {
        const code = refusal(error);
        if (code !== null && MISSING.has(code)) return 'missing';
        if (code !== null && NO_BLOCK.has(code)) return null;
        throw asUnavailable(error);
      }
    },
  };
};

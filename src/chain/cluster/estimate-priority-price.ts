// Estimates the price per compute unit that a transaction currently needs to land on the cluster.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import type { PriceLevel } from '../../domain/priority-levels.ts';
import type { Clock } from '../../kernel/clock.ts';
import { ascending } from '../../kernel/order.ts';
import type { PriceEstimate } from '../ports.ts';
import { RpcError, rpcErrorCodes } from '../rpc/rpc-error.ts';
import type { RpcCall, RpcPool } from '../rpc/rpc-pool.ts';
import { u64Schema } from '../rpc/rpc-schemas.ts';

/** Maximum number of nodes to query. The median of their estimates is used. */
const MAX_NODES = 3;
/**
 * Time limit for one node in ms. If no node responds in time, the transaction is built without a priority fee
 * instead of being delayed.
 */
const NODE_TIMEOUT_MS = 2_000;
/** Maximum number of accounts per call (Agave refuses more). */
const MAX_ACCOUNTS = 128;
/** Age in ms up to which an estimate is reused for the same accounts: about five blocks. */
const FRESH_MS = 2_000;
const MAX_REMEMBERED = 1_000;

/** The percentile of the recent blocks' lowest prices that each level pays. */
const PERCENTILES = { low: 25, medium: 50, high: 75 } as const satisfies Record<PriceLevel, number>;

type Levels = Readonly<Record<PriceLevel, bigint>>;

/**
 * The lowest price that landed in each of up to 150 recent blocks, for transactions that write one of
 * `accounts`. Source: Agave, `getRecentPrioritizationFees`.
 */
const recentFeesCall = (accounts: readonly Address[]): RpcCall<Levels> => ({
  method: 'getRecentPrioritizationFees',
  params: [accounts],
  schema: recentFeesSchema,
});

const percentile = (sorted: readonly bigint[], percent: number): bigint =>
  sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0n;

const recentFeesSchema = z
  .array(z.object({ slot: u64Schema, prioritizationFee: u64Schema }))
  .transform((rows): Levels => {
    const sorted = rows.map(({ prioritizationFee }) => prioritizationFee).sort(ascending);
    return {
      low: percentile(sorted, PERCENTILES.low),
      medium: percentile(sorted, PERCENTILES.medium),
      high: percentile(sorted, PERCENTILES.high),
    };
  });

const roundedUp = z
  .number()
  .nonnegative()
  .max(Number.MAX_SAFE_INTEGER)
  .transform((price) => BigInt(Math.ceil(price)));

/**
 * An estimate based on all prices that landed in recent blocks, not only on the lowest ones. Some providers
 * offer it. Source: Helius, `getPriorityFeeEstimate`.
 */
const estimateCall = (accounts: readonly Address[]): RpcCall<Levels> => ({
  method: 'getPriorityFeeEstimate',
  params: [{ accountKeys: accounts, options: { includeAllPriorityFeeLevels: true } }],
  schema: estimateSchema,
  isOptional: true,
});

const estimateSchema = z
  .object({ priorityFeeLevels: z.object({ low: roundedUp, medium: roundedUp, high: roundedUp }) })
  .transform(({ priorityFeeLevels }): Levels => priorityFeeLevels);

/** The estimates count as different if the highest is more than this multiple of the lowest. */
const MAX_ESTIMATE_RATIO = 10n;

interface PriorityPriceOptions {
  readonly pool: RpcPool;
  readonly clock: Clock;
  /** Cancels all reads when aborted. */
  readonly signal: AbortSignal;
}

/** Creates the estimator. See `ClusterState.priorityPrice`. */
export const createPriorityPrice = ({ pool, clock, signal }: PriorityPriceOptions) => {
  /** Indexes of nodes that do not offer `getPriorityFeeEstimate`. */
  const plainNodes = new Set<number>();
  const recent = new Map<string, { readonly atMs: number; readonly levels: Promise<readonly Levels[]> }>();

  const askNode = async (node: number, accounts: readonly Address[]): Promise<Levels> => {
    const options = { signal, timeoutMs: NODE_TIMEOUT_MS };
    if (!plainNodes.has(node))
      try {
        return await pool.ask(node, estimateCall(accounts), options);
      } catch (error) {
        if (error instanceof RpcError && error.code === rpcErrorCodes.methodNotFound) plainNodes.add(node);
      }
    return pool.ask(node, recentFeesCall(accounts), options);
  };

  const askNodes = async (accounts: readonly Address[]): Promise<readonly Levels[]> => {
    const nodes = pool.readNodes().slice(0, MAX_NODES);
    const responses = await Promise.allSettled(nodes.map((node) => askNode(node, accounts)));
    return responses.flatMap((response) => (response.status === 'fulfilled' ? [response.value] : []));
  };

  return async (
    accounts: readonly Address[],
    level: PriceLevel,
    callerSignal: AbortSignal,
  ): Promise<PriceEstimate> => {
    const asked = [...new Set(accounts)].sort().slice(0, MAX_ACCOUNTS);
    const key = asked.join();
    const nowMs = clock.steadyNow();
    const known = recent.get(key);
    if (known === undefined || nowMs - known.atMs > FRESH_MS) {
      if (recent.size >= MAX_REMEMBERED) recent.clear();
      const levels = askNodes(asked);
      recent.set(key, { atMs: nowMs, levels });
      void levels.then((found) => found.length === 0 && recent.delete(key));
    }
    const found = await recent.get(key)!.levels;
    callerSignal.throwIfAborted();
    const prices = found.map((levels) => levels[level]).sort(ascending);
    if (prices.length === 0) return { microLamports: null, differs: false };
    const [lowest, highest] = [prices[0]!, prices.at(-1)!];
    return {
      // Of two estimates, the lower one is used, so a single node cannot raise the price.
      microLamports: prices[Math.floor((prices.length - 1) / 2)]!,
      differs: highest > MAX_ESTIMATE_RATIO * (lowest > 0n ? lowest : 1n),
    };
  };
};

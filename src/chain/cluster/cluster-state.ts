// Caches the changing values of the cluster, each for exactly as long as it is valid.
import type { Address } from '@solana/kit';
import { clusterNameOf } from '../../domain/public-clusters.ts';
import {
  decodeStakeHistory,
  STAKE_HISTORY_ADDRESS,
  type StakeHistory,
} from '../../domain/stake/stake-history.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import type { ClusterState, SolanaReads } from '../ports.ts';
import { blockHeightCall } from '../rpc/rpc-calls.ts';
import { asUnavailable, type RpcPool } from '../rpc/rpc-pool.ts';
import { isBlockhashExpired } from './blockhash-expired.ts';
import { readChainSnapshot } from './chain-snapshot.ts';
import { createPriorityPrice } from './estimate-priority-price.ts';
import { identifyCluster } from './identify-cluster.ts';
import { createLastSnapshot } from './last-snapshot.ts';
import { createMinimumDelegationKeeper } from './minimum-delegation.ts';
import { createBlockhashKeeper } from './recent-blockhash.ts';
import { createSlotTimer } from './slot-duration.ts';
import { STAKE_PROGRAM_ACCOUNTS, stakeArithmeticOf } from './stake-arithmetic.ts';

/**
 * Lifetime, in ms, of a rent-exempt minimum that was read without a snapshot. It changes only at epoch
 * boundaries.
 */
const RENT_TTL_MS = 60_000;

interface ClusterStateOptions {
  readonly pool: RpcPool;
  readonly reads: SolanaReads;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Cancels startup when aborted. */
  readonly signal: AbortSignal;
  /** Our vote account. Its node identity pays in simulations; if it is not set, the slot leader pays. */
  readonly voteAccount?: Address;
  /** Name to use for an unknown genesis hash. Default: `custom`. */
  readonly unknownClusterName?: 'sandbox' | 'custom';
}

/**
 * Checks that all URLs serve the same cluster, then caches its values. Throws
 * `AppError('UPSTREAM_UNAVAILABLE')` if no URL responds, and `AppError('INTERNAL')` if the URLs belong to
 * different clusters.
 */
export const createClusterState = async (
  options: ClusterStateOptions,
): Promise<ClusterState & { readonly close: () => void }> => {
  const { pool, reads, clock, logger } = options;
  const genesisHash = await identifyCluster(pool, logger, options.signal);
  const closing = new AbortController();
  const { signal } = closing;

  const slotTimer = createSlotTimer({ pool, clock, signal });
  const blockhashes = createBlockhashKeeper({ pool, clock, signal, onHeight: slotTimer.note });
  const minimumDelegation = createMinimumDelegationKeeper({
    pool,
    reads,
    logger,
    voteAccount: options.voteAccount,
  });
  const histories = new Map<bigint, StakeHistory>();

  const readSnapshot: ClusterState['readChainSnapshot'] = async (addresses, readOptions) => {
    const snapshot = await readChainSnapshot(
      { pool, clock, slotTime: slotTimer.get },
      addresses,
      readOptions,
    );
    if (readOptions.commitment === undefined) last.note(snapshot);
    return snapshot;
  };
  const last = createLastSnapshot({ read: (it) => readSnapshot([], { signal: it }), clock, signal });

  const limits: ClusterState['limits'] = async (callerSignal, snapshot) => {
    const { rent, position } = snapshot ?? (await last.within(RENT_TTL_MS, callerSignal));
    return { ...rent, minimumDelegationLamports: await minimumDelegation(position, callerSignal) };
  };

  const stakeHistory = async (epoch: bigint, callerSignal: AbortSignal): Promise<StakeHistory> => {
    const cached = histories.get(epoch);
    if (cached !== undefined) return cached;
    // The Stake program is upgraded only at epoch boundaries, so its arithmetic is read together with the
    // history, once per epoch.
    const addresses = [STAKE_HISTORY_ADDRESS as Address, ...STAKE_PROGRAM_ACCOUNTS];
    const { accounts } = await reads.accounts(addresses, { signal: callerSignal });
    const [sysvar, ...program] = accounts;
    let history: StakeHistory;
    try {
      history = decodeStakeHistory(sysvar?.data ?? new Uint8Array(8), stakeArithmeticOf(program));
    } catch (cause) {
      throw new AppError('UPSTREAM_UNAVAILABLE', 'The RPC returned an unreadable stake history.', {
        reason: 'STAKE_HISTORY_UNREADABLE',
        cause,
      });
    }
    // The history is complete for `epoch` once it contains the previous epoch. Until then (for example, on a
    // node at the boundary) it is used but not cached.
    if (history.has(epoch - 1n)) {
      histories.set(epoch, history);
      for (const old of histories.keys()) if (old < epoch - 1n) histories.delete(old);
    }
    return history;
  };

  // Warms the caches. Failed reads are repeated on demand.
  void Promise.allSettled([blockhashes.get(signal), limits(signal)]);

  return {
    genesisHash,
    clusterName: clusterNameOf(genesisHash, options.unknownClusterName ?? 'custom'),
    blockhash: blockhashes.get,
    noteBlockhash: blockhashes.use,
    renewBlockhash: blockhashes.renew,
    lastValidBlockHeightOf: blockhashes.lastValidBlockHeightOf,
    blockDurationMs: blockhashes.blockDurationMs,
    isBlockhashExpired: (blockhash, it) =>
      isBlockhashExpired(pool, blockhash, blockhashes.lastValidBlockHeightOf(blockhash), it),
    readChainSnapshot: readSnapshot,
    limits,
    epochPosition: async (it) => (await readSnapshot([], { signal: it })).position,
    recentEpochPosition: last.recentPosition,
    lastEpochPosition: last.lastPosition,
    isReachable: () => pool.outage()?.untilMs !== null,
    stakeHistory,
    priorityPrice: createPriorityPrice({ pool, clock, signal }),
    blockHeight: async (it) => {
      try {
        return await pool.call(blockHeightCall('confirmed'), { signal: it });
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    close: () => closing.abort(new Error('cluster state closed')),
  };
};

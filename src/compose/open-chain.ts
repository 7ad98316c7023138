// Opens the chain ports. Startup fails unless all URLs serve the same cluster, the vote account exists and the
// fee reserve is sufficient.
import type { Address } from '@solana/kit';
import { createClusterState } from '../chain/cluster/cluster-state.ts';
import { createStakeIndex } from '../chain/index/stake-index.ts';
import type { ClusterState } from '../chain/ports.ts';
import { createRpcPool, type RpcPool } from '../chain/rpc/rpc-pool.ts';
import { createSolanaReads } from '../chain/solana.ts';
import { createSubmitter } from '../chain/submission/submissions-in-flight.ts';
import { VOTE_PROGRAM_ADDRESS } from '../chain/validator/validator-vote-state.ts';
import { StartError } from '../config/start-error.ts';
import { formatSol } from '../domain/lamports.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import type { ServedCluster } from './service-settings.ts';

/** The cluster to open, and the stack that closes it. */
interface OpenChainOptions {
  readonly cluster: ServedCluster;
  readonly feeReserveLamports: bigint;
  /** Wraps the pool to count its calls. */
  readonly observe: (pool: RpcPool) => RpcPool;
  readonly lifetime: AbortSignal;
  /** Closes everything in reverse order. */
  readonly opened: AsyncDisposableStack;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Timeout of a read, in ms, including failover. Public RPC nodes respond to `getProgramAccounts` within
 * seconds; a slower one counts as unavailable.
 */
const RPC_TIMEOUT_MS = 10_000;
const RPC_MAX_CONCURRENT = 64;
const START_TIMEOUT_MS = 30_000;
/**
 * Fees of two transactions with two signatures. A wallet that keeps this reserve can still unstake and
 * withdraw.
 */
const RESERVE_ABOVE_RENT_LAMPORTS = 20_000n;

/** Opens the chain ports. Throws `StartError` with the change that the operator must make. */
export const openChain = async (options: OpenChainOptions) => {
  const { cluster, opened, clock, logger } = options;
  const nodes = createRpcPool({
    urls: cluster.endpoints.map(({ httpUrl }) => httpUrl),
    ...(cluster.sendRpcUrl ? { sendUrl: cluster.sendRpcUrl } : {}),
    timeoutMs: RPC_TIMEOUT_MS,
    maxConcurrent: RPC_MAX_CONCURRENT,
    clock,
    logger,
  });
  opened.defer(() => nodes.close());
  const pool = options.observe(nodes);
  const reads = createSolanaReads(pool);
  const starting = AbortSignal.timeout(START_TIMEOUT_MS);
  const wsUrls = cluster.endpoints.map(({ wsUrl }) => wsUrl);
  const { voteAccount } = cluster;
  const unknownClusterName = cluster.controlUrl === undefined ? 'custom' : 'sandbox';
  const known = requireVoteAccount(reads, voteAccount, starting);
  // If no node is usable, `createClusterState` fails with a clearer reason, which is reported instead.
  known.catch(() => undefined);
  const state = await createClusterState({
    pool,
    reads,
    clock,
    logger,
    signal: starting,
    voteAccount,
    unknownClusterName,
  }).catch(asStartError);
  opened.defer(() => state.close());
  await known;
  await requireFeeReserve(options.feeReserveLamports, state, starting);
  const submitter = createSubmitter({ pool, clock, logger, wsUrls });
  opened.defer(() => submitter.close());
  const signal = options.lifetime;
  const index = createStakeIndex({ pool, reads, cluster: state, voteAccount, wsUrls, clock, logger, signal });
  opened.defer(() => index.close());
  return { pool, reads, state, submitter, index };
};

const asStartError = (cause: unknown): never => {
  throw new StartError(
    `The cluster cannot be used: ${cause instanceof Error ? cause.message : 'unknown reason'} Check HOLDFAST_RPC_URL: this machine must reach its nodes, and they must belong to one cluster.`,
    { cause },
  );
};

const requireFeeReserve = async (
  reserveLamports: bigint,
  cluster: ClusterState,
  signal: AbortSignal,
): Promise<void> => {
  const { walletRentLamports } = await cluster.limits(signal).catch(asStartError);
  const least = walletRentLamports + RESERVE_ABOVE_RENT_LAMPORTS;
  if (reserveLamports >= least) return;
  throw new StartError(
    `HOLDFAST_FEE_RESERVE_SOL ${formatSol(reserveLamports)} is too low. On this cluster it must be at least ${formatSol(least)}: the rent-exempt minimum of a wallet plus fees to unstake and withdraw.`,
  );
};

const requireVoteAccount = async (
  reads: ReturnType<typeof createSolanaReads>,
  voteAccount: Address,
  signal: AbortSignal,
): Promise<void> => {
  const { accounts } = await reads.accounts([voteAccount], { signal }).catch(asStartError);
  if (accounts[0]?.owner === VOTE_PROGRAM_ADDRESS) return;
  throw new StartError(
    `HOLDFAST_VOTE_ACCOUNT ${voteAccount} is ${accounts[0] ? 'not a vote account' : 'unknown'} on this cluster. Set your vote account on the cluster of HOLDFAST_RPC_URL, not your identity; "solana validators" lists both.`,
  );
};

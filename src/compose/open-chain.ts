// Opens the chain ports. Startup fails unless all URLs serve the same cluster, the vote account exists, the
// donation address is no program's account and the fee reserve is sufficient.
import type { Address } from '@solana/kit';
import { createClusterState } from '../chain/cluster/cluster-state.ts';
import { createStakeIndex } from '../chain/index/stake-index.ts';
import type { ClusterState } from '../chain/ports.ts';
import { createRpcPool, type RpcPool } from '../chain/rpc/rpc-pool.ts';
import { createSolanaReads } from '../chain/solana.ts';
import { createSubmitter } from '../chain/submission/submissions-in-flight.ts';
import { VOTE_PROGRAM_ADDRESS } from '../chain/validator/validator-vote-state.ts';
import { StartError } from '../config/start-error.ts';
import { SYSTEM_PROGRAM } from '../domain/instruction-programs.ts';
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
  const { voteAccount, donationAddress } = cluster;
  const unknownClusterName = cluster.controlUrl === undefined ? 'custom' : 'sandbox';
  const known = requireAccounts(reads, voteAccount, donationAddress, starting);
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
  const { hasDonationAccount } = await known;
  if (!hasDonationAccount && cluster.controlUrl === undefined)
    logger.warn(
      { donationAddress },
      'HOLDFAST_DONATION_ADDRESS has no account on this cluster yet: check that it is your wallet. A donation is refused unless it pays for the rent of the account',
    );
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

const requireAccounts = async (
  reads: ReturnType<typeof createSolanaReads>,
  voteAccount: Address,
  donationAddress: Address,
  signal: AbortSignal,
): Promise<{ readonly hasDonationAccount: boolean }> => {
  const { accounts } = await reads.accounts([voteAccount, donationAddress], { signal }).catch(asStartError);
  const [vote, donation] = accounts;
  if (vote?.owner !== VOTE_PROGRAM_ADDRESS)
    throw new StartError(
      `HOLDFAST_VOTE_ACCOUNT ${voteAccount} is ${vote ? 'not a vote account' : 'unknown'} on this cluster. Set your vote account on the cluster of HOLDFAST_RPC_URL, not your identity; "solana validators" lists both.`,
    );
  // SOL sent to an account of a program may be out of reach for its owner. A vault of a multisig belongs to
  // the System program and is accepted.
  if (donation && donation.owner !== SYSTEM_PROGRAM)
    throw new StartError(
      `HOLDFAST_DONATION_ADDRESS ${donationAddress} is not a wallet: its account belongs to the program ${donation.owner}. Set it to the address of a wallet whose key you hold.`,
    );
  return { hasDonationAccount: donation != null };
};

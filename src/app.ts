// The composition root: settings become ports, ports become a context, the context gets its windows. Nothing here decides anything.
import { join } from 'node:path';
import type { Address } from '@solana/kit';
import { createClusterState } from './chain/cluster-state.ts';
import { deriveStakeKey } from './chain/ephemeral-stake-key.ts';
import type { ClusterState } from './chain/ports.ts';
import { createRewardReads } from './chain/reward-reads.ts';
import { createRpcPool } from './chain/rpc-pool.ts';
import { createSolanaReads } from './chain/solana.ts';
import { createStakeIndex } from './chain/stake-index.ts';
import { createSubmitter } from './chain/submitter.ts';
import type { Config } from './config/config.ts';
import type { RpcEndpoint, Secret } from './config/secrets.ts';
import { loadServerSecret } from './config/server-secret.ts';
import { dependencyHealth } from './dependency-health.ts';
import { formatSol } from './domain/lamports.ts';
import { explorerQueryOf } from './explorer-query.ts';
import { analyticsRoutes } from './http/analytics-routes.ts';
import { discoveryRoutes } from './http/discovery-routes.ts';
import { portfolioRoutes } from './http/portfolio-routes.ts';
import { sandboxRoutes } from './http/sandbox-routes.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { oneShotRoutes, stakeRoutes } from './http/stake-routes.ts';
import { validatorRoutes } from './http/validator-routes.ts';
import { verifyRoutes } from './http/verify-routes.ts';
import { walletRoutes } from './http/wallet-routes.ts';
import type { Clock } from './kernel/clock.ts';
import type { Logger } from './kernel/logger.ts';
import type { SecretBytes } from './kernel/secret-bytes.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { observedPool, observedStore } from './metrics-observers.ts';
import { metricsText, startMetricsServer } from './metrics-server.ts';
import { openStore } from './open-store.ts';
import { openValidator, type ProviderPlaces } from './open-validator.ts';
import { IntentFlights } from './operations/act/intent-flights.ts';
import { settleUnsettled } from './operations/act/settle-unsettled.ts';
import type { Context } from './operations/context.ts';
import { createRewardMemory } from './operations/portfolio/reward-memory.ts';
import { createSearchBudget } from './operations/portfolio/search-budget.ts';
import { createSandboxControl } from './sandbox-control.ts';
import { loadSourceCode } from './source-code.ts';
import { StartError } from './start-error.ts';
import { type CounterBatch, createCounterBatch } from './store/counter-batch.ts';

/** The cluster to serve: read from the settings, or told by a sandbox that was just started. */
export interface ServedCluster {
  readonly endpoints: readonly RpcEndpoint[];
  readonly sendRpcUrl?: string | undefined;
  readonly voteAccount: Address;
  readonly memo: string;
  readonly donationAddress: Address;
  /** Where statistics and the operator's profile come from; on mainnet-beta the public providers where none is named. */
  readonly providers?: ProviderPlaces;
  /** Only for a sandbox. */
  readonly controlUrl?: string | undefined;
}

/** What the service is made from. */
export interface AppOptions {
  readonly config: Config;
  readonly cluster: ServedCluster;
  readonly givenServerSecret: SecretBytes | undefined;
  /** PostgreSQL; absent: the embedded store in the data folder. */
  readonly databaseUrl: Secret<string> | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** A running service. */
export interface App {
  readonly url: string;
  readonly publicUrl: string;
  readonly ctx: Context;
  /** Stops in order: no new requests, answers in flight (10 s), submissions in flight (75 s), then store and connections. Safe to repeat. */
  readonly close: () => Promise<void>;
}

/** A whole read, failover included. Public RPCs answer `getProgramAccounts` in seconds; anything longer is as good as away. */
const RPC_TIMEOUT_MS = 10_000;
const RPC_MAX_CONCURRENT = 64;
const START_TIMEOUT_MS = 30_000;
const VOTE_PROGRAM = 'Vote111111111111111111111111111111111111111';

/** Starts the service. Throws `StartError` or `ConfigError` with what the operator has to change. */
export const startApp = async ({
  config,
  cluster,
  givenServerSecret,
  databaseUrl,
  logger,
  clock,
}: AppOptions): Promise<App> => {
  // Before anything is waited for: the less time passes since the modules were loaded, the less can have changed.
  const source = loadSourceCode({
    root: join(import.meta.dirname, '..'),
    processStartedAtMs: performance.timeOrigin,
    nowMs: clock.now(),
  });
  await using opened = new AsyncDisposableStack();
  const serverSecret = loadServerSecret(config.dataDir, givenServerSecret);
  const metrics = createMetrics();
  const nodes = opened.adopt(
    createRpcPool({
      urls: cluster.endpoints.map(({ httpUrl }) => httpUrl),
      ...(cluster.sendRpcUrl ? { sendUrl: cluster.sendRpcUrl } : {}),
      timeoutMs: RPC_TIMEOUT_MS,
      maxConcurrent: RPC_MAX_CONCURRENT,
      clock,
      logger,
    }),
    (it) => it.close(),
  );
  const pool = observedPool(nodes, metrics);
  const reads = createSolanaReads(pool);
  const isSandbox = cluster.controlUrl !== undefined;
  const starting = AbortSignal.timeout(START_TIMEOUT_MS);
  const [state] = await Promise.all([
    createClusterState({
      pool,
      reads,
      clock,
      logger,
      signal: starting,
      voteAccount: cluster.voteAccount,
      unknownClusterName: isSandbox ? 'sandbox' : 'custom',
    }).catch(asStartError),
    requireVoteAccount(reads, cluster.voteAccount, starting),
  ]);
  opened.adopt(state, (it) => it.close());
  await requireFeeReserve(config.feeReserveLamports, state, starting);
  const openedStore = opened.adopt(
    await openStore({
      dataDir: config.dataDir,
      databaseUrl,
      identity: {
        genesisHash: state.genesisHash,
        voteAccount: cluster.voteAccount,
        serverSecretFingerprint: serverSecret.fingerprint,
      },
      madeFor: isSandbox ? 'sandbox' : 'real',
      clock,
      logger,
    }),
    (it) => it.close(),
  );
  const store = observedStore(openedStore, metrics);
  const counted = opened.adopt(
    createCounterBatch({
      counters: store.counters,
      clock,
      onError: (error) => logger.warn({ err: error }, 'calls could not be counted yet'),
    }),
    (it) => it.close(),
  );
  const submitter = createSubmitter({
    pool,
    clock,
    logger,
    wsUrls: cluster.endpoints.map(({ wsUrl }) => wsUrl),
  });
  opened.defer(() => submitter.close());

  const lifetime = new AbortController();
  const index = opened.adopt(
    createStakeIndex({
      pool,
      reads,
      cluster: state,
      voteAccount: cluster.voteAccount,
      wsUrls: cluster.endpoints.map(({ wsUrl }) => wsUrl),
      clock,
      logger,
      signal: lifetime.signal,
    }),
    (it) => it.close(),
  );
  const validator = opened.adopt(
    openValidator({
      pool,
      reads,
      cluster: state,
      index,
      samples: store.samples,
      voteAccount: cluster.voteAccount,
      places: cluster.providers ?? {},
      clock,
      logger,
    }),
    (it) => it.close(),
  );
  let draining = false;
  let served: HttpServer | undefined;
  const ctx: Context = {
    settings: {
      voteAccount: cluster.voteAccount,
      donationAddress: cluster.donationAddress,
      memo: cluster.memo,
      feeReserveLamports: config.feeReserveLamports,
      explorerUrl: config.explorerUrl,
      explorerQuery: explorerQueryOf(
        state.clusterName,
        isSandbox ? cluster.endpoints[0]?.httpUrl : undefined,
      ),
      submitPolicy: config.submit,
      sourceUrl: config.sourceUrl,
    },
    reads,
    cluster: state,
    submitter,
    index,
    rewardReads: createRewardReads(pool),
    validator: validator.facts,
    validatorStatus: validator.status,
    validatorYield: validator.yieldNow,
    intents: store.intents,
    transactions: store.transactions,
    endpointCounts: counted.totals,
    searchBudget: createSearchBudget(clock.now),
    rewardMemory: createRewardMemory(),
    flights: new IntentFlights(),
    deriveStakeKey: (intent) => deriveStakeKey(serverSecret.secret, state.genesisHash, intent),
    clock,
    logger,
    sandbox: cluster.controlUrl ? createSandboxControl(cluster.controlUrl) : null,
    source,
    publicUrl: () => served?.publicUrl ?? config.publicUrl ?? '',
    dependencies: () => dependencyHealth({ pool, store, index, clock }),
    draining: () => draining,
    lifetime: lifetime.signal,
  };
  const http = await listen(ctx, config, isSandbox, { counted, metrics });
  served = http;
  opened.defer(() => http.close());
  if (config.metricsPort !== undefined) {
    const { metricsPort } = config;
    const scraped = await startMetricsServer(metricsPort, () => metricsText(metrics, ctx));
    opened.adopt(scraped, (it) => it.close());
    logger.info({ port: scraped.port, path: '/metrics' }, 'metrics are served on loopback');
  }
  const maintenance = settleUnsettled(ctx);

  const resources = opened.move();
  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    draining = true;
    await http.close();
    await Promise.race([ctx.flights.drained(), clock.sleep(SUBMISSION_GRACE_MS)]);
    lifetime.abort(new Error('the service stopped'));
    await Promise.all([ctx.flights.drained(), maintenance]);
    await resources.disposeAsync();
  };
  return {
    url: http.url,
    publicUrl: http.publicUrl,
    ctx,
    close: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};

// Until confirmed or expired: 150 blocks at 400 ms are 60 s, and finality lags by another 12.
const SUBMISSION_GRACE_MS = 75_000;

const listen = (
  ctx: Context,
  config: Config,
  isSandbox: boolean,
  { counted, metrics }: { counted: CounterBatch; metrics: Metrics },
): Promise<HttpServer> =>
  createHttpServer({
    routes: [
      ...walletRoutes,
      ...(config.oneShot === 'off' ? [] : oneShotRoutes),
      ...stakeRoutes,
      ...portfolioRoutes,
      ...analyticsRoutes,
      ...validatorRoutes,
      ...verifyRoutes,
      ...discoveryRoutes,
      ...(isSandbox ? sandboxRoutes : []),
    ],
    ctx,
    config: {
      host: config.host,
      port: config.port,
      publicUrl: config.publicUrl,
      allowedHosts: config.allowedHosts,
      trustedProxies: config.trustedProxies,
      rateLimit: config.rateLimit,
      sandboxMode: isSandbox,
      oneShotLoopback: config.oneShotLoopback,
    },
    clusterName: () => ctx.cluster.clusterName,
    voteAccount: ctx.settings.voteAccount,
    logger: ctx.logger,
    clock: ctx.clock,
    onAnswer: (answer) => {
      metrics.answered(answer);
      if (answer.endpoint !== null) counted.count(answer.endpoint);
    },
  });

// Two signatures, twice: a wallet that keeps the reserve can still unstake and withdraw.
const RESERVE_ABOVE_RENT_LAMPORTS = 20_000n;

const requireFeeReserve = async (
  reserveLamports: bigint,
  cluster: ClusterState,
  signal: AbortSignal,
): Promise<void> => {
  const { walletRentLamports } = await cluster.limits(signal).catch(asStartError);
  const least = walletRentLamports + RESERVE_ABOVE_RENT_LAMPORTS;
  if (reserveLamports >= least) return;
  throw new StartError(
    `HOLDFAST_FEE_RESERVE_SOL ${formatSol(reserveLamports)} is too low: at least ${formatSol(least)} on this cluster, the rent-exempt minimum of a wallet and fees to unstake and withdraw.`,
  );
};

const asStartError = (cause: unknown): never => {
  throw new StartError(
    `The cluster cannot be used: ${cause instanceof Error ? cause.message : 'unknown reason'}`,
    { cause },
  );
};

const requireVoteAccount = async (
  reads: ReturnType<typeof createSolanaReads>,
  voteAccount: Address,
  signal: AbortSignal,
): Promise<void> => {
  const { accounts } = await reads.accounts([voteAccount], { signal }).catch(asStartError);
  if (accounts[0]?.owner === VOTE_PROGRAM) return;
  throw new StartError(
    `HOLDFAST_VOTE_ACCOUNT ${voteAccount} is ${accounts[0] ? 'not a vote account' : 'unknown'} on this cluster. Check that it belongs to the cluster of HOLDFAST_RPC_URL.`,
  );
};

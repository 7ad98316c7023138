// The composition root: builds the ports from the settings, the context from the ports and the interfaces from
// the context, and stops everything in order.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Address } from '@solana/kit';
import { createSearchBudget } from './chain/rpc/search-budget.ts';
import { SubmissionCaps } from './chain/submission/submission-caps.ts';
import { createStakeKeys } from './chain/transactions/derive-stake-key.ts';
import { createLandedStakeTransactions } from './chain/transactions/landed-stake-transactions.ts';
import { createRewardMemory } from './chain/validator/reward-cache.ts';
import { createRewardReads } from './chain/validator/reward-reads.ts';
import { hashSourceCode } from './compose/hash-source-code.ts';
import { createDependencyHealth } from './compose/health/dependency-health.ts';
import { createNetworkLoad } from './compose/health/network-load.ts';
import { openBrand } from './compose/open-brand.ts';
import { openChain } from './compose/open-chain.ts';
import { openEvents } from './compose/open-events.ts';
import { openOperatorConsole } from './compose/open-operator-console.ts';
import { openPackages } from './compose/open-packages.ts';
import { openRedis } from './compose/open-redis.ts';
import { openRest } from './compose/open-rest.ts';
import { openStore, STORE_FILE } from './compose/open-store.ts';
import { openValidator } from './compose/open-validator.ts';
import { createSandboxControl } from './compose/sandbox-process.ts';
import { createServiceLife } from './compose/service-lifecycle.ts';
import { type ServedCluster, serviceSettings } from './compose/service-settings.ts';
import type { Config } from './config/config.ts';
import { openOperatorToken } from './config/operator-token-file.ts';
import type { Secret } from './config/secret-settings.ts';
import { loadServerSecret } from './config/server-secret.ts';
import { createWebhookSecrets } from './events/delivery/webhook-secret.ts';
import { type OperatorUrls, operatorRegistrations } from './events/operator/operator-sinks.ts';
import type { PageFile } from './http/pages/web-page-targets.ts';
import type { Clock } from './kernel/clock.ts';
import type { Logger } from './kernel/log/logger.ts';
import { createOutageLog } from './kernel/log/outage-log.ts';
import type { SecretBytes } from './kernel/secret-bytes.ts';
import { createBusinessGauges } from './observe/business-gauges.ts';
import { createMetrics } from './observe/metrics.ts';
import { observedPool, observedStore } from './observe/metrics-observers.ts';
import { metricsText, startMetricsServer } from './observe/metrics-server.ts';
import { networkGauges, readinessGauges } from './observe/readiness-gauges.ts';
import { rpcNodeGauges } from './observe/rpc-node-gauges.ts';
import { IntentsInFlight } from './operations/act/intents/intents-in-flight.ts';
import { pruneIntentsDaily } from './operations/act/intents/prune-intents.ts';
import { resumeUnsettled } from './operations/act/intents/resume-unsettled-submissions.ts';
import { rebuildAutopilotOffer } from './operations/autopilot/rebuild-autopilot-offer.ts';
import type { Context } from './operations/context.ts';
import { keepLastRecords } from './operations/operator/keep-last-records.ts';
import { createSignLinks } from './operations/transaction/sign-link.ts';
import { createCounterBatch } from './store/call-counter-batch.ts';
import { createFirstSeenMemory } from './store/first-seen-memory.ts';

export interface AppOptions {
  readonly config: Config;
  readonly cluster: ServedCluster;
  readonly givenServerSecret: SecretBytes | undefined;
  /** URL of the PostgreSQL database; if absent, the store is a file in the data folder. */
  readonly databaseUrl: Secret<string> | undefined;
  /**
   * URL of Redis, which holds the rate limit shared by replicas. If absent, this process counts its own
   * requests only.
   */
  readonly redisUrl?: Secret<string> | undefined;
  /** Receivers of operator alerts; if absent, alerts are not sent. */
  readonly operatorUrls?: OperatorUrls;
  /**
   * The built page. Null if it has not been built: a plain page is then served, and the health report says so.
   * Absent if no page is wanted.
   */
  readonly page?: readonly PageFile[] | null;
  readonly logger: Logger;
  readonly clock: Clock;
}

export interface App {
  readonly url: string;
  readonly publicUrl: string;
  /** Null if metrics are off. */
  readonly metricsUrl: string | null;
  /** The operator console; null if it is off. */
  readonly operatorConsole: { readonly url: string; readonly tokenPath: string } | null;
  /** Describes what happened to existing data in the data folder. */
  readonly dataHistory: string;
  /** Number of recorded submissions whose outcome was unknown at startup. */
  readonly unsettled: number;
  readonly ctx: Context;
  /**
   * Refuses new requests, waits for responses (10 s) and submissions (75 s) in flight, then closes the store
   * and all connections. Can be called repeatedly.
   */
  readonly close: () => Promise<void>;
}

/**
 * Time after SIGTERM in which submissions may be confirmed or expire. Even at 400 ms per slot, 150 blocks take
 * 60 s, and finality takes another 12 s.
 */
const SUBMISSION_GRACE_MS = 75_000;

/**
 * Starts the service. Throws `StartError` or `ConfigError` with a message that tells the operator what to
 * change.
 */
export const startApp = async ({
  config,
  cluster,
  givenServerSecret,
  databaseUrl,
  redisUrl,
  operatorUrls = { webhook: undefined, notify: undefined },
  page,
  logger,
  clock,
}: AppOptions): Promise<App> => {
  // The source is hashed before the first await, so files have had little time to change since the modules were
  // loaded.
  const root = join(import.meta.dirname, '..');
  const source = hashSourceCode({
    root,
    processStartedAtMs: performance.timeOrigin,
    nowMs: clock.now(),
  });
  await using opened = new AsyncDisposableStack();
  const isStoreThere = databaseUrl === undefined && existsSync(join(config.dataDir, STORE_FILE));
  const serverSecret = loadServerSecret(config.dataDir, givenServerSecret, isStoreThere);
  const metrics = createMetrics();
  const life = createServiceLife(config.publicUrl);
  const { pool, reads, state, submitter, index } = await openChain({
    cluster,
    feeReserveLamports: config.feeReserveLamports,
    observe: (nodes) => observedPool(nodes, metrics),
    lifetime: life.lifetime,
    opened,
    clock,
    logger,
  });
  const isSandbox = cluster.controlUrl !== undefined;
  const { store: openedStore, history: dataHistory } = await openStore({
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
  });
  opened.adopt(openedStore, (it) => it.close());
  const operatorToken = config.operatorPort === null ? null : openOperatorToken(config.dataDir);
  const store = observedStore(openedStore, metrics);
  // A scan only finds accounts that are still delegated. The store also knows accounts whose stake was moved
  // out.
  for (const { account, wallet } of await store.transactions.movedOutOf())
    index.remember(account as Address, wallet as Address);
  const redis =
    redisUrl === undefined
      ? null
      : await openRedis({
          url: redisUrl,
          limit: config.rateLimit,
          genesisHash: state.genesisHash,
          voteAccount: cluster.voteAccount,
          clock,
          logger,
        });
  if (redis) opened.adopt(redis, (it) => it.close());
  const counted = opened.adopt(
    createCounterBatch({
      counters: store.counters,
      clock,
      outage: createOutageLog({ clock, logger, context: {}, subject: 'saving call counts' }),
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
      outbox: store.outbox,
      leadership: store.leadership,
      voteAccount: cluster.voteAccount,
      places: cluster.providers ?? {},
      clock,
      logger,
    }),
    (it) => it.close(),
  );
  const brand = opened.adopt(
    openBrand({
      sources: validator.facts.sources,
      hasFile: config.profileFile !== undefined,
      isSandbox,
      voteAccount: cluster.voteAccount,
      clock,
      logger,
    }),
    (it) => it.close(),
  );
  const webhookSecrets = createWebhookSecrets(serverSecret.secret, state.genesisHash);
  const landedTransactions = createLandedStakeTransactions(pool);
  const events = opened.adopt(
    openEvents({
      transactions: landedTransactions,
      config,
      isSandbox,
      pool,
      reads,
      index,
      store,
      metrics,
      clock,
      logger,
      operatorUrls,
      publicUrl: life.publicUrl,
      cluster: state,
      voteAccount: cluster.voteAccount,
      noticesNow: validator.noticesNow,
      secrets: webhookSecrets,
      composers: { autopilot_sweep: (claimed, signal) => rebuildAutopilotOffer(ctx, claimed, signal) },
    }),
    (it) => it.close(),
  );
  const { delivery, alarms, wakeAutopilot } = events;
  const packages = openPackages(root, logger);
  const flights = new IntentsInFlight();
  const ctx: Context = {
    chain: {
      reads,
      cluster: state,
      submitter,
      submissionCaps: new SubmissionCaps(),
      index,
      rewardReads: createRewardReads(pool),
      rewardMemory: createRewardMemory(),
      landedTransactions,
      searchBudget: createSearchBudget(clock.now),
      stakeKeys: createStakeKeys(serverSecret.secret, state.genesisHash),
    },
    store: {
      intents: store.intents,
      transactions: store.transactions,
      settledRewards: store.settledRewards,
      webhooks: store.webhooks,
      outbox: store.outbox,
      policies: store.policies,
      delegators: store.delegators,
      flights,
      firstSeen: createFirstSeenMemory(store.delegators),
      endpointCounts: counted.totals,
    },
    validator,
    events: {
      webhookSecrets,
      callbackTargets: delivery.targets,
      wakeDelivery: delivery.wakeAfterRequest,
      alertDestinations: operatorRegistrations(operatorUrls),
      wakeAutopilot,
    },
    service: {
      settings: serviceSettings(config, cluster, state),
      sandbox: cluster.controlUrl ? createSandboxControl(cluster.controlUrl) : null,
      source,
      packages: packages.present,
      dependencies: createDependencyHealth({
        pool,
        store,
        alarms: alarms.active,
        storeWrites: alarms.storeWrites,
        index,
        redis: redis?.health ?? null,
        webhooks: delivery.health,
        profile: brand.health,
        hasPage: page !== null,
        clock,
      }),
      network: createNetworkLoad({ cluster: state, intents: store.intents, clock }),
      alarms: alarms.active,
      publicUrl: life.publicUrl,
      signLinks: page
        ? createSignLinks(serverSecret.secret, {
            genesisHash: state.genesisHash,
            voteAccount: cluster.voteAccount,
          })
        : null,
      draining: life.draining,
      lifetime: life.lifetime,
    },
    clock,
    logger,
  };
  const http = await openRest(
    ctx,
    config,
    { counted, metrics, page: page ?? null, packages, brand },
    redis?.rateLimit ?? null,
  );
  life.listensAt(http.publicUrl);
  opened.defer(() => http.close());
  delivery.start();
  const businessGauges = createBusinessGauges(ctx);
  const scraped =
    config.metricsPort === null
      ? null
      : await startMetricsServer(config.metricsPort, async () =>
          metricsText(metrics, ctx, [
            ...rpcNodeGauges(pool),
            ...delivery.gauges(),
            ...alarms.gauges(),
            ...(redis?.gauges() ?? []),
            ...(await readinessGauges(ctx)),
            ...networkGauges(ctx.service.network),
            ...(await businessGauges()),
          ]),
        );
  if (scraped) opened.adopt(scraped, (it) => it.close());
  const operatorConsole =
    operatorToken &&
    (await openOperatorConsole({ ctx, config, token: operatorToken, metrics, page: page ?? null, brand }));
  if (operatorConsole) opened.defer(() => operatorConsole.close());
  const unsettled = (await store.intents.unsettled()).length;
  const maintenance = Promise.all([
    resumeUnsettled(ctx),
    pruneIntentsDaily(ctx),
    operatorConsole && keepLastRecords(ctx),
  ]);

  const resources = opened.move();
  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    life.drain();
    const deadlineMs = clock.now() + SUBMISSION_GRACE_MS;
    await http.close();
    // Submissions continue after their callers disconnect.
    await Promise.race([flights.drained(), clock.sleep(Math.max(0, deadlineMs - clock.now()))]);
    life.end();
    await Promise.all([flights.drained(), maintenance]);
    await resources.disposeAsync();
  };
  return {
    url: http.url,
    publicUrl: http.publicUrl,
    metricsUrl: scraped && `http://127.0.0.1:${scraped.port}/metrics`,
    operatorConsole: operatorConsole &&
      operatorToken && { url: operatorConsole.url, tokenPath: operatorToken.path },
    dataHistory,
    unsettled,
    ctx,
    close: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};

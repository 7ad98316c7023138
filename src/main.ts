// Starts and stops the service; the only file that ends the process.
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { nodeSecurityWarning, nodeVersionProblem } from './kernel/node-version.ts';

const fail = (message: string): never => {
  console.error(message);
  process.exit(1);
};

const problem = nodeVersionProblem();
if (problem) fail(problem);

// Reuses the code compiled at the last start, which Node validates against the content of each file: imports
// take 0.17 s instead of 0.33 s (2026-11). The cache is stored next to the code and never in the shared
// temporary folder, where others could place code.
nodeModule.enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'holdfast'));

// All other modules are imported only after this Node version is known to be supported.
const { helpText } = await import('./config/settings-help.ts');
if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
  console.log(helpText());
  process.exit(0);
}
const [
  { loadConfig, printableConfig },
  { createLogger },
  { systemClock },
  { ConfigError, StartError },
  { listenProblem },
  { banner, describeSetup },
] = await Promise.all([
  import('./config/config.ts'),
  import('./kernel/log/logger.ts'),
  import('./kernel/clock.ts'),
  import('./config/start-error.ts'),
  import('./http/pipeline/listen-problem.ts'),
  import('./compose/banner.ts'),
]);

/** Describes the operator's profile file on one line. Throws a `ConfigError` that lists all mistakes. */
const requireProfile = async (path: string): Promise<string> => {
  const { createProfileFile } = await import('./upstream/profile/operator-profile.ts');
  const reading = await createProfileFile(path).read(new AbortController().signal);
  if (!reading.ok)
    throw new ConfigError(reading.problems, `Invalid profile (HOLDFAST_PROFILE_FILE, ${path})`);
  const { describeProfile } = await import('./upstream/profile/describe-profile.ts');
  return describeProfile(reading.profile);
};

/** A sandbox that exits within this time after startup is not restarted, because it would exit again. */
const SANDBOX_RESTARTS_AFTER_MS = 10_000;

const start = async (): Promise<void> => {
  const { config, secrets } = loadConfig();
  const logger = createLogger(config.logLevel);
  const isReal = config.cluster.kind === 'real';
  for (const warning of config.warnings) logger.warn(warning);
  logger.debug({ config: printableConfig(config) }, 'settings');

  const profile = config.profileFile === undefined ? null : await requireProfile(config.profileFile);

  // While the service's own modules load, the sandbox starts, and the page is built if its sources changed.
  const [sandbox, { startApp }, page] = await Promise.all([
    config.cluster.kind === 'sandbox'
      ? import('./compose/sandbox-process.ts').then(({ startSandboxProcess }) =>
          startSandboxProcess(config.cluster as never),
        )
      : null,
    import('./app.ts'),
    import('./compose/open-page.ts').then(({ openPage }) =>
      openPage(join(import.meta.dirname, '..'), logger),
    ),
  ]);
  const cluster = sandbox
    ? sandbox.cluster
    : {
        ...(config.cluster as Extract<typeof config.cluster, { kind: 'real' }>),
        endpoints: secrets.rpcEndpoints!.reveal(),
        sendRpcUrl: secrets.sendRpcUrl?.reveal(),
      };
  const stakewizUrl = secrets.stakewizUrl?.reveal() ?? sandbox?.cluster.providers?.stakewizUrl;
  const jitoUrl = secrets.jitoUrl?.reveal() ?? sandbox?.cluster.providers?.jitoUrl;
  const profileFile = config.profileFile ?? sandbox?.cluster.providers?.profileFile;
  // Keeps the process alive during startup, because the clock's timers do not. Startup may have to wait: on a
  // new cluster, it first measures the slot duration.
  const starting = setInterval(() => undefined, 60_000);
  const app = await startApp({
    config,
    cluster: { ...cluster, providers: { stakewizUrl, jitoUrl, profileFile } },
    givenServerSecret: secrets.serverSecret,
    databaseUrl: secrets.databaseUrl,
    redisUrl: secrets.redisUrl,
    operatorUrls: { webhook: secrets.operatorWebhookUrl, notify: secrets.operatorNotifyUrl },
    page,
    logger,
    clock: systemClock,
  })
    .catch(async (error: unknown) => {
      await sandbox?.close();
      throw error;
    })
    .finally(() => clearInterval(starting));
  let stopping = false;
  let stoppingSinceMs = 0;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) {
      // A second Ctrl-C ends the process, unless a launcher merely repeated the first. The store remains
      // valid, and the next start follows unfinished submissions to their outcome.
      if (signal === 'SIGINT' && performance.now() - stoppingSinceMs > 1_000) process.exit(130);
      return;
    }
    stoppingSinceMs = performance.now();
    stopping = true;
    logger.info({ signal }, 'stopping: finishing requests in flight');
    app
      .close()
      .then(() => sandbox?.close())
      .then(
        () => {
          logger.info('stopped');
          process.exit(0);
        },
        (error: unknown) => {
          logger.error({ err: error }, 'the service did not stop cleanly');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  const report = isReal
    ? await import('./compose/start-report.ts').then(({ startReport }) =>
        startReport(app.ctx, config, {
          isPostgres: secrets.databaseUrl !== undefined,
          hasAlerts: (secrets.operatorWebhookUrl ?? secrets.operatorNotifyUrl) !== undefined,
          nodeWarning: nodeSecurityWarning(),
        }),
      )
    : null;
  const { redis } = await app.ctx.service.dependencies();
  // Printed last, because a supervisor may stop the process once it reads this output.
  process.stdout.write(
    banner({
      url: app.publicUrl,
      localUrl: app.url,
      hasPage: page !== null,
      profile,
      sandbox: sandbox?.cluster ?? null,
      clusterName: app.ctx.chain.cluster.clusterName,
      metricsUrl: app.metricsUrl,
      operatorConsole: app.operatorConsole,
      dataDir: config.dataDir,
      dataHistory: app.dataHistory,
      unsettled: app.unsettled,
      setup: describeSetup(config, secrets, redis),
      report,
    }),
  );

  // Writes the compile cache now instead of at exit, because the service may be ended by `kill -9`.
  nodeModule.flushCompileCache();

  void sandbox?.ended.then(() => {
    if (stopping) return;
    if (performance.now() < SANDBOX_RESTARTS_AFTER_MS)
      fail('The sandbox exited unexpectedly, so the service is stopping.');
    console.error('The sandbox exited unexpectedly. Restarting with a new chain.');
    // Replaces the process in place, so a supervisor sees no exit and nothing of the old chain stays in memory.
    process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)]);
    fail('This system cannot restart the service automatically.');
  });
};

await start().catch((error: unknown) => {
  const expected = error instanceof ConfigError || error instanceof StartError;
  fail(
    expected
      ? (error as Error).message
      : (listenProblem(error) ??
          `The service could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  );
});

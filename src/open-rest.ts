// Opens the REST window: which routes exist under these settings, and what is counted of their answers.
import type { Config } from './config/config.ts';
import { analyticsRoutes } from './http/analytics-routes.ts';
import { discoveryRoutes } from './http/discovery-routes.ts';
import { portfolioRoutes } from './http/portfolio-routes.ts';
import type { Route } from './http/route.ts';
import { sandboxRoutes } from './http/sandbox-routes.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { oneShotRoutes, stakeRoutes } from './http/stake-routes.ts';
import { validatorRoutes } from './http/validator-routes.ts';
import { verifyRoutes } from './http/verify-routes.ts';
import { walletRoutes } from './http/wallet-routes.ts';
import type { Metrics } from './metrics.ts';
import type { Context } from './operations/context.ts';
import type { CounterBatch } from './store/counter-batch.ts';

/** The whole REST interface under these settings. */
const routesFor = (config: Config, isSandbox: boolean): readonly Route[] => [
  ...walletRoutes,
  ...(config.oneShot === 'off' ? [] : oneShotRoutes),
  ...stakeRoutes,
  ...portfolioRoutes,
  ...analyticsRoutes,
  ...validatorRoutes,
  ...verifyRoutes,
  ...discoveryRoutes,
  ...(isSandbox ? sandboxRoutes : []),
];

/** Starts listening. The caller closes what it gets. */
export const openRest = (
  ctx: Context,
  config: Config,
  observers: { readonly counted: CounterBatch; readonly metrics: Metrics },
): Promise<HttpServer> => {
  const isSandbox = ctx.sandbox !== null;
  const { host, port, publicUrl, allowedHosts, trustedProxies, rateLimit, oneShotLoopback } = config;
  return createHttpServer({
    routes: routesFor(config, isSandbox),
    ctx,
    config: {
      host,
      port,
      publicUrl,
      allowedHosts,
      trustedProxies,
      rateLimit,
      oneShotLoopback,
      sandboxMode: isSandbox,
    },
    clusterName: () => ctx.cluster.clusterName,
    voteAccount: ctx.settings.voteAccount,
    logger: ctx.logger,
    clock: ctx.clock,
    onAnswer: (answer) => {
      observers.metrics.answered(answer);
      if (answer.endpoint !== null) observers.counted.count(answer.endpoint);
    },
  });
};

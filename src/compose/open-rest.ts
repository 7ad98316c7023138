// Opens the REST interface: selects the routes that the settings enable, and counts responses.

import { createCachedResponses } from '../adapter/cached-responses.ts';
import type { RateLimit, ReportedResponse } from '../adapter/exchange.ts';
import { createGuidancePrinter } from '../adapter/print-guidance.ts';
import type { MetaSource } from '../adapter/response-meta.ts';
import type { Config } from '../config/config.ts';
import { rewardsPhase } from '../domain/epoch-clock.ts';
import { createActionTargets } from '../http/actions/action-targets.ts';
import { createBrandTargets } from '../http/pages/brand/brand-targets.ts';
import { createCalendarTarget } from '../http/pages/calendar-target.ts';
import { createPackageTargets, type PackageSource } from '../http/pages/package-targets.ts';
import { publicPageFiles } from '../http/pages/page-entries.ts';
import { createRedirects } from '../http/pages/redirects.ts';
import { createIconTarget } from '../http/pages/validator-icon-target.ts';
import { createWebPageTargets, type PageFile } from '../http/pages/web-page-targets.ts';
import type { Route } from '../http/pipeline/route.ts';
import { createHttpServer, type HttpServer } from '../http/pipeline/server.ts';
import { allRoutes } from '../http/routes/all-routes.ts';
import { sandboxRoutes } from '../http/routes/sandbox-routes.ts';
import { oneShotRoutes } from '../http/routes/stake-routes.ts';
import { shownTools } from '../mcp/tools.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Context } from '../operations/context.ts';
import type { CounterBatch } from '../store/call-counter-batch.ts';
import type { OpenedBrand } from './open-brand.ts';
import { openMcp } from './open-mcp.ts';

/** Returns the routes that the settings disable. */
const absentRoutes = (config: Config, isSandbox: boolean): readonly Route[] => [
  ...(config.oneShot === 'off' ? oneShotRoutes : []),
  ...(isSandbox ? [] : sandboxRoutes),
];

/** Delay between listening and preloading MCP, in ms. */
const WARM_AFTER_MS = 250;

/** Starts listening. The caller closes the server. */
export const openRest = async (
  ctx: Context,
  config: Config,
  observers: {
    readonly counted: CounterBatch;
    readonly metrics: Metrics;
    readonly page: readonly PageFile[] | null;
    readonly packages: PackageSource;
    readonly brand: OpenedBrand;
  },
  /** Null if each process counts its own requests. */
  sharedRateLimit: RateLimit | null,
): Promise<HttpServer> => {
  const isSandbox = ctx.service.sandbox !== null;
  const { brand } = observers;
  const { host, port, publicUrl, allowedHosts, trustedProxies, allowedOrigins, rateLimit, oneShotLoopback } =
    config;
  const count = (response: ReportedResponse): void => {
    observers.metrics.answered(response);
    if (response.endpoint !== null) observers.counted.count(response.endpoint);
  };
  const clusterName = (): string => ctx.chain.cluster.clusterName;
  const absent = absentRoutes(config, isSandbox);
  const routes = allRoutes.filter((route) => !absent.includes(route));
  const tools = shownTools(config.oneShot === 'on');
  const printGuidance = createGuidancePrinter({ routes, tools, publicUrl: ctx.service.publicUrl });
  const source: MetaSource = {
    printGuidance,
    get documentationUrl() {
      return `${ctx.service.publicUrl()}/docs/reference`;
    },
    clusterName,
  };
  const basisNow = (): string => {
    const position = ctx.chain.cluster.lastEpochPosition();
    return `${position && rewardsPhase(position)} ${ctx.validator.status.lastNotices()}`;
  };
  const cachedResponses = createCachedResponses({ ctx, source, clock: ctx.clock, basisNow });
  const mcp = openMcp({ ctx, config, source, cachedResponses, onCall: count });
  const http = await createHttpServer({
    routes,
    cachedResponses,
    printGuidance,
    brand: brand.current,
    mounts: [
      ...mcp.mounts,
      ...createActionTargets(ctx),
      ...createPackageTargets(observers.packages),
      ...(observers.page === null
        ? []
        : createWebPageTargets(publicPageFiles(observers.page), {
            brand: brand.current,
            publicUrl: ctx.service.publicUrl,
            clusterName,
          })),
      ...createBrandTargets(brand.current),
      createCalendarTarget(ctx),
      createIconTarget(brand.logo),
      ...createRedirects(),
    ],
    tools: tools.map(({ name, description, operation }) => ({
      name,
      description,
      operation: operation.name,
    })),
    sourceUrl: ctx.service.settings.sourceUrl,
    ctx,
    config: {
      host,
      port,
      publicUrl,
      allowedHosts,
      trustedProxies,
      allowedOrigins,
      rateLimit,
      oneShotLoopback,
      sandboxMode: isSandbox,
    },
    clusterName,
    voteAccount: ctx.service.settings.voteAccount,
    logger: ctx.logger,
    clock: ctx.clock,
    onResponse: count,
    ...(sharedRateLimit && { rateLimit: sharedRateLimit }),
  });
  // Preloads MCP once the first callers have their responses. An earlier tool call waits until MCP is loaded.
  const warming = setTimeout(mcp.warm, WARM_AFTER_MS).unref();
  return {
    ...http,
    close: (limits) => {
      clearTimeout(warming);
      mcp.drain();
      return http.close(limits);
    },
  };
};

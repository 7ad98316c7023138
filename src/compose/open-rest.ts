// Opens the REST interface: which routes exist under these settings, and what is counted of their answers.

import type { MetaSource } from '../adapter/answer-meta.ts';
import { createCachedAnswers } from '../adapter/cached-answers.ts';
import type { AnsweredCall, RateLimit } from '../adapter/exchange.ts';
import { createGuide } from '../adapter/guidance.ts';
import type { Config } from '../config/config.ts';
import { createActionTargets } from '../http/actions/action-targets.ts';
import { createBrand } from '../http/pages/brand/brand.ts';
import { createBrandTargets } from '../http/pages/brand/brand-targets.ts';
import { createCalendarTarget } from '../http/pages/calendar-target.ts';
import { createPackageTargets, type PackageSource } from '../http/pages/package-targets.ts';
import { createIconTarget } from '../http/pages/validator-icon.ts';
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
import { isUrl } from '../upstream/profile/operator-profile-schema.ts';
import { openMcp } from './open-mcp.ts';
import { openIcon } from './open-validator-icon.ts';

/** What of the REST interface these settings leave out. */
const absentRoutes = (config: Config, isSandbox: boolean): readonly Route[] => [
  ...(config.oneShot === 'off' ? oneShotRoutes : []),
  ...(isSandbox ? [] : sandboxRoutes),
];

/** When MCP loads by itself, ms after listening begins. */
const WARM_AFTER_MS = 250;

/** Starts listening. The caller closes what it gets. */
export const openRest = async (
  ctx: Context,
  config: Config,
  observers: {
    readonly counted: CounterBatch;
    readonly metrics: Metrics;
    readonly page: readonly PageFile[] | null;
    readonly packages: PackageSource;
  },
  /** Null: counted in this process alone. */
  sharedRateLimit: RateLimit | null,
): Promise<HttpServer> => {
  const isSandbox = ctx.sandbox !== null;
  const { host, port, publicUrl, allowedHosts, trustedProxies, allowedOrigins, rateLimit, oneShotLoopback } =
    config;
  const count = (answer: AnsweredCall): void => {
    observers.metrics.answered(answer);
    if (answer.endpoint !== null) observers.counted.count(answer.endpoint);
  };
  const clusterName = (): string => ctx.cluster.clusterName;
  const absent = absentRoutes(config, isSandbox);
  const routes = allRoutes.filter((route) => !absent.includes(route));
  const tools = shownTools(config.oneShot === 'on');
  const source: MetaSource = {
    guide: createGuide({ routes, absent, tools, publicUrl: ctx.publicUrl }),
    get documentationUrl() {
      return `${ctx.publicUrl()}/docs/reference`;
    },
    clusterName,
  };
  const cachedAnswers = createCachedAnswers({ ctx, source, clock: ctx.clock });
  const mcp = openMcp({ ctx, config, source, cachedAnswers, onCall: count });
  const { sources } = ctx.validator;
  const icon = openIcon({
    voteAccount: ctx.settings.voteAccount,
    findUrl: async (signal) => {
      // A sandbox asks nobody on the Internet.
      if (isSandbox) return null;
      const reading = await sources.profile.read(signal);
      const { logo = null, icon: older = null } = reading.ok ? reading.profile : {};
      const own = logo ?? older;
      // A file is served as it is.
      if (own !== null) return isUrl(own) ? own : null;
      return (await sources.network?.validator(signal))?.value?.iconUrl ?? null;
    },
    clock: ctx.clock,
    logger: ctx.logger,
  });
  const brand = createBrand(sources.profile, (problems) =>
    ctx.logger.warn({ problems }, 'the operator profile is not valid any more; the last valid one is shown'),
  );
  const http = await createHttpServer({
    routes,
    cachedAnswers,
    brand,
    mounts: [
      ...mcp.mounts,
      ...createActionTargets(ctx),
      ...createPackageTargets(observers.packages),
      ...(observers.page === null ? [] : createWebPageTargets(observers.page, brand, ctx.publicUrl)),
      ...createBrandTargets(brand),
      createCalendarTarget(ctx),
      createIconTarget(async () => (await brand()).logo ?? icon.current()),
    ],
    tools: tools.map(({ name, description, operation }) => ({
      ...{ name, description },
      operation: operation.name,
    })),
    sourceUrl: ctx.settings.sourceUrl,
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
    voteAccount: ctx.settings.voteAccount,
    logger: ctx.logger,
    clock: ctx.clock,
    onAnswer: count,
    ...(sharedRateLimit && { rateLimit: sharedRateLimit }),
  });
  // Once the first callers have their answers; who calls a tool earlier waits for it.
  const warming = setTimeout(mcp.warm, WARM_AFTER_MS).unref();
  return {
    ...http,
    close: (limits) => {
      clearTimeout(warming);
      mcp.drain();
      return http.close(limits).finally(icon.close);
    },
  };
};

// Opens the operator console: a separate loopback listener with its own routes, documents and page, which
// requires the operator's token.
import { createGuidancePrinter } from '../adapter/print-guidance.ts';
import type { Config } from '../config/config.ts';
import type { OperatorToken } from '../config/operator-token-file.ts';
import { StartError } from '../config/start-error.ts';
import { createOperatorGuard } from '../http/guards/operator-guard.ts';
import { createBrandTargets } from '../http/pages/brand/brand-targets.ts';
import { createPlainConsole } from '../http/pages/console-not-built-page.ts';
import { operatorConsoleFiles } from '../http/pages/page-entries.ts';
import { createIconTarget } from '../http/pages/validator-icon-target.ts';
import { createWebPageTargets, type PageFile } from '../http/pages/web-page-targets.ts';
import { createHttpServer, type HttpServer } from '../http/pipeline/server.ts';
import { allRoutes } from '../http/routes/all-routes.ts';
import { operatorRoutes } from '../http/routes/operator-routes.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Context } from '../operations/context.ts';
import type { OpenedBrand } from './open-brand.ts';

/** Dependencies. */
interface OperatorConsoleOptions {
  readonly ctx: Context;
  readonly config: Pick<Config, 'operatorPort' | 'rateLimit'>;
  readonly token: OperatorToken;
  readonly metrics: Pick<Metrics, 'operatorRefused'>;
  /** The built page; null if absent. */
  readonly page: readonly PageFile[] | null;
  readonly brand: Pick<OpenedBrand, 'current' | 'logo'>;
}

/**
 * Request limit per 60 seconds, unless the public listener's limit is higher. An open page makes about 24
 * requests in that time.
 */
const RATE_LIMIT = 600;

/** Starts listening on 127.0.0.1. Throws `StartError` if the port is in use. The caller closes the server. */
export const openOperatorConsole = async ({
  ctx,
  config,
  token,
  metrics,
  page,
  brand,
}: OperatorConsoleOptions): Promise<HttpServer> => {
  const port = config.operatorPort ?? 0;
  const clusterName = (): string => ctx.chain.cluster.clusterName;
  try {
    return await createHttpServer({
      routes: operatorRoutes,
      // Guidance also refers to routes of the public listener, such as readiness.
      printGuidance: createGuidancePrinter({
        routes: [...operatorRoutes, ...allRoutes],
        tools: [],
        publicUrl: ctx.service.publicUrl,
      }),
      mounts: [
        ...(page === null
          ? [createPlainConsole()]
          : createWebPageTargets(operatorConsoleFiles(page), {
              brand: brand.current,
              publicUrl: ctx.service.publicUrl,
              clusterName,
            })),
        ...createBrandTargets(brand.current),
        createIconTarget(brand.logo),
      ],
      ctx,
      config: {
        host: '127.0.0.1',
        port,
        rateLimit: Math.max(RATE_LIMIT, config.rateLimit),
        allowedHosts: [],
        trustedProxies: [],
        allowedOrigins: [],
        sandboxMode: false,
        oneShotLoopback: false,
      },
      clusterName,
      logger: ctx.logger,
      clock: ctx.clock,
      admits: createOperatorGuard(token.matches, metrics.operatorRefused),
      countsAdmittedOnly: true,
      isDiscoverable: false,
    });
  } catch (cause) {
    const { code = 'unknown reason' } = cause as { code?: string };
    throw new StartError(
      `The operator console cannot be served on port ${port}: ${code}. Set HOLDFAST_OPERATOR_PORT to another port, or to off.`,
      { cause },
    );
  }
};

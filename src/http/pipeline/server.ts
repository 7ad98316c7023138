// HTTP server: limits for slow and large requests, and a shutdown that resets no connection.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setTimeout as delay, setImmediate as turnOfLoop } from 'node:timers/promises';
import type { Address } from '@solana/kit';
import { type CachedResponses, createCachedResponses } from '../../adapter/cached-responses.ts';
import { Exchange, type RateLimit, type ReportedResponse, type Target } from '../../adapter/exchange.ts';
import { createGuidancePrinter, type PrintGuidance } from '../../adapter/print-guidance.ts';
import type { MetaSource } from '../../adapter/response-meta.ts';
import type { AppError } from '../../kernel/app-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import { countingUpstreamCalls } from '../../kernel/network/count-upstream-calls.ts';
import type { Context } from '../../operations/context.ts';
import type { ToolFacts } from '../discovery/discovery-facts.ts';
import { createGuards } from '../guards/guards.ts';
import { createRateLimit, createTransactionReserve } from '../guards/rate-limit.ts';
import { createUpstreamBudget } from '../guards/upstream-budget.ts';
import type { CurrentBrand } from '../pages/brand/current-brand.ts';
import { createDocumentTargets } from '../pages/document-targets.ts';
import { createErrorPage } from '../pages/error-page.ts';
import { ICON_PATH } from '../routes/discovery-routes.ts';
import type { HttpConfig } from './http-config.ts';
import { createClientErrorHandler, MAX_HEADER_BYTES } from './malformed-request.ts';
import { type DrainLimits, RequestsInFlight } from './requests-in-flight.ts';
import type { Route } from './route.ts';
import { createRouteTarget } from './route-target.ts';
import { createRouter } from './router.ts';

/**
 * Time limit for the request line and headers, in ms from the start of the connection, so a slow client cannot
 * occupy a socket.
 */
const HEADERS_TIMEOUT_MS = 10_000;
/** Time limit for the whole request, in ms. 64 KiB in 30 s is 2 KiB/s, which every network in use exceeds. */
const REQUEST_TIMEOUT_MS = 30_000;
const TIMEOUT_CHECK_INTERVAL_MS = 5_000;
/**
 * Keep-alive in ms. Longer than the usual 60 s of proxies, so the proxy rather than the service closes an idle
 * connection.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/**
 * Time, in ms, for which idle connections stay open during shutdown, so a request already in transit still gets
 * a response.
 */
const IDLE_LINGER_MS = 250;

export interface HttpServerOptions {
  readonly routes: readonly Route[];
  /** Other protocols in addition to the routes, and the files of the page. Default: none. */
  readonly mounts?: readonly Target[];
  readonly ctx: Context;
  readonly config: HttpConfig;
  readonly clusterName: () => string;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Vote account shown on the landing page. */
  readonly voteAccount?: Address;
  /** Tools of the mounted MCP server, for the documents. Default: none. */
  readonly tools?: readonly ToolFacts[];
  /** URL of the published source code. */
  readonly sourceUrl?: string | undefined;
  /** Default: prints references to the routes of this server, and none to tools. */
  readonly printGuidance?: PrintGuidance;
  /** The operator named in the documents. Default: none. */
  readonly brand?: CurrentBrand;
  /**
   * Called after all other guards, before a target serves the request. Returns the refusal, or null if the
   * request may proceed. Default: admits every request.
   */
  readonly admits?: (request: IncomingMessage, target: Target) => AppError | null;
  /**
   * True if requests are counted only after every guard has accepted them, so a flood without the token blocks
   * no one. Default: false.
   */
  readonly countsAdmittedOnly?: boolean;
  /**
   * True if documents for agents and crawlers are served in addition to `/docs`, `/openapi.json` and the
   * icon. Default: true.
   */
  readonly isDiscoverable?: boolean;
  /** Default: `config.rateLimit` per client, counted in this process only. */
  readonly rateLimit?: RateLimit;
  /** Monotonic milliseconds for the rate limit. Default: `performance.now`. */
  readonly monotonicMs?: () => number;
  /** Cached responses shared with other interfaces. Default: the server's own. */
  readonly cachedResponses?: CachedResponses;
  /** Called for every response sent; must not throw. */
  readonly onResponse?: (answer: ReportedResponse) => void;
}

export interface HttpServer {
  /** The address it listens on, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly port: number;
  /** The public URL without a trailing slash. */
  readonly publicUrl: string;
  /**
   * Stops accepting requests and responds to those in progress. Default limits: 10 s, and 75 s for operations
   * that change the chain. Repeated calls wait for the same shutdown.
   */
  readonly close: (limits?: Partial<DrainLimits>) => Promise<void>;
}

const listen = (server: Server, { host, port }: HttpConfig): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });

const WILDCARD_MEANS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const urlOf = ({ address, port }: AddressInfo): string => {
  const host = WILDCARD_MEANS[address] ?? address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

/**
 * Generates request IDs for responses and logs: unique within the process and practically unique across
 * restarts.
 */
const createRequestIds = (): (() => string) => {
  const start = crypto.randomUUID().slice(0, 8);
  let count = 0;
  return () => {
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
};

type Handle = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => void;

const createNodeServer = (): Server =>
  createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // The DNS rebinding guard refuses a missing Host with our own error shape.
    requireHostHeader: false,
  });

const handleRequests = (server: Server, handle: Handle): void => {
  server.on('request', (request, response) => handle(request, response, false));
  // Requests the body only after the headers have passed the guards, so a refused key is never sent. Node
  // closes the connection after a response without that request.
  server.on('checkContinue', (request, response) => handle(request, response, true));
  // Unknown expectations may be ignored (RFC 9110, 10.1.1). Node's default response would have no error body.
  server.on('checkExpectation', (request, response) => handle(request, response, false));
};

const stop = async (
  server: Server,
  inFlight: RequestsInFlight,
  { graceMs, actGraceMs }: DrainLimits,
): Promise<void> => {
  inFlight.startDraining();
  // Waits one event-loop turn, in which connections in the kernel's queue are accepted. Those still queued when
  // the socket closes are reset.
  await turnOfLoop();
  // Bypasses the HTTP server's own `close`, which immediately ends idle connections even if a request is in
  // transit.
  const ended = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  await Promise.race([ended, delay(IDLE_LINGER_MS)]);
  // Reads the requests that arrived while this process was busy or had no CPU time: their connections still count as
  // idle.
  await turnOfLoop();
  server.closeIdleConnections();
  await inFlight.drained({ graceMs, actGraceMs });
  // Responses may still be in transit. Shutdown waits at most the grace period for a client that does not read
  // its response.
  const patience = new AbortController();
  await Promise.race([ended, delay(graceMs, undefined, { signal: patience.signal }).catch(() => {})]);
  patience.abort();
  server.closeAllConnections();
  await ended;
};

/** Starts listening. Rejects if the address cannot be bound. The caller must close the server. */
export const createHttpServer = async (options: HttpServerOptions): Promise<HttpServer> => {
  const { routes, mounts = [], ctx, config, clusterName, logger, clock, onResponse } = options;
  const { voteAccount, tools = [], sourceUrl, monotonicMs = () => performance.now() } = options;
  const { admits = () => null, isDiscoverable = true, countsAdmittedOnly = false } = options;
  const server = createNodeServer();
  const address = await listen(server, config);
  // No request can arrive before this function returns, because the rest runs in one event-loop turn.
  const publicUrl = (config.publicUrl ?? urlOf(address)).replace(/\/+$/, '');
  const source: MetaSource = {
    documentationUrl: config.documentationUrl ?? `${publicUrl}/docs/reference`,
    clusterName,
    printGuidance:
      options.printGuidance ?? createGuidancePrinter({ routes, tools: [], publicUrl: () => publicUrl }),
  };
  const nextRequestId = createRequestIds();
  const inFlight = new RequestsInFlight();
  const guards = createGuards(config, publicUrl);
  const rateLimit = options.rateLimit ?? createRateLimit(config.rateLimit, monotonicMs);
  const reserve = createTransactionReserve(config.rateLimit, monotonicMs);
  const upstreamBudget = createUpstreamBudget(config.rateLimit, monotonicMs);
  const transportRefusal = guards.refuseKey;
  const errorPage = createErrorPage(options.brand);
  const services = { source, clock, errorPage, logger, rateLimit, transportRefusal, monotonicMs, onResponse };
  const cachedResponses = options.cachedResponses ?? createCachedResponses({ ctx, source, clock });
  const facts = {
    routes,
    mounts,
    tools,
    publicUrl,
    clusterName,
    voteAccount,
    sourceUrl,
    packages: ctx.service.packages,
  };
  const findTarget = createRouter([
    ...routes.map((route) =>
      createRouteTarget(route, {
        ctx,
        source,
        cachedResponses,
        endsEpochsOnDemand: config.sandboxMode,
        clock,
        logger,
      }),
    ),
    ...createDocumentTargets(facts, ctx, options.brand).filter(
      ({ path }) =>
        !mounts.some((mount) => mount.path === path) &&
        (isDiscoverable || path.startsWith('/docs') || ['/openapi.json', ICON_PATH].includes(path)),
    ),
    ...mounts,
  ]);

  const answer = async (exchange: Exchange, noTarget: AppError | null): Promise<void> => {
    const { request, target } = exchange;
    inFlight.enter(exchange);
    try {
      const count = async (): Promise<AppError | null> => {
        if (!target.limited) return null;
        const refusal = await exchange.count(1);
        if (refusal !== null && !(target.hasReserve === true && reserve(exchange.client))) return refusal;
        return upstreamBudget.refuse(exchange.client);
      };
      const refusal =
        (countsAdmittedOnly ? null : await count()) ??
        guards.refuseHost(request) ??
        noTarget ??
        guards.refuseCaller(request, target) ??
        admits(request, target) ??
        (countsAdmittedOnly ? await count() : null) ??
        inFlight.refuse(exchange);
      // Shutdown may have given up on this request during the rate-limit check.
      if (exchange.answered) return;
      if (refusal !== null) exchange.fail(refusal);
      else
        await countingUpstreamCalls(
          (calls) => upstreamBudget.count(exchange.client, calls),
          () => target.serve(exchange),
        );
    } catch (error) {
      exchange.fail(error);
    } finally {
      inFlight.leave(exchange);
    }
  };

  handleRequests(server, (request, response, expectsContinue) => {
    const { target, path, refusal } = findTarget(request);
    const exchange = new Exchange(services, {
      request,
      response,
      target,
      path,
      expectsContinue,
      requestId: nextRequestId(),
      client: guards.clientOf(request),
      corsHeaders: guards.corsHeaders(request, target),
    });
    answer(exchange, refusal).catch((error: unknown) =>
      logger.error({ err: error, path: target.path }, 'a response could not be sent'),
    );
  });
  server.on('clientError', createClientErrorHandler(source, clock.now, nextRequestId));

  let stopped: Promise<void> | null = null;
  return {
    url: urlOf(address),
    port: address.port,
    publicUrl,
    close: (limits = {}) => {
      stopped ??= stop(server, inFlight, { graceMs: 10_000, actGraceMs: 75_000, ...limits });
      return stopped;
    },
  };
};

// What happens to a request once it is routed: guards, then the operation, a page, or a refusal; always exactly one answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, validationError } from '../kernel/app-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Context } from '../operations/context.ts';
import { createAnswers } from './answers.ts';
import { preflightHeaders } from './cors.ts';
import { Exchange, UNCACHED_DATA_POLICY } from './exchange.ts';
import { createGuards } from './guards.ts';
import type { HttpConfig } from './http-config.ts';
import type { InFlight } from './in-flight.ts';
import type { MetaSource } from './meta.ts';
import type { Page } from './pages.ts';
import { pathOf } from './parse-query.ts';
import { createPathTable } from './path-table.ts';
import type { Route } from './route.ts';
import { createCachedHandler } from './serve-cached.ts';
import { createOperationHandler } from './serve-operation.ts';

/** What the window is made of. */
export interface HttpWindowOptions {
  readonly routes: readonly Route[];
  readonly pages: readonly Page[];
  readonly ctx: Context;
  readonly config: HttpConfig;
  readonly publicUrl: string;
  readonly metaSource: MetaSource;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  readonly nextRequestId: () => string;
  readonly inFlight: InFlight;
  /** Removes and tells whether this client waits for `100 Continue` before it sends its body. */
  readonly awaitsContinue: (request: IncomingMessage) => boolean;
  /** Told of every answer when it is sent. */
  readonly onAnswer: ((answer: AnsweredCall) => void) | undefined;
}

/** An answer for whoever counts. */
export interface AnsweredCall {
  /** `METHOD /path/{template}` of one of the routes; null for pages and for what no route is meant by. */
  readonly endpoint: string | null;
  readonly status: number;
  /** From the routing of the request until the answer was handed to the socket. */
  readonly durationMs: number;
  /** On cached routes: whether the answer was kept (`hit`) or had to be made first. */
  readonly cache: 'hit' | 'fill' | null;
}

/** Decoded path parameters. */
export type PathParams = Readonly<Record<string, string>>;

type Serve<Extra extends unknown[] = []> = (
  request: IncomingMessage,
  response: ServerResponse,
  ...extra: Extra
) => void;

/** Handlers of routed requests. */
export interface HttpWindow {
  readonly route: (route: Route) => Serve<[PathParams]>;
  readonly page: (page: Page) => Serve;
  /** No route matched: preflight, 405 or 404. */
  readonly unmatched: Serve;
  /** The path cannot be decoded. */
  readonly undecodable: Serve;
}

const NOTHING_HERE = new AppError('NOT_FOUND', 'There is nothing at this path.', {
  suggestedAction: 'See GET /openapi.json for every path.',
});

const UNDECODABLE = validationError([
  { path: 'path', code: 'invalid_encoding', message: 'is not valid percent-encoded UTF-8' },
]);

const wrongMethod = (methods: readonly string[]): AppError =>
  new AppError('METHOD_NOT_ALLOWED', `This path takes ${methods.join(', ')}.`, {
    suggestedAction: 'Use one of the methods in the Allow header.',
  });

/** Builds the window. */
export const createHttpWindow = (options: HttpWindowOptions): HttpWindow => {
  const { routes, pages, ctx, config, publicUrl, logger, clock, inFlight, awaitsContinue } = options;
  const answers = createAnswers(options.metaSource, clock, logger);
  const judge = createGuards(config, publicUrl, options.monotonicMs);
  const at = createPathTable([
    ...routes.map((route) => ({ method: route.method, path: route.path, route })),
    ...pages.map(({ path }) => ({ method: 'GET', path, route: null })),
  ]);

  const invite = (exchange: Exchange): void => {
    if (awaitsContinue(exchange.request)) exchange.response.writeContinue();
  };

  const watch = (exchange: Exchange, startedMs: number): Exchange => {
    const { onAnswer } = options;
    if (onAnswer === undefined) return exchange;
    const { route } = exchange;
    const endpoint = route === null ? null : `${route.method} ${route.path}`;
    exchange.onSent = (status) =>
      onAnswer({ endpoint, status, durationMs: options.monotonicMs() - startedMs, cache: exchange.cache });
    return exchange;
  };

  const refuse = (exchange: Exchange, error: AppError, extraHeaders?: readonly string[]): void => {
    // Refused before it was invited: the body will not come, and only closing keeps both sides in step.
    if (awaitsContinue(exchange.request)) exchange.lastOnConnection = true;
    answers.fail(exchange, error, extraHeaders);
  };

  const admit = (
    request: IncomingMessage,
    response: ServerResponse,
    route: Route | null,
    counted: boolean,
  ): Exchange | null => {
    const exchange = watch(
      new Exchange(request, response, route, options.nextRequestId()),
      options.monotonicMs(),
    );
    const refusal = judge(exchange, counted) ?? inFlight.refuse(exchange);
    if (refusal === null) return exchange;
    refuse(exchange, refusal);
    return null;
  };

  // From here on the exchange is judged and answered as the route that is meant, so that a foreign page learns already from the
  // preflight that it may not, and 405 names the endpoint.
  const adopt = (exchange: Exchange, route: Route | null): Exchange => {
    const adopted = new Exchange(exchange.request, exchange.response, route, exchange.requestId);
    adopted.onSent = exchange.onSent;
    adopted.rateHeaders = exchange.rateHeaders;
    adopted.lastOnConnection = exchange.lastOnConnection;
    return adopted;
  };

  const preflight = (exchange: Exchange, methods: readonly string[]): void => {
    const asked = exchange.request.headers['access-control-request-method'];
    const refusal = judge(exchange, false);
    if (refusal !== null) refuse(exchange, refusal);
    else
      exchange.send(204, null, '', [
        ...['allow', methods.join(', ')],
        ...UNCACHED_DATA_POLICY,
        ...(asked === undefined ? [] : preflightHeaders(methods)),
      ]);
  };

  return {
    route: (route) => {
      const serve =
        route.cacheTtlSeconds === undefined
          ? createOperationHandler(route, { ctx, logger, answers, inFlight, invite })
          : createCachedHandler(route, route.cacheTtlSeconds, { ctx, clock, answers, inFlight });
      const counted = route.unlimited !== true;
      return (request, response, path) => {
        const exchange = admit(request, response, route, counted);
        if (exchange !== null) serve(exchange, path);
      };
    },

    page: (page) => (request, response) => {
      const exchange = admit(request, response, null, page.limited);
      if (exchange === null) return;
      try {
        exchange.send(200, page.contentType, page.text(), page.policy);
      } catch (error) {
        answers.fail(exchange, error);
      }
    },

    unmatched: (request, response) => {
      const exchange = admit(request, response, null, true);
      if (exchange === null) return;
      const { entries, methods } = at(pathOf(request.url ?? ''));
      const asked = request.headers['access-control-request-method'] ?? entries[0]?.method;
      const adopted = adopt(exchange, entries.find(({ method }) => method === asked)?.route ?? null);
      if (methods.length === 0) refuse(adopted, NOTHING_HERE);
      else if (request.method === 'OPTIONS') preflight(adopted, methods);
      else {
        judge(adopted, false);
        refuse(adopted, wrongMethod(methods), ['allow', methods.join(', ')]);
      }
    },

    undecodable: (request, response) => {
      const exchange = admit(request, response, null, true);
      if (exchange !== null) refuse(exchange, UNDECODABLE);
    },
  };
};

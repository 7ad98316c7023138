// What happens to a request once it is routed: guards, then the operation, a page, or a refusal; always exactly one answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createKeptAnswers, isKept, type KeptAnswers } from '../../adapter/kept-answers.ts';
import type { MetaSource } from '../../adapter/meta.ts';
import { AppError, validationError } from '../../kernel/app-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Context } from '../../operations/context.ts';
import { preflightHeaders } from '../guards/cors.ts';
import { createGuards } from '../guards/guards.ts';
import type { RateLimit } from '../guards/rate-limit.ts';
import type { Page } from '../pages/pages.ts';
import { type StoredFile, sendFile, storeText } from '../pages/send-file.ts';
import { createAnswers } from './answers.ts';
import { Exchange, UNCACHED_DATA_POLICY } from './exchange.ts';
import type { HttpConfig } from './http-config.ts';
import type { InFlight } from './in-flight.ts';
import type { Mount } from './mount.ts';
import { pathOf } from './parse-query.ts';
import { createPathTable } from './path-table.ts';
import type { Route } from './route.ts';
import { createCachedHandler } from './serve-cached.ts';
import { createMountHandler } from './serve-mount.ts';
import { createOperationHandler } from './serve-operation.ts';
import type { MountTarget, PathParams } from './target.ts';

/** What the window is made of. */
export interface HttpWindowOptions {
  readonly routes: readonly Route[];
  readonly pages: readonly Page[];
  /** The page as it should be served now; default: as it was given. */
  readonly currentPage?: (page: Page) => Promise<Page>;
  readonly mounts: readonly Mount[];
  readonly ctx: Context;
  /** Shared with other windows; default: this window's own. */
  readonly kept: KeptAnswers | undefined;
  readonly config: HttpConfig;
  readonly publicUrl: string;
  readonly metaSource: MetaSource;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  readonly rateLimit: RateLimit;
  readonly nextRequestId: () => string;
  readonly inFlight: InFlight;
  /** Removes and tells whether this client waits for `100 Continue` before it sends its body. */
  readonly awaitsContinue: (request: IncomingMessage) => boolean;
  /** Told of every answer when it is sent. */
  readonly onAnswer: ((answer: AnsweredCall) => void) | undefined;
}

/** An answer for whoever counts. */
export interface AnsweredCall {
  /** `METHOD /path/{template}` of a route, or of a mount that is an endpoint; null for pages and for what nothing is meant by. */
  readonly endpoint: string | null;
  readonly status: number;
  /** From the routing of the request until the answer was handed to the socket. */
  readonly durationMs: number;
  /** On cached routes: whether the answer was kept (`hit`) or had to be made first. */
  readonly cache: 'hit' | 'fill' | null;
}

type Serve<Extra extends unknown[] = []> = (
  request: IncomingMessage,
  response: ServerResponse,
  ...extra: Extra
) => void;

/** A request as it arrives, and what it was routed to. */
interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route?: Route | null;
  readonly mount?: Mount | null;
  readonly counted: boolean;
}

/** Handlers of routed requests. */
export interface HttpWindow {
  readonly route: (route: Route) => Serve<[PathParams]>;
  readonly page: (page: Page) => Serve;
  readonly mount: (mount: Mount) => Serve<[PathParams]>;
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

const endpointOf = ({ route, mount, request }: Exchange): string | null => {
  if (route !== null) return `${route.method} ${route.path}`;
  return mount?.isEndpoint === true
    ? `${request.method === 'HEAD' ? 'GET' : request.method} ${mount.path}`
    : null;
};

const stored = new WeakMap<Page, StoredFile>();

/** The page's bytes, made and compressed at its first request. */
const storedPage = (page: Page): StoredFile => {
  const file = stored.get(page) ?? storeText(page.text());
  stored.set(page, file);
  return file;
};

/** Builds the window. */
export const createHttpWindow = (options: HttpWindowOptions): HttpWindow => {
  const {
    routes,
    pages,
    mounts,
    rateLimit,
    ctx,
    config,
    publicUrl,
    logger,
    clock,
    inFlight,
    awaitsContinue,
    currentPage = (page: Page) => Promise.resolve(page),
  } = options;
  const kept = options.kept ?? createKeptAnswers({ ctx, source: options.metaSource, clock });
  const answers = createAnswers(options.metaSource, clock, logger);
  const judge = createGuards(config, publicUrl, rateLimit);
  const at = createPathTable([
    ...routes.map((route) => ({ method: route.method, path: route.path, route, mount: null })),
    ...pages.map(({ path }) => ({ method: 'GET', path, route: null, mount: null })),
    ...mounts.flatMap((mount) =>
      mount.methods.map((method) => ({ method, path: mount.path, route: null, mount })),
    ),
  ]);

  const invite = (exchange: Exchange): void => {
    if (awaitsContinue(exchange.request)) exchange.response.writeContinue();
  };

  const watch = (exchange: Exchange, startedMs: number): Exchange => {
    const { onAnswer } = options;
    if (onAnswer === undefined) return exchange;
    const endpoint = endpointOf(exchange);
    exchange.onSent = (status) =>
      onAnswer({ endpoint, status, durationMs: options.monotonicMs() - startedMs, cache: exchange.cache });
    return exchange;
  };

  const refuse = (exchange: Exchange, error: AppError, extraHeaders?: readonly string[]): void => {
    // Refused before it was invited: the body will not come, and only closing keeps both sides in step.
    if (awaitsContinue(exchange.request)) exchange.lastOnConnection = true;
    answers.fail(exchange, error, extraHeaders);
  };

  /** Lets `proceed` have the request once the guards let it pass; they may have to ask another process first. */
  const admit = (
    { request, response, route = null, mount = null, counted }: Arrival,
    proceed: (exchange: Exchange) => void,
  ): void => {
    const exchange = watch(
      new Exchange(request, response, route, options.nextRequestId(), mount),
      options.monotonicMs(),
    );
    const decide = (refusal: AppError | null): void => {
      const final = refusal ?? inFlight.refuse(exchange);
      if (final === null) proceed(exchange);
      else refuse(exchange, final);
    };
    const judged = judge(exchange, counted);
    if (!(judged instanceof Promise)) {
      decide(judged);
      return;
    }
    // A stop waits for it.
    inFlight.enter(exchange);
    exchange.onGiveUp = (reason) => answers.fail(exchange, reason);
    judged
      .then(
        (refusal) => {
          inFlight.leave(exchange);
          if (!exchange.answered) decide(refusal);
        },
        (error: unknown) => {
          inFlight.leave(exchange);
          answers.fail(exchange, error);
        },
      )
      .catch((error: unknown) => logger.error({ err: error }, 'a request could not be judged'));
  };

  // Only counting can take time.
  const judgeUncounted = (exchange: Exchange): AppError | null => judge(exchange, false) as AppError | null;

  // From here on the exchange is judged and answered as the route that is meant, so that a foreign page learns already from the
  // preflight that it may not, and 405 names the endpoint.
  const adopt = (exchange: Exchange, route: Route | null, mount: MountTarget | null): Exchange => {
    const adopted = new Exchange(exchange.request, exchange.response, route, exchange.requestId, mount);
    adopted.client = exchange.client;
    adopted.onSent = exchange.onSent;
    adopted.rateHeaders = exchange.rateHeaders;
    adopted.lastOnConnection = exchange.lastOnConnection;
    return adopted;
  };

  const preflight = (exchange: Exchange, methods: readonly string[]): void => {
    const asked = exchange.request.headers['access-control-request-method'];
    const refusal = judgeUncounted(exchange);
    if (refusal !== null) refuse(exchange, refusal);
    else
      exchange.send(204, null, '', [
        ...['allow', methods.join(', ')],
        ...UNCACHED_DATA_POLICY,
        ...(asked === undefined ? [] : (exchange.mount?.preflightHeaders ?? preflightHeaders(methods))),
      ]);
  };

  return {
    route: (route) => {
      const serve = isKept(route)
        ? createCachedHandler(route, { kept, clock, answers, inFlight })
        : createOperationHandler(route, { ctx, logger, answers, inFlight, invite });
      const counted = route.unlimited !== true;
      return (request, response, path) => {
        admit({ request, response, route, counted }, (exchange) => serve(exchange, path));
      };
    },

    page: (page) => (request, response) => {
      admit({ request, response, counted: true }, (exchange) => {
        inFlight.enter(exchange);
        exchange.onGiveUp = (reason) => answers.fail(exchange, reason);
        currentPage(page)
          .then((current) => sendFile(exchange, storedPage(current), current.contentType, current.policy))
          .catch((error: unknown) => answers.fail(exchange, error))
          .finally(() => inFlight.leave(exchange));
      });
    },

    mount: (mount) => {
      const serve = createMountHandler(mount, { rateLimit, answers, inFlight, logger, invite });
      return (request, response, path) =>
        admit({ request, response, mount, counted: mount.limited }, (exchange) => serve(exchange, path));
    },

    unmatched: (request, response) => {
      admit({ request, response, counted: true }, (exchange) => {
        const { entries, methods } = at(pathOf(request.url ?? ''));
        if (methods.length === 0) {
          refuse(exchange, NOTHING_HERE);
          return;
        }
        const asked = request.headers['access-control-request-method'] ?? entries[0]?.method;
        // A mount answers for its whole path: its headers hold for methods that it lacks, too.
        const meant =
          entries.find(({ method }) => method === asked) ?? entries.find(({ mount }) => mount !== null);
        const adopted = adopt(exchange, meant?.route ?? null, meant?.mount ?? null);
        if (request.method === 'OPTIONS') preflight(adopted, methods);
        else {
          judgeUncounted(adopted);
          refuse(adopted, wrongMethod(methods), ['allow', methods.join(', ')]);
        }
      });
    },

    undecodable: (request, response) => {
      admit({ request, response, counted: true }, (exchange) => refuse(exchange, UNDECODABLE));
    },
  };
};

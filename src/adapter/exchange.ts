// One request with its single response, and the target interface that REST routes, documents, MCP and Actions
// implement.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CallSource, callSourceOf, SOURCE_HEADER } from '../domain/call-source.ts';
import type { AppError } from '../kernel/app-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import { DATA_CSP } from './content-security-policies.ts';
import type { Endpoint } from './describe-endpoint.ts';
import { discardBody, hasBody } from './discard-body.ts';
import { errorResponse, toAppError } from './error-body.ts';
import type { MetaSource } from './response-meta.ts';

/** Headers of data responses (alternating names and values). They forbid framing and loading resources. */
export const DATA_POLICY: readonly string[] = ['content-security-policy', DATA_CSP];

/** The same headers for responses that must not be stored. */
export const UNCACHED_DATA_POLICY: readonly string[] = [...DATA_POLICY, 'cache-control', 'no-store'];

/** Content type of every JSON response. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Content type of every text response. */
export const TEXT_TYPE = 'text/plain; charset=utf-8';

/**
 * Origins that may call from a browser: any origin, only our own page's, or our own page's and the configured
 * ones.
 */
export type Browsers = 'public' | 'own-page' | 'listed';

/** Content type of every HTML page. */
export const HTML_TYPE = 'text/html; charset=utf-8';

/** An HTML page. */
export interface Page {
  readonly content: string;
  /**
   * Headers (alternating names and values) that control what the page may load and who may frame and cache
   * it.
   */
  readonly policy: readonly string[];
}

/** Builds the HTML page for a body that API clients receive as JSON. `url` is the requested path and query. */
export type PageOf = (body: Readonly<Record<string, unknown>>, url: string) => Page;

/**
 * Returns true if the Accept header prefers HTML: HTML has a higher weight than JSON, or the same weight and
 * comes first.
 */
const prefersHtml = (accept: string): boolean => {
  const [best] = accept
    .toLowerCase()
    .split(',')
    .map((range) => {
      const [type, ...parameters] = range.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return { type, weight: Number(weight) };
    })
    .filter(({ type, weight }) => (type === 'text/html' || type === 'application/json') && weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  return best?.type === 'text/html';
};

/** Decoded path parameters. */
export type PathParams = Readonly<Record<string, string>>;

/** A handler for a path: the operation of a route, a document, or another protocol. */
export interface Target {
  /**
   * Path with parameters in braces, e.g. `/api/actions/{name}`; a trailing `{*}` matches the rest, slashes
   * included.
   */
  readonly path: string;
  /** `GET` targets also serve `HEAD`. */
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS')[];
  /** True if requests count toward the rate limit. */
  readonly limited: boolean;
  /**
   * True for targets that build or submit a transaction. They have a separate budget once the rate limit is
   * reached.
   */
  readonly hasReserve?: boolean;
  readonly browsers: Browsers;
  /** The route, for `_meta` and the titles of failures. Absent for targets without an operation. */
  readonly endpoint?: Endpoint;
  /** Describes a target without `endpoint` in the `_meta` of its failures. Default: no description. */
  readonly description?: string;
  /** True if calls are reported as `METHOD /path/{template}`. Default: not reported. */
  readonly isEndpoint?: boolean;
  /**
   * True if the body contains a secret key. Such requests require HTTPS (or loopback where allowed), which is
   * checked before the body is read.
   */
  readonly carriesSecretKey?: boolean;
  /**
   * True for targets that change the chain. They are refused during shutdown, which waits for running calls
   * as long as for submissions.
   */
  readonly acts?: boolean;
  /** True for targets that report readiness. They are refused during shutdown. */
  readonly isProbe?: boolean;
  /** CORS headers of every response, for standards that define their own; alternating names and values. */
  readonly corsHeaders?: readonly string[];
  /** Headers of preflight responses, for standards that define their own; alternating names and values. */
  readonly preflightHeaders?: readonly string[];
  /** Body of a failure, for standards that define their own. Also used for failures found by the guards. */
  readonly errorBody?: (error: AppError) => object;
  /**
   * Renders responses and failures as HTML pages for browsers. Default: JSON; failed documents use the
   * server's error page.
   */
  readonly page?: PageOf;
  /** Resolves once a response has been sent. A rejection becomes an error response. */
  readonly serve: (exchange: Exchange) => Promise<void> | void;
}

/** `description` of targets that speak another protocol. */
export const OTHER_PROTOCOL = 'Another protocol that this service supports.';

/** The rate limit's decision about one request. */
export interface RateDecision {
  /** Alternating names and values: `RateLimit-Policy`, `RateLimit`. */
  readonly headers: readonly [string, string, string, string];
  /** Null if the request may proceed. */
  readonly refusal: AppError | null;
}

/**
 * Counts one request of the client with this rate key. Asynchronous if replicas share the limit. Never
 * rejects.
 */
export type RateLimit = (rateKey: string) => RateDecision | Promise<RateDecision>;

export interface ReportedResponse {
  /** `METHOD /path/{template}` of an endpoint; null for documents, files and requests that match nothing. */
  readonly endpoint: string | null;
  readonly status: number;
  /** Time from the routing of the request until the response was handed to the socket. */
  readonly durationMs: number;
  /** For cached routes: `hit` if the response came from the cache. */
  readonly cache: 'hit' | 'fill' | null;
}

interface ExchangeServices {
  readonly source: MetaSource;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly rateLimit: RateLimit;
  /**
   * Returns the refusal of a request that must not carry a secret key, otherwise null. Reads only the headers.
   */
  readonly transportRefusal: (request: IncomingMessage) => AppError | null;
  /** Renders failures of documents and unknown paths for browsers. Default: JSON. */
  readonly errorPage?: PageOf;
  readonly monotonicMs: () => number;
  readonly onResponse: ((answer: ReportedResponse) => void) | undefined;
}

/** A request and the target that it was routed to. */
interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  readonly path: PathParams;
  readonly requestId: string;
  /** Rate-limit key of the caller's network. */
  readonly client: string;
  /** Alternating names and values. */
  readonly corsHeaders: readonly string[];
  /** True if the client waits for `100 Continue` before it sends its body. */
  readonly expectsContinue: boolean;
}

const CALLER_GONE = new Error('the caller disconnected');

/** One request in progress. Sends exactly one response and drops later ones. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  readonly path: PathParams;
  readonly requestId: string;
  /** Rate-limit key of the caller's network. */
  readonly client: string;
  /** Result of the cache lookup; null if no cache was involved. */
  cache: ReportedResponse['cache'] = null;
  readonly #services: ExchangeServices;
  readonly #corsHeaders: readonly string[];
  readonly #expectsContinue: boolean;
  readonly #startedMs: number;
  #rateHeaders: readonly string[] = [];
  #hasResponded = false;
  #takenOver = false;
  #endsConnection = false;
  #abort: AbortController | null = null;
  #abortReason: Error | null = null;

  constructor(services: ExchangeServices, arrival: Arrival) {
    this.request = arrival.request;
    this.response = arrival.response;
    this.target = arrival.target;
    this.path = arrival.path;
    this.requestId = arrival.requestId;
    this.client = arrival.client;
    this.#services = services;
    this.#corsHeaders = arrival.corsHeaders;
    this.#expectsContinue = arrival.expectsContinue;
    this.#startedMs = services.onResponse === undefined ? 0 : services.monotonicMs();
  }

  /** The interface that the caller used, as declared in a request header. */
  get source(): CallSource {
    return callSourceOf(this.request.headers[SOURCE_HEADER]);
  }

  /** True if a response was sent or a protocol took over the response. */
  get answered(): boolean {
    return this.#hasResponded;
  }

  /**
   * Aborts when the caller disconnects or the service stops waiting. Created on first use, because creation
   * takes 2 µs (2026-11).
   */
  get signal(): AbortSignal {
    if (this.#abort !== null) return this.#abort.signal;
    this.#abort = new AbortController();
    const gone = (): void => {
      if (!this.#hasResponded || this.#takenOver) this.#end(CALLER_GONE);
    };
    if (this.response.destroyed) gone();
    else this.response.once('close', gone);
    if (this.#abortReason !== null) this.#abort.abort(this.#abortReason);
    return this.#abort.signal;
  }

  #end(reason: Error): void {
    this.#abortReason ??= reason;
    this.#abort?.abort(this.#abortReason);
  }

  /** Returns the refusal if this request must not carry a secret key, otherwise null. */
  transportRefusal(): AppError | null {
    return this.#services.transportRefusal(this.request);
  }

  /** Asks the client to send its body if it waits for `100 Continue`. */
  invite(): void {
    if (this.#expectsContinue) this.response.writeContinue();
  }

  /** Counts `requests` requests of this client. Returns the refusal if the limit is exceeded. */
  async count(requests: number): Promise<AppError | null> {
    for (let counted = 0; counted < requests; counted += 1) {
      const decision = this.#services.rateLimit(this.client);
      const { headers, refusal } = decision instanceof Promise ? await decision : decision;
      this.#rateHeaders = headers;
      if (refusal !== null) return refusal;
    }
    return null;
  }

  /** Closes the connection after the response. */
  endConnection(): void {
    this.#endsConnection = true;
  }

  /** Aborts the work in progress and responds with `reason`. */
  giveUp(reason: AppError): void {
    this.#end(reason);
    this.fail(reason);
  }

  /**
   * Sets the common headers and returns the response to a protocol that writes it itself. Afterwards, `send`
   * and `fail` do nothing.
   */
  takeOver(): ServerResponse {
    this.#hasResponded = true;
    this.#takenOver = true;
    const headers = [...this.#ownHeaders(), ...this.#connectionHeaders()];
    for (let at = 0; at < headers.length; at += 2)
      this.response.setHeader(headers[at] as string, headers[at + 1] as string);
    this.response.once('close', () => this.#report(this.response.statusCode));
    return this.response;
  }

  /**
   * Sends the response in one packet. `policy` contains headers (alternating names and values) that control
   * framing and caching.
   */
  send(status: number, contentType: string | null, body: string | Buffer, policy: readonly string[]): void {
    if (this.#hasResponded) return;
    this.#hasResponded = true;
    const headers = [...this.#ownHeaders(), ...policy];
    // Encodes the text only once. Given a string, the socket would measure it first and then encode it again.
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    if (contentType !== null)
      headers.push('content-type', contentType, 'content-length', String(bytes.length));
    headers.push(...this.#connectionHeaders());
    this.response.writeHead(status, headers);
    // Node omits the body of a HEAD response.
    this.response.end(bytes);
    this.#report(status);
  }

  /** True if a browser navigated to this address, so the response should be a page. */
  get wantsPage(): boolean {
    const { method, headers } = this.request;
    return (method === 'GET' || method === 'HEAD') && prefersHtml(headers.accept ?? '');
  }

  /**
   * Returns the function that renders a failure as a page; undefined if failures of this target are always
   * JSON.
   */
  get #failurePage(): PageOf | undefined {
    const { page, endpoint, description, errorBody } = this.target;
    const isDocument = endpoint === undefined && description === undefined && errorBody === undefined;
    return page ?? (isDocument ? this.#services.errorPage : undefined);
  }

  /**
   * Sends an error in the service's error shape, or as a page to a browser. `known` contains validated input
   * fields for the guidance.
   */
  fail(error: unknown, known: Readonly<Record<string, unknown>> = {}): void {
    // No response is possible: one was already sent, or the caller disconnected.
    if (this.#hasResponded || this.response.destroyed) return;
    const { source, clock, logger } = this.#services;
    const { path, methods, endpoint, description, errorBody } = this.target;
    const appError = toAppError(error);
    if (appError.code === 'INTERNAL')
      logger.error(
        { err: appError.cause ?? appError, requestId: this.requestId, operation: endpoint?.operation.name },
        'a request failed inside the service',
      );
    const place = description === undefined ? {} : { endpoint: path, description };
    const answer = errorResponse(appError, endpoint ?? null, source, clock.now(), place);
    const { status, retryAfterSeconds } = answer;
    const body = errorBody?.(appError) ?? source.printGuidance(answer.body, this.source, known);
    if (hasBody(this.request)) discardBody(this.request);
    const pageOf = this.#failurePage;
    const page = this.wantsPage
      ? pageOf?.(body as Readonly<Record<string, unknown>>, this.request.url ?? '')
      : undefined;
    this.send(status, page ? HTML_TYPE : JSON_TYPE, page?.content ?? JSON.stringify(body), [
      ...(page?.policy ?? UNCACHED_DATA_POLICY),
      ...(pageOf === undefined ? [] : ['vary', 'accept']),
      ...(retryAfterSeconds === undefined ? [] : ['retry-after', String(retryAfterSeconds)]),
      ...(appError.code === 'METHOD_NOT_ALLOWED' ? ['allow', methods.join(', ')] : []),
      ...(status === 401 ? ['www-authenticate', 'Bearer'] : []),
    ]);
  }

  #ownHeaders(): string[] {
    return [
      ...['x-request-id', this.requestId, 'x-content-type-options', 'nosniff'],
      ...this.#rateHeaders,
      ...this.#corsHeaders,
    ];
  }

  #connectionHeaders(): readonly string[] {
    return this.#endsConnection ? ['connection', 'close'] : [];
  }

  #report(status: number): void {
    const { onResponse, monotonicMs } = this.#services;
    if (onResponse === undefined) return;
    const { isEndpoint, path } = this.target;
    const { method } = this.request;
    onResponse({
      endpoint: isEndpoint === true ? `${method === 'HEAD' ? 'GET' : method} ${path}` : null,
      status,
      durationMs: monotonicMs() - this.#startedMs,
      cache: this.cache,
    });
  }
}

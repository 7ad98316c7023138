// One request and its answer: collects the headers that every answer carries and sends exactly one.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CallSource, callSourceOf, SOURCE_HEADER } from '../../domain/call-source.ts';
import type { AppError } from '../../kernel/app-error.ts';
import type { Route } from './route.ts';
import type { MountTarget } from './target.ts';

/** Headers of answers that are data, names and values in turn: never framed, never loading anything. */
export const DATA_POLICY: readonly string[] = [
  'content-security-policy',
  "default-src 'none'; frame-ancestors 'none'",
];

/** The same for answers that nobody may keep. */
export const UNCACHED_DATA_POLICY: readonly string[] = [...DATA_POLICY, 'cache-control', 'no-store'];

/** Content type of every JSON answer. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Content type of every text answer. */
export const TEXT_TYPE = 'text/plain; charset=utf-8';

/** One request under way. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Null while no route matched. */
  readonly route: Route | null;
  readonly requestId: string;
  /** Set where a mount answers. */
  readonly mount: MountTarget | null;
  /** The caller's network as the rate limit counts it; filled by the guards. */
  client = '';
  /** Validated addresses and ids of the request, which fill the paths of its answer. */
  known: Readonly<Record<string, string>> = {};
  /** Why a secret key may not come this way; null when it may. Set by the guards. */
  judgeTransport: () => AppError | null = () => null;
  /** Names and values in turn, filled by the guards. */
  rateHeaders: readonly string[] = [];
  corsHeaders: readonly string[] = [];
  /** Set once an answer was sent; a second one is dropped. */
  answered = false;
  /** Set while the service is stopping: the answer also ends the connection. */
  lastOnConnection = false;
  /** Called when the service stops waiting. */
  onGiveUp: ((reason: AppError) => void) | null = null;
  /** On cached routes: whether the answer was kept (`hit`) or had to be made first. */
  cache: 'hit' | 'fill' | null = null;
  /** Told of the answer when it is sent. */
  onSent: ((status: number) => void) | null = null;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route | null,
    requestId: string,
    mount: MountTarget | null = null,
  ) {
    this.request = request;
    this.response = response;
    this.route = route;
    this.requestId = requestId;
    this.mount = mount;
  }

  /** Through what it came in, by its own word. */
  get source(): CallSource {
    return callSourceOf(this.request.headers[SOURCE_HEADER]);
  }

  /** For protocols that write the response themselves: sets the headers that every answer carries; nothing is sent here afterwards. */
  takeOver(): ServerResponse {
    this.answered = true;
    const headers = [
      ...['x-request-id', this.requestId, 'x-content-type-options', 'nosniff'],
      ...[...this.rateHeaders, ...this.corsHeaders],
      ...(this.lastOnConnection ? ['connection', 'close'] : []),
    ];
    for (let at = 0; at < headers.length; at += 2)
      this.response.setHeader(headers[at] as string, headers[at + 1] as string);
    this.response.once('close', () => this.onSent?.(this.response.statusCode));
    return this.response;
  }

  /**
   * Sends the answer; a body in parts goes out in one packet all the same. `policy` are headers, names and values in turn; they say
   * how it may be framed and cached.
   */
  send(
    status: number,
    contentType: string | null,
    body: string | Buffer | readonly Buffer[],
    policy: readonly string[],
  ): void {
    if (this.answered) return;
    this.answered = true;
    const headers = [
      'x-request-id',
      this.requestId,
      'x-content-type-options',
      'nosniff',
      ...this.rateHeaders,
      ...this.corsHeaders,
      ...policy,
    ];
    // Encoded once: a socket that is given text encodes it again, and counts it before.
    const parts = typeof body === 'string' ? [Buffer.from(body)] : Buffer.isBuffer(body) ? [body] : body;
    if (contentType !== null)
      headers.push(
        ...['content-type', contentType, 'content-length'],
        String(parts.reduce((length, part) => length + part.length, 0)),
      );
    if (this.lastOnConnection) headers.push('connection', 'close');
    this.response.writeHead(status, headers);
    // Node leaves the body of an answer to HEAD away by itself.
    for (let at = 0; at < parts.length - 1; at += 1) this.response.write(parts[at]);
    this.response.end(parts.at(-1));
    this.onSent?.(status);
  }
}

// One request and its answer: collects the headers that every answer carries and sends exactly one.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppError } from '../kernel/app-error.ts';
import type { Route } from './route.ts';

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

  constructor(request: IncomingMessage, response: ServerResponse, route: Route | null, requestId: string) {
    this.request = request;
    this.response = response;
    this.route = route;
    this.requestId = requestId;
  }

  /** Sends the answer. `policy` are headers, names and values in turn; they say how it may be framed and cached. */
  send(status: number, contentType: string | null, body: string | Buffer, policy: readonly string[]): void {
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
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    if (contentType !== null)
      headers.push('content-type', contentType, 'content-length', String(bytes.length));
    if (this.lastOnConnection) headers.push('connection', 'close');
    this.response.writeHead(status, headers);
    this.response.end(bytes);
    this.onSent?.(status);
  }
}

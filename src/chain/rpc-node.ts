// One RPC node: a bounded number of POSTs with every timeout explicit, and a record of how it has been doing.
import { Pool } from 'undici';
import type { Clock } from '../kernel/clock.ts';
import { originOnly } from '../kernel/logger.ts';
import { NodeFailure, type NodeFailureWord, RpcError } from './rpc-error.ts';
import { parseRpcJson } from './rpc-json.ts';
import { RpcLimiter } from './rpc-limiter.ts';

/** Bytes of one answer that are accepted; a scan of 100,000 stake accounts in base64 has about 48 MB. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** Requests and sends run in separate lanes, so that a broadcast never waits behind scans. */
export type RpcLane = 'read' | 'send';

/** How a node has been doing, for `/ready`. Holds the origin only: paths, queries and user info are API keys at most providers. */
export interface NodeHealth {
  readonly index: number;
  readonly origin: string;
  readonly role: 'read' | 'send';
  readonly ok: boolean;
  readonly lastOkAtMs: number | null;
  readonly lastError: NodeFailureWord | null;
  /** Moving average of answered calls, ms; null before the first. */
  readonly latencyMs: number | null;
}

interface RpcNodeOptions {
  readonly index: number;
  readonly url: string;
  readonly role: 'read' | 'send';
  readonly timeoutMs: number;
  readonly maxConcurrent: number;
  readonly maxResponseBytes: number;
  readonly clock: Clock;
}

const failureOf = (error: unknown): NodeFailure => {
  const code = (error as { code?: unknown }).code;
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return new NodeFailure('unreachable', { mayHaveArrived: false, cause: error });
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return new NodeFailure('timeout', { mayHaveArrived: true, cause: error });
    case 'UND_ERR_RES_EXCEEDED_MAX_SIZE':
      return new NodeFailure('garbage', { mayHaveArrived: true, cause: error });
    default:
      return new NodeFailure('reset', { mayHaveArrived: true, cause: error });
  }
};

/** `Retry-After` in whole seconds (dates are ignored), at most a minute. */
const retryAfterMsOf = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d{1,4}$/.test(header) ? Math.min(Number(header), 60) * 1000 : undefined;

/** A node and its connections. */
export class RpcNode {
  readonly index: number;
  readonly role: 'read' | 'send';
  /** Set while the node is put aside; `null` when it takes calls. */
  asideUntilMs: number | null = null;
  /** Failures since the last useful answer. */
  failures = 0;
  lastError: NodeFailureWord | null = null;
  /** The context slot of the last answer that had one. */
  lastSlot: bigint | undefined;
  readonly #origin: string;
  readonly #path: string;
  readonly #headers: Record<string, string>;
  readonly #pool: Pool;
  readonly #lanes: Record<RpcLane, RpcLimiter>;
  readonly #clock: Clock;
  #nextId = 1;
  #latencyMs: number | null = null;
  #lastOkAtMs: number | null = null;

  constructor({ index, url, role, timeoutMs, maxConcurrent, maxResponseBytes, clock }: RpcNodeOptions) {
    const { origin, pathname, search, username, password } = new URL(url);
    this.index = index;
    this.role = role;
    this.#origin = originOnly(url);
    this.#path = `${pathname}${search}`;
    this.#headers = { 'content-type': 'application/json', accept: 'application/json' };
    if (username || password) {
      const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
      this.#headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    }
    this.#pool = new Pool(origin, {
      connections: maxConcurrent * 2,
      pipelining: 1,
      connect: { timeout: Math.min(timeoutMs, 3_000) },
      headersTimeout: timeoutMs * 4,
      bodyTimeout: timeoutMs * 4,
      maxResponseSize: maxResponseBytes,
    });
    this.#lanes = { read: new RpcLimiter(maxConcurrent), send: new RpcLimiter(maxConcurrent) };
    this.#clock = clock;
  }

  /** Lower is better: what a call is likely to wait here. An old measurement loses half its weight every 30 s. */
  get expectedWaitMs(): number {
    if (this.#latencyMs === null || this.#lastOkAtMs === null) return 0;
    const ageMs = this.#clock.now() - this.#lastOkAtMs;
    return this.#latencyMs * 0.5 ** (ageMs / 30_000) * (1 + this.#lanes.read.load);
  }

  /** Asks once. Throws `RpcError` for a JSON-RPC error, `NodeFailure` for anything that is no answer, the signal's reason on abort. */
  async ask(
    method: string,
    params: readonly unknown[],
    options: { signal: AbortSignal; timeoutMs: number; lane: RpcLane },
  ): Promise<unknown> {
    options.signal.throwIfAborted();
    const attempt = new AbortController();
    let timedOut = false;
    let posted = false;
    const timer = setTimeout(() => {
      timedOut = true;
      attempt.abort();
    }, options.timeoutMs);
    const giveUp = () => attempt.abort(options.signal.reason);
    options.signal.addEventListener('abort', giveUp, { once: true });
    try {
      return await this.#lanes[options.lane].run(() => {
        posted = true;
        return this.#post(method, params, attempt.signal);
      }, attempt.signal);
    } catch (error) {
      options.signal.throwIfAborted();
      if (timedOut) throw new NodeFailure('timeout', { mayHaveArrived: posted });
      throw error;
    } finally {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', giveUp);
    }
  }

  async #post(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    const id = this.#nextId++;
    const startedAtMs = performance.now();
    let status: number;
    let text: string;
    let retryAfterMs: number | undefined;
    try {
      const response = await this.#pool.request({
        method: 'POST',
        path: this.#path,
        headers: this.#headers,
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
        signal,
      });
      status = response.statusCode;
      retryAfterMs = retryAfterMsOf(response.headers['retry-after']);
      text = await response.body.text();
    } catch (error) {
      throw failureOf(error);
    }
    if (status === 429) {
      throw new NodeFailure('rate-limited', {
        mayHaveArrived: false,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      });
    }
    if (status >= 500 || (status !== 200 && status !== 400))
      throw new NodeFailure('http-error', { mayHaveArrived: true });
    const result = this.#resultOf(text, id);
    this.#answered(performance.now() - startedAtMs);
    return result;
  }

  #resultOf(text: string, id: number): unknown {
    let answer: {
      id?: unknown;
      result?: unknown;
      error?: { code?: unknown; message?: unknown; data?: unknown };
    } | null;
    try {
      answer = parseRpcJson(text) as typeof answer;
    } catch (error) {
      throw new NodeFailure('garbage', { mayHaveArrived: true, cause: error });
    }
    if (typeof answer !== 'object' || answer === null)
      throw new NodeFailure('garbage', { mayHaveArrived: true });
    const { error } = answer;
    if (typeof error === 'object' && error !== null && typeof error.code === 'number') {
      if (error.code === 429 || error.code === -32429)
        throw new NodeFailure('rate-limited', { mayHaveArrived: false });
      throw new RpcError(error.code, String(error.message), error.data);
    }
    if (answer.id !== id || answer.result === undefined)
      throw new NodeFailure('garbage', { mayHaveArrived: true });
    return answer.result;
  }

  #answered(elapsedMs: number): void {
    this.#latencyMs = this.#latencyMs === null ? elapsedMs : this.#latencyMs * 0.8 + elapsedMs * 0.2;
    this.#lastOkAtMs = this.#clock.now();
  }

  health(): NodeHealth {
    return {
      index: this.index,
      origin: this.#origin,
      role: this.role,
      ok: this.asideUntilMs === null && this.#lastOkAtMs !== null,
      lastOkAtMs: this.#lastOkAtMs,
      lastError: this.lastError,
      latencyMs: this.#latencyMs === null ? null : Math.round(this.#latencyMs * 10) / 10,
    };
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

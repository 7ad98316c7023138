// One RPC node: bounded concurrent POSTs with explicit timeouts, and its health.
import { type Dispatcher, Pool } from 'undici';
import type { Clock } from '../../kernel/clock.ts';
import { originOnly } from '../../kernel/log/redact-secrets.ts';
import { basicCredentials } from '../../kernel/network/basic-credentials.ts';
import { NodeFailure, type NodeFailureWord } from './rpc-error.ts';
import { RpcLimiter } from './rpc-limiter.ts';
import { connectionFailure, resultOf, statusFailure } from './rpc-response.ts';

/** Maximum size of one response. A scan of 100,000 stake accounts in base64 is about 48 MB. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** Maximum size of the response of a scan, which is read in pieces: enough for 4 million stake accounts. */
const MAX_LARGE_RESPONSE_BYTES = 2 * 1024 * 1024 * 1024;
/** Maximum pause before and within a large response, in ms. */
const LARGE_PAUSE_MS = 120_000;
const MAX_ERROR_CHARACTERS = 10_000;
/** Reads, our own sends and relayed sends use separate lanes, so that our sends never wait for the others. */
export type RpcLane = 'read' | 'send' | 'relay';
/** Relayed transactions may use one out of this many of a node's concurrent requests. */
const RELAY_SHARE = 4;

/**
 * Health of a node for `/ready`. Only contains the origin of the URL, because most providers put API keys in
 * the path, query or user info.
 */
export interface NodeHealth {
  readonly index: number;
  readonly origin: string;
  readonly role: 'read' | 'send';
  readonly ok: boolean;
  readonly lastOkAtMs: number | null;
  readonly lastError: NodeFailureWord | null;
  /** Moving average of the duration of successful calls, in ms; null before the first one. */
  readonly latencyMs: number | null;
}

export interface LargeRpcOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Called with the bytes read so far, and the total if the node reports it. */
  readonly onProgress?: ((bytes: number, ofBytes: number | null) => void) | undefined;
}

/** Reads as much of a body as an error message needs. */
const beginningOf = async (body: AsyncIterable<string>): Promise<string> => {
  let text = '';
  for await (const chunk of body) {
    text += chunk;
    if (text.length > MAX_ERROR_CHARACTERS) break;
  }
  return text;
};

interface RpcNodeOptions {
  readonly index: number;
  readonly url: string;
  readonly role: 'read' | 'send';
  readonly timeoutMs: number;
  readonly maxConcurrent: number;
  readonly maxResponseBytes: number;
  readonly clock: Clock;
}

export class RpcNode {
  readonly index: number;
  readonly role: 'read' | 'send';
  /** Set while the node is suspended; `null` if it takes calls. */
  suspendedUntilMs: number | null = null;
  /** True until the node has proven that it belongs to our cluster. Quarantined nodes get no calls. */
  isQuarantined = false;
  /**
   * True once the node's slot has gone far backwards, until the node proves that it belongs to our cluster.
   * It may have restarted from genesis.
   */
  hasFallenBack = false;
  /** Number of failures since the last useful response. */
  failures = 0;
  lastError: NodeFailureWord | null = null;
  /** Context slot of the last response that contained one. */
  lastSlot: bigint | undefined;
  /** Methods that the node reported as unsupported and has not supported since. */
  readonly refusedMethods = new Set<string>();
  readonly #origin: string;
  readonly #path: string;
  readonly #headers: Record<string, string>;
  readonly #pool: Pool;
  readonly #lanes: Record<RpcLane, RpcLimiter>;
  readonly #clock: Clock;
  readonly #openLargeResponses: () => Pool;
  #largeResponses: Pool | undefined;
  /** Requests without a response yet, oldest first. */
  readonly #pending = new Set<{ readonly sinceMs: number }>();
  /** Moving averages of the duration of successful calls, in ms, by method. */
  readonly #usualMs = new Map<string, number>();
  #nextId = 1;
  #latencyMs: number | null = null;
  #lastOkAtMs: number | null = null;

  constructor({ index, url, role, timeoutMs, maxConcurrent, maxResponseBytes, clock }: RpcNodeOptions) {
    const parsed = new URL(url);
    const { origin, pathname, search } = parsed;
    this.index = index;
    this.role = role;
    this.#origin = originOnly(url);
    this.#path = `${pathname}${search}`;
    this.#headers = { 'content-type': 'application/json', accept: 'application/json' };
    const authorization = basicCredentials(parsed);
    if (authorization !== undefined) this.#headers.authorization = authorization;
    this.#pool = new Pool(origin, {
      connections: maxConcurrent * 2,
      pipelining: 1,
      connect: { timeout: Math.min(timeoutMs, 3_000) },
      headersTimeout: timeoutMs * 4,
      bodyTimeout: timeoutMs * 4,
      maxResponseSize: maxResponseBytes,
    });
    // A node may need a long time before it sends the first byte.
    this.#openLargeResponses = () =>
      new Pool(origin, {
        connections: 1,
        pipelining: 1,
        connect: { timeout: Math.min(timeoutMs, 3_000) },
        headersTimeout: LARGE_PAUSE_MS,
        bodyTimeout: LARGE_PAUSE_MS,
        maxResponseSize: MAX_LARGE_RESPONSE_BYTES,
      });
    this.#lanes = {
      read: new RpcLimiter(maxConcurrent),
      send: new RpcLimiter(maxConcurrent),
      relay: new RpcLimiter(Math.max(1, Math.floor(maxConcurrent / RELAY_SHARE))),
    };
    this.#clock = clock;
  }

  /**
   * Expected wait for a call; lower is better. The weight of a measurement halves every 30 s. A node that hangs is
   * expected to take at least as long as its oldest request has waited, so calls go elsewhere before it times out.
   */
  get expectedWaitMs(): number {
    const [oldest] = this.#pending;
    const waitedMs = oldest === undefined ? 0 : performance.now() - oldest.sinceMs;
    if (this.#latencyMs === null || this.#lastOkAtMs === null) return waitedMs;
    const ageMs = Math.max(0, this.#clock.now() - this.#lastOkAtMs);
    return Math.max(waitedMs, this.#latencyMs * 0.5 ** (ageMs / 30_000) * (1 + this.#lanes.read.load));
  }

  /** Usual duration of this method on this node, in ms; undefined before its first response. */
  usualMs(method: string): number | undefined {
    return this.#usualMs.get(method);
  }

  /**
   * Makes one request. Throws `RpcError` for a JSON-RPC error, `NodeFailure` for any other failure, and the
   * signal's reason on abort.
   */
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

  /**
   * Makes one request and passes `read` the body, as it arrives, and the request's id. Uses its own
   * connection outside the lanes. Throws `RpcError` or `NodeFailure`, errors of `read`, and the signal's
   * reason on abort.
   */
  async askForLarge<T>(
    method: string,
    params: readonly unknown[],
    { signal, timeoutMs, onProgress }: LargeRpcOptions,
    read: (body: AsyncIterable<string>, id: number) => Promise<T>,
  ): Promise<T> {
    const id = this.#nextId++;
    this.#largeResponses ??= this.#openLargeResponses();
    const timeout = AbortSignal.timeout(timeoutMs);
    const failure = (error: unknown): NodeFailure => {
      signal.throwIfAborted();
      return timeout.aborted
        ? new NodeFailure('timeout', { mayHaveArrived: true })
        : connectionFailure(error);
    };
    const request = {
      method: 'POST',
      path: this.#path,
      headers: this.#headers,
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      signal: AbortSignal.any([signal, timeout]),
    } as const;
    const { statusCode, headers, body } = await this.#largeResponses.request(request).catch((error) => {
      throw failure(error);
    });
    async function* text(): AsyncGenerator<string> {
      const decoder = new TextDecoder();
      const ofBytes = Number(headers['content-length']) || null;
      let bytes = 0;
      try {
        for await (const chunk of body as AsyncIterable<Uint8Array>) {
          bytes += chunk.length;
          onProgress?.(bytes, ofBytes);
          yield decoder.decode(chunk, { stream: true });
        }
      } catch (error) {
        throw failure(error);
      }
    }
    const refused = statusFailure(statusCode, undefined, '') !== null;
    if (refused) throw statusFailure(statusCode, headers['retry-after'], await beginningOf(text()));
    const result = await read(text(), id);
    this.#lastOkAtMs = this.#clock.now();
    return result;
  }

  async #post(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    const id = this.#nextId++;
    const pending = { sinceMs: performance.now() };
    this.#pending.add(pending);
    let text: string;
    let response: Dispatcher.ResponseData;
    try {
      response = await this.#pool.request({
        method: 'POST',
        path: this.#path,
        headers: this.#headers,
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
        signal,
      });
      text = await response.body.text();
    } catch (error) {
      throw connectionFailure(error);
    } finally {
      this.#pending.delete(pending);
    }
    const failure = statusFailure(response.statusCode, response.headers['retry-after'], text);
    if (failure !== null) throw failure;
    const result = resultOf(text, id);
    this.#noteResponse(method, performance.now() - pending.sinceMs);
    return result;
  }

  #noteResponse(method: string, elapsedMs: number): void {
    const averaged = (beforeMs: number | null | undefined) =>
      beforeMs == null ? elapsedMs : beforeMs * 0.8 + elapsedMs * 0.2;
    this.#latencyMs = averaged(this.#latencyMs);
    this.#usualMs.set(method, averaged(this.#usualMs.get(method)));
    this.#lastOkAtMs = this.#clock.now();
  }

  health(): NodeHealth {
    return {
      index: this.index,
      origin: this.#origin,
      role: this.role,
      ok: this.suspendedUntilMs === null && !this.isQuarantined && this.#lastOkAtMs !== null,
      lastOkAtMs: this.#lastOkAtMs,
      lastError: this.lastError,
      latencyMs: this.#latencyMs === null ? null : Math.round(this.#latencyMs * 10) / 10,
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.destroy(), this.#largeResponses?.destroy()]);
  }
}

// The sandbox's gateway. Serves JSON-RPC, WebSocket, the control interface and the statistics providers over
// loopback HTTP, but not to pages of other websites.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type { HeaderFees } from '../blocks/header-fee.ts';
import type { EpochEngine } from '../epochs/epoch-engine.ts';
import type { ProviderHandler } from '../providers/providers.ts';
import { parseJson, type RuntimeClient, RuntimeRpcError, stringifyJson } from '../runtime-client.ts';
import type { AccessGate } from './access-gate.ts';
import { isFinalized, readsFinalizedState, setFinalizedSlot } from './finality.ts';
import { refusalOf } from './gateway-guard.ts';
import { type Call, callOf, rpcError } from './json-rpc.ts';
import { rpcCorrections, runtimeParams } from './rpc-corrections.ts';
import { checkParameters } from './rpc-parameters.ts';
import type { RpcResponse } from './rpc-response-context.ts';
import { WebSocketTunnel } from './websocket-tunnel.ts';

const MAX_BODY_BYTES = 262_144;
const MAX_BATCH_CALLS = 100;
// Number of attempts to find a free pair of ports. The second port is often the local end of a connection: with
// 11,000 open connections, three of five pairs failed (2026-11).
const PORT_PAIR_ATTEMPTS = 200;
// Keeps idle connections open longer than any client does. With Node's default of 5 s, requests being sent were
// dropped on a busy machine.
const CONNECTION_TIMEOUTS = { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 };

/** Methods whose handlers enter the gate themselves. */
const ENTER_THEMSELVES: ReadonlySet<string> = new Set(['requestAirdrop', 'sendTransaction']);

/** Handles a request under `/control/` and returns the status and the JSON body. */
export type ControlHandler = (
  method: string,
  path: string,
  body: string,
) => Promise<{ status: number; body: unknown }>;

type GatewayOptions = {
  readonly host: string;
  /**
   * Port for JSON-RPC, control and WebSocket. WebSocket is also served on the next port, where legacy clients
   * expect it. 0 selects any free pair of ports.
   */
  readonly rpcPort: number;
  readonly client: RuntimeClient;
  readonly gate: AccessGate;
  readonly engine: EpochEngine;
  readonly responses: ReadonlyMap<string, RpcResponse>;
  readonly control: ControlHandler;
  readonly providers: ProviderHandler;
  readonly runtimeWsUrl: string;
  readonly headerFees: HeaderFees;
};

class BodyTooLargeError extends Error {}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new BodyTooLargeError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export class Gateway {
  readonly #options: GatewayOptions;
  readonly #servers: Server[] = [];
  /** All open connections, including upgraded ones, which `closeAllConnections` does not close. */
  readonly #connections = new Set<Socket>();
  readonly #tunnel: WebSocketTunnel;
  #port = 0;

  private constructor(options: GatewayOptions) {
    this.#options = options;
    this.#tunnel = new WebSocketTunnel(options.runtimeWsUrl, options.host, (slotInEpoch) =>
      options.engine.absoluteSlot(slotInEpoch),
    );
  }

  /** Listens on the port pair. @throws if `rpcPort` is in use. */
  static async open(options: GatewayOptions): Promise<Gateway> {
    const gateway = new Gateway(options);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await gateway.#listen();
        return gateway;
      } catch (cause) {
        await gateway.close();
        if (options.rpcPort !== 0 || attempt === PORT_PAIR_ATTEMPTS) throw cause;
      }
    }
  }

  get rpcUrl(): string {
    return `http://${this.#urlHost}:${this.#port}`;
  }
  get wsUrl(): string {
    return `ws://${this.#urlHost}:${this.#port + 1}`;
  }

  async close(): Promise<void> {
    // Closes the upgraded connections too, at both ends.
    await Promise.all(
      this.#servers.splice(0).map(async (server) => {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        for (const socket of this.#connections) socket.destroy();
        await closed;
      }),
    );
  }

  get #urlHost(): string {
    const { host } = this.#options;
    return host.includes(':') ? `[${host}]` : host;
  }

  async #listen(): Promise<void> {
    const rpc = await this.#open(this.#options.rpcPort);
    this.#port = (rpc.address() as AddressInfo).port;
    await this.#open(this.#port + 1);
  }

  async #open(port: number): Promise<Server> {
    const server = createServer(CONNECTION_TIMEOUTS, (request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
    server.on('connection', (socket) => {
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
    });
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#tunnel.accept(request, socket, head),
    );
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, this.#options.host, () => {
        server.off('error', reject);
        resolve();
      });
    });
    this.#servers.push(server);
    return server;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request, this.#options.host);
    if (refusal !== null) return this.#send(response, 403, rpcError(null, -32_600, refusal));
    if (request.headers.origin !== undefined) {
      response.setHeader('access-control-allow-origin', request.headers.origin);
      response.setHeader('vary', 'Origin');
    }
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-methods', 'GET, POST');
      response.setHeader('access-control-allow-headers', 'content-type, solana-client');
      response.writeHead(204).end();
      return;
    }
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    let body: Buffer;
    try {
      body = await readBody(request);
    } catch (cause) {
      if (!(cause instanceof BodyTooLargeError)) throw cause;
      response.setHeader('connection', 'close');
      return this.#send(
        response,
        413,
        rpcError(null, -32_600, `The body must not be larger than ${MAX_BODY_BYTES} bytes.`),
      );
    }
    if (path.startsWith('/control/')) {
      const answer = await this.#options.control(request.method ?? 'GET', path, body.toString('utf8'));
      return this.#send(response, answer.status, stringifyJson(answer.body));
    }
    if (path.startsWith('/providers/'))
      return this.#serveProvider(request.method ?? 'GET', path, body, response);
    if (request.method === 'GET' && path === '/health') return this.#send(response, 200, 'ok');
    if (request.method !== 'POST')
      return this.#send(response, 405, rpcError(null, -32_600, 'JSON-RPC calls must use POST.'));
    await this.#serveRpc(body, response);
  }

  async #serveProvider(method: string, path: string, body: Buffer, response: ServerResponse): Promise<void> {
    const leave = await this.#options.gate.enter();
    try {
      const answer = await this.#options.providers(method, path, body.toString('utf8'));
      this.#send(response, answer.status, stringifyJson(answer.body));
    } finally {
      leave();
    }
  }

  async #serveRpc(body: Buffer, response: ServerResponse): Promise<void> {
    let parsed: unknown;
    try {
      parsed = parseJson(body.toString('utf8'));
    } catch {
      return this.#send(response, 200, rpcError(null, -32_700, 'Parse error'));
    }
    if (!Array.isArray(parsed)) {
      const call = callOf(parsed);
      if (call === null) return this.#send(response, 200, rpcError(null, -32_600, 'Invalid request'));
      if (this.#passesThrough(call)) {
        const refusal = this.#refusal(call);
        if (refusal !== undefined) return this.#send(response, 200, refusal);
        return this.#proxy(call, body, response);
      }
      return this.#send(response, 200, await this.#response(call));
    }
    if (parsed.length === 0 || parsed.length > MAX_BATCH_CALLS) {
      return this.#send(
        response,
        200,
        rpcError(null, -32_600, `A batch must contain 1 to ${MAX_BATCH_CALLS} calls.`),
      );
    }
    const responses = await Promise.all(
      parsed.map(async (value) => {
        const call = callOf(value);
        return call === null ? rpcError(null, -32_600, 'Invalid request') : this.#response(call);
      }),
    );
    this.#send(response, 200, `[${responses.join(',')}]`);
  }

  #passesThrough({ method, params }: Call): boolean {
    return (
      !this.#options.responses.has(method) &&
      !rpcCorrections.has(method) &&
      !isFinalized(method, params) &&
      !method.startsWith('surfnet_')
    );
  }

  /** Returns the error text with which a node would refuse these parameters. */
  #refusal({ id, method, params }: Call): string | undefined {
    try {
      checkParameters(method, params, this.#options.engine);
      return undefined;
    } catch (cause) {
      if (!(cause instanceof RuntimeRpcError)) throw cause;
      return rpcError(id, cause.code, cause.message, cause.data);
    }
  }

  // Streams responses unchanged. Only the method name is parsed.
  async #proxy(call: Call, body: Buffer, response: ServerResponse): Promise<void> {
    const leave = await this.#options.gate.enter();
    try {
      const upstream = await this.#options.client.send(body);
      leave();
      response.writeHead(upstream.statusCode ?? 502, { 'content-type': 'application/json' });
      pipeline(upstream, response, () => undefined);
    } catch (cause) {
      leave();
      this.#send(response, 200, rpcError(call.id, -32_603, `Internal error: ${(cause as Error).message}`));
    }
  }

  async #response(call: Call): Promise<string> {
    if (call.method.startsWith('surfnet_')) {
      return rpcError(call.id, -32_601, "Method not found: use the sandbox's control routes instead");
    }
    const refusal = this.#refusal(call);
    if (refusal !== undefined) return refusal;
    if (!readsFinalizedState(call.method, call.params)) return this.#responseNow(call);
    const { engine } = this.#options;
    // The runtime has only the newest state, which equals the finalized state while no account has changed in
    // the block being filled.
    for (;;) {
      const { changes } = engine;
      if (engine.isAtFinalizedState) {
        const answer = await this.#responseNow(call);
        if (engine.changes === changes) return answer;
      }
      try {
        await engine.nextBlock(new AbortController().signal);
      } catch (cause) {
        return rpcError(call.id, -32_603, `Internal error: ${(cause as Error).message}`);
      }
    }
  }

  async #responseNow(call: Call): Promise<string> {
    const { responses, gate, client, engine, headerFees } = this.#options;
    const leave = ENTER_THEMSELVES.has(call.method) ? () => undefined : await gate.enter();
    try {
      const answer = responses.get(call.method);
      if (answer !== undefined) {
        const result = await answer(call.params);
        if (isFinalized(call.method, call.params)) setFinalizedSlot(result, call.method, engine);
        return stringifyJson({ jsonrpc: '2.0', result, id: call.id });
      }
      const params = runtimeParams(call.method, call.params);
      const text = await client.sendForText(stringifyJson({ jsonrpc: '2.0', ...call, params }));
      const correct = rpcCorrections.get(call.method);
      const isFinal = isFinalized(call.method, call.params);
      if (correct === undefined && !isFinal) return text.trim();
      const corrected = parseJson(text) as { result?: unknown };
      correct?.(corrected, call.params, engine);
      if (isFinal) setFinalizedSlot(corrected.result, call.method, engine);
      if (call.method === 'getTransaction') headerFees.correct(corrected.result, call.params);
      return stringifyJson({ jsonrpc: '2.0', ...corrected, id: call.id });
    } catch (cause) {
      if (cause instanceof RuntimeRpcError) return rpcError(call.id, cause.code, cause.message, cause.data);
      return rpcError(call.id, -32_603, `Internal error: ${(cause as Error).message}`);
    } finally {
      leave();
    }
  }

  #send(response: ServerResponse, status: number, body: string): void {
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  }
}

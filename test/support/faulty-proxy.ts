// A real HTTP proxy in front of an RPC URL that fails as networks and nodes do, controlled by a seed. It can be
// stopped and restarted.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { laggingResponse, type RpcBody } from './faulty-proxy-lag.ts';
import { listenLocally } from './local-server.ts';
import { seededRandom } from './seeded-random.ts';

/**
 * The possible faults of a request. `before` and `after` say whether the fault occurs before or after the
 * request was forwarded to the node. `swallow` returns the signature of a sent transaction without forwarding
 * the transaction, and forwards all other requests.
 */
export const faults = [
  'drop-before',
  'drop-after',
  'reset-before',
  'reset-after',
  'delay',
  'too-many',
  'stale',
  'duplicate',
  'swallow',
] as const;
export type Fault = (typeof faults)[number];

export interface FaultyProxyOptions {
  readonly target: string;
  readonly seed: number;
  /** Probability of each fault per request, from 0 to 1, with a sum of at most 1. Default: none. */
  readonly chances?: Partial<Record<Fault, number>>;
  /** Maximum delay before a request is forwarded, in ms. Default: 200. */
  readonly longestDelayMs?: number;
  /** Number of slots by which a stale node lags behind. Default: 40. */
  readonly lagSlots?: number;
  /** Receives the fault of each transaction's first send, by signature. Several proxies may share it. */
  readonly firstSends?: Map<string, Fault | 'none'>;
}

export interface FaultyProxy extends AsyncDisposable {
  readonly url: string;
  /** Number of requests per fault, and without one. */
  readonly counts: Readonly<Record<Fault | 'none', number>>;
  /** Number of requests by method, forwarded or not. */
  readonly methods: ReadonlyMap<string, number>;
  /** Refuses connections and cuts open ones. */
  readonly down: () => Promise<void>;
  /** Accepts connections again, on the same port. */
  readonly up: () => Promise<void>;
  /** Sets the probabilities from now on. */
  readonly setChances: (chances: Partial<Record<Fault, number>>) => void;
  readonly close: () => Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

/** Returns the signature of the transaction that a request sends, or null for any other request. */
const signatureSent = ({ method, params }: RpcBody): string | null =>
  method === 'sendTransaction'
    ? encodeBase58(Buffer.from(String(params?.[0]), 'base64').subarray(1, 65))
    : null;

/** Starts a proxy on a free loopback port. */
export const startFaultyProxy = async (options: FaultyProxyOptions): Promise<FaultyProxy> => {
  const random = seededRandom(options.seed);
  const { longestDelayMs = 200, lagSlots = 40 } = options;
  const upstream = new Pool(new URL(options.target).origin, { connections: 64 });
  const closing = new AbortController();
  const counts = { none: 0, ...(Object.fromEntries(faults.map((f) => [f, 0])) as Record<Fault, number>) };
  const methods = new Map<string, number>();
  let chances = options.chances ?? {};

  const pick = (signature: string | null): Fault | 'none' => {
    let left = random();
    for (const fault of faults) {
      left -= chances[fault] ?? 0;
      if (left < 0) return fault === 'swallow' && signature === null ? 'none' : fault;
    }
    return 'none';
  };

  const forward = async (body: string): Promise<{ status: number; text: string }> => {
    const answer = await upstream.request({
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'application/json' },
      body,
      signal: closing.signal,
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };

  const reply = (response: ServerResponse, { status, text }: { status: number; text: string }) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };

  const serve = async (body: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const rpc = JSON.parse(body) as RpcBody;
    methods.set(rpc.method, (methods.get(rpc.method) ?? 0) + 1);
    const signature = signatureSent(rpc);
    const fault = pick(signature);
    counts[fault] += 1;
    if (signature !== null && options.firstSends?.has(signature) === false)
      options.firstSends.set(signature, fault);
    switch (fault) {
      case 'swallow':
        reply(response, {
          status: 200,
          text: JSON.stringify({ jsonrpc: '2.0', id: rpc.id, result: signature }),
        });
        return;
      case 'drop-before':
        return;
      case 'drop-after':
        await forward(body);
        return;
      case 'reset-before':
        request.socket.destroy();
        return;
      case 'reset-after':
        await forward(body);
        request.socket.destroy();
        return;
      case 'too-many':
        response.writeHead(429, { 'content-type': 'text/plain' }).end('slow down');
        return;
      case 'delay':
        await delay(random() * longestDelayMs, undefined, { signal: closing.signal });
        reply(response, await forward(body));
        return;
      case 'stale':
        reply(response, await laggingResponse(rpc, () => forward(body), lagSlots));
        return;
      case 'duplicate': {
        const both = await Promise.all([forward(body), forward(body)]);
        reply(response, both[random() < 0.5 ? 0 : 1]!);
        return;
      }
      case 'none':
        reply(response, await forward(body));
    }
  };

  const server = createServer((request, response) => {
    bodyOf(request)
      .then((body) => serve(body, request, response))
      .catch(() => request.socket.destroy());
  });

  const local = await listenLocally(server);
  const close = async () => {
    closing.abort();
    await local.close();
    await upstream.destroy();
  };
  return {
    url: `http://127.0.0.1:${local.port}`,
    counts,
    methods,
    down: local.down,
    up: local.up,
    setChances: (next) => {
      chances = next;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};

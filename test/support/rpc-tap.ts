// A plain HTTP proxy in front of an RPC node that reports when a transaction is broadcast, so a test can act at
// exactly that time.
import { createServer } from 'node:http';
import { listenLocally } from './local-server.ts';

/** A running tap. */
export interface RpcTap {
  readonly url: string;
  /**
   * Resolves with the signature of the next transaction that the node accepts. From then on, no response is
   * sent until `release`.
   */
  readonly holdAtBroadcast: () => Promise<string>;
  /** Calls each function before one of the next transactions is forwarded to the node. */
  readonly beforeBroadcasts: (changes: readonly (() => Promise<unknown>)[]) => void;
  /** Resumes responses, including those held back. */
  readonly release: () => void;
  readonly close: () => Promise<void>;
}

/**
 * Forwards everything to `rpcUrl` unchanged, except calls for which `answer` returns a result, or an `Error` to
 * refuse the parameters.
 */
export const startRpcTap = async (
  rpcUrl: string,
  answer: (method: string, params: readonly unknown[]) => unknown = () => undefined,
): Promise<RpcTap> => {
  let waiting: ((signature: string) => void)[] = [];
  let released = Promise.resolve();
  let release = (): void => undefined;
  const changes: (() => Promise<unknown>)[] = [];
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const { method, id, params } = JSON.parse(body) as { method: string; id: unknown; params: unknown[] };
      const own = answer(method, params);
      if (own !== undefined) {
        const outcome =
          own instanceof Error ? { error: { code: -32_602, message: own.message } } : { result: own };
        const given = JSON.stringify({ jsonrpc: '2.0', id, ...outcome });
        response.writeHead(200, { 'content-type': 'application/json' }).end(given);
        return;
      }
      if (method === 'sendTransaction') await changes.shift()?.();
      const forwarded = await fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const text = await forwarded.text();
      const { result } = method === 'sendTransaction' ? (JSON.parse(text) as { result?: string }) : {};
      if (result !== undefined && waiting.length > 0) {
        ({ promise: released, resolve: release } = Promise.withResolvers<void>());
        for (const tell of waiting) tell(result);
        waiting = [];
      }
      await released;
      response.writeHead(forwarded.status, { 'content-type': 'application/json' }).end(text);
    } catch {
      response.destroy();
    }
  });
  const { port, close } = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    holdAtBroadcast: () => new Promise((resolve) => waiting.push(resolve)),
    beforeBroadcasts: (given) => void changes.push(...given),
    release: () => release(),
    close,
  };
};

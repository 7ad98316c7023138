// A proxy that delays every response of an RPC by a known latency and records when transactions pass.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface DelayedRpc {
  readonly url: string;
  /** `performance.now()` when each signature was first forwarded. */
  readonly sentAtMs: ReadonlyMap<string, number>;
  readonly close: () => Promise<void>;
}

/** Forwards requests to `rpcUrl` and delays each response by at least `delayMs`. */
export const startDelayedRpc = async (
  rpcUrl: string,
  delayMs: number,
  onSent: (signature: string) => void = () => {},
): Promise<DelayedRpc> => {
  const sentAtMs = new Map<string, number>();
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const askedAtMs = performance.now();
      const answer = await fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const text = await answer.text();
      if (body.includes('sendTransaction')) {
        const { result } = JSON.parse(text) as { result?: string };
        if (result !== undefined && !sentAtMs.has(result)) {
          sentAtMs.set(result, askedAtMs);
          onSent(result);
        }
      }
      const respondLater = () =>
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
      if (delayMs > 0) setTimeout(respondLater, delayMs);
      else respondLater();
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sentAtMs,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

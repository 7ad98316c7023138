// Serves the API that the demo expects, on a real cluster. Replaces the sandbox's controls: funds wallets from
// a faucet and waits for epochs to end.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ClusterChain } from './cluster-chain.ts';

interface ClusterFront {
  readonly url: string;
  readonly close: () => Promise<void>;
}

const forward = (incoming: IncomingMessage, outgoing: ServerResponse, service: string): void => {
  const onward = request(
    new URL(incoming.url ?? '/', service),
    { method: incoming.method, headers: { ...incoming.headers, host: new URL(service).host } },
    (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    },
  );
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
};

/** Starts the front server. `service()` returns the current URL of the service. */
export const startClusterFront = async (
  chain: ClusterChain,
  voteAccount: string,
  service: () => string,
): Promise<ClusterFront> => {
  const control = async (path: string, body: Record<string, unknown>): Promise<object> => {
    if (path === '/sandbox/airdrop') {
      const lamports = BigInt(Math.round(Number(body.amountSol) * 1e9));
      return { signature: await chain.airdrop(String(body.walletAddress), lamports) };
    }
    if (path === '/sandbox/epoch') {
      for (let i = 0; i < Number(body.count ?? 1); i += 1) await chain.nextEpoch();
    }
    return { rpcUrl: chain.rpcUrl, voteAccount, epoch: await chain.epoch() };
  };
  const server = createServer((incoming, outgoing) => {
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    if (!path.startsWith('/sandbox')) return forward(incoming, outgoing, service());
    text(incoming)
      .then((body) => control(path, body === '' ? {} : JSON.parse(body)))
      .then(
        (response) =>
          outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(response)),
        (error: unknown) =>
          outgoing
            .writeHead(500, { 'content-type': 'application/json' })
            .end(JSON.stringify({ error: 'CLUSTER', message: String(error) })),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

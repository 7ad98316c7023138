// A proxy to an RPC that adds a known latency and counts reads of one wallet. It can refuse unfiltered scans,
// so an index behind it never becomes ready.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScanLine {
  readonly url: string;
  /** Number of `getMultipleAccounts` calls that named the wallet. */
  readonly walletReads: (wallet: string) => number;
  readonly close: () => Promise<void>;
}

/** True for scans of all stakes. A scan for one wallet also filters by an authority. */
const isWholeScan = (body: string): boolean =>
  body.includes('getProgramAccounts') && !/"offset":(?:12|44)\b/.test(body);

const REFUSED = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_010, message: 'scan refused' } });

/** Forwards requests to `rpcUrl` and delays each response by at least `delayMs`. */
export const startScanLine = async (
  rpcUrl: string,
  { delayMs, refusesWholeScans }: { delayMs: number; refusesWholeScans: boolean },
): Promise<ScanLine> => {
  const reads: string[] = [];
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      if (body.includes('getMultipleAccounts')) reads.push(body);
      const refused = refusesWholeScans && isWholeScan(body);
      const text = refused
        ? REFUSED
        : await (
            await fetch(rpcUrl, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body,
            })
          ).text();
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(text), delayMs);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    walletReads: (wallet) => reads.filter((body) => body.includes(wallet)).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

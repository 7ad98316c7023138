// Runs one of the two servers of the unsigned stake benchmark in its own process: `service` is the real
// service; `control` is a bare handler that makes the same upstream call and does the minimum work.
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Address } from '@solana/kit';
import { Pool } from 'undici';
import { startApp } from '../src/app.ts';
import { SYSVAR_ADDRESSES } from '../src/chain/cluster/decode-sysvars.ts';
import { loadConfig } from '../src/config/config.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { createLogger } from '../src/kernel/log/logger.ts';
import { BENCH_RATE_LIMIT, serveParent } from './cached-response.ts';
import { benchStake, stakeFloor } from './minimum-stake-work.ts';

const [contestant, rpcUrl = '', wsUrl = '', voteAccount = '', donationAddress = ''] = process.argv.slice(2);
const { memo } = benchStake;

const startService = async (): Promise<number> => {
  const { config } = loadConfig({
    PORT: '0',
    HOLDFAST_DATA_DIR: mkdtempSync(join(tmpdir(), 'holdfast-bench-')),
    HOLDFAST_RATE_LIMIT: String(BENCH_RATE_LIMIT),
    HOLDFAST_RPC_URL: rpcUrl,
    HOLDFAST_VOTE_ACCOUNT: voteAccount,
    HOLDFAST_MEMO: memo,
    HOLDFAST_DONATION_ADDRESS: donationAddress,
  });
  const app = await startApp({
    config,
    cluster: {
      endpoints: [{ httpUrl: rpcUrl, wsUrl }],
      voteAccount: voteAccount as Address,
      memo,
      donationAddress: donationAddress as Address,
    },
    givenServerSecret: undefined,
    databaseUrl: undefined,
    logger: createLogger('warn'),
    clock: systemClock,
  });
  return Number(new URL(app.url).port);
};

const startControl = async (): Promise<number> => {
  const rpc = new Pool(new URL(rpcUrl).origin, { connections: 64, pipelining: 1 });
  const headers = { 'content-type': 'application/json' };
  const server = createServer(async (request, response) => {
    const { walletAddress } = JSON.parse((await buffer(request)).toString()) as { walletAddress: string };
    const accounts = [walletAddress, benchStake.wallet, ...SYSVAR_ADDRESSES];
    const params = [accounts, { commitment: 'confirmed', encoding: 'base64' }];
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getMultipleAccounts', params });
    const answer = await rpc.request({ path: '/', method: 'POST', headers, body });
    const { result } = JSON.parse(await answer.body.text()) as { result: { context: { slot: number } } };
    const { slot } = result.context;
    response.writeHead(200, headers).end(JSON.stringify({ transaction: stakeFloor(), slot }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

serveParent(contestant === 'control' ? await startControl() : await startService());

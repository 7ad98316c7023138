// Sends the same request concurrently to two processes on one PostgreSQL, or kills a process between its record
// and its first broadcast. The request must be executed once.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { openReplicaWorld, type ReplicaWorld, replicasMissing } from '../support/replicas.ts';
import { balanceOf, stakeNow } from '../support/service-calls.ts';
import type { TestService } from '../support/service-fixture.ts';
import type { Scope } from '../support/temporary-folder.ts';
import { fundedWallet, type TestWallet } from '../support/wallets.ts';

const skip = await replicasMissing();
const CALLS = 20;
const SOL = 1_000_000_000n;
/** Signatures come first, starting with the fee payer's. */
const SIGNATURE_AT = 1;

const cleanUps: (() => void | Promise<void>)[] = [];
const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
let world: ReplicaWorld;
let services: TestService[];
before(async () => {
  if (skip) return;
  world = await openReplicaWorld(scope);
  services = await Promise.all([world.start(), world.start()]);
});
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

/** Sends concurrent requests, alternating between the two processes. */
const askBoth = (path: string, body: object, key: string) =>
  Promise.all(
    Array.from({ length: CALLS }, (_, index) =>
      services[index % 2]!.client.post(path, body, { 'idempotency-key': key }),
    ),
  );

const idle = async (wallet: TestWallet): Promise<string> => {
  const stakeAccountAddress = await stakeNow(services[0]!, wallet, 5);
  const { walletAddress, secretKey } = wallet;
  // The stake was deactivated in the epoch of its activation, so all of it can be withdrawn immediately.
  await services[0]!.client.post('/api/v1/unstake', { walletAddress, secretKey, stakeAccountAddress });
  return stakeAccountAddress;
};

/** Starts an RPC node that accepts every transaction and forwards none. */
const startSwallowingRpc = async (rpcUrl: string) => {
  const swallowed = Promise.withResolvers<Buffer>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { method, params } = JSON.parse(body) as { method: string; params: [string] };
    if (method === 'sendTransaction') {
      swallowed.resolve(Buffer.from(params[0], 'base64'));
      return;
    }
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body });
    response.writeHead(answer.status, headers).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swallowed: swallowed.promise,
  };
};

test(`${CALLS} identical stakes through both processes create one stake account`, { skip }, async () => {
  const wallet = await fundedWallet(world.sandbox, 100);
  const { walletAddress, secretKey } = wallet;
  const responses = await askBoth('/api/v1/stake', { walletAddress, secretKey, amountSol: 2 }, 'one-stake');
  assert.equal(new Set(responses.map(({ signature }) => signature)).size, 1);
  assert.equal(await balanceOf(world.sandbox, walletAddress), 98n * SOL - 10_000n);
});

test(`${CALLS} identical partial withdrawals, which no address makes unique, move the amount once`, {
  skip,
}, async () => {
  const wallet = await fundedWallet(world.sandbox, 100);
  const { walletAddress, secretKey } = wallet;
  const stakeAccountAddress = await idle(wallet);
  const body = { walletAddress, secretKey, stakeAccountAddress, amountSol: 0.5 };
  const responses = await askBoth('/api/v1/withdraw', body, 'one-withdrawal');
  assert.equal(new Set(responses.map(({ signature }) => signature)).size, 1);
  assert.equal(await balanceOf(world.sandbox, stakeAccountAddress), 45n * (SOL / 10n));
});

test('a withdrawal whose process is killed between the record and the first broadcast is executed once by the other process', {
  skip,
}, async () => {
  const wallet = await fundedWallet(world.sandbox, 100);
  const { walletAddress, secretKey } = wallet;
  const stakeAccountAddress = await idle(wallet);
  const rpc = await startSwallowingRpc(world.sandbox.rpcUrl);
  const doomed = await world.start({ HOLDFAST_RPC_URL: rpc.url, HOLDFAST_WS_URL: world.sandbox.wsUrl });
  const body = { walletAddress, secretKey, stakeAccountAddress, amountSol: 0.5 };
  const key = { 'idempotency-key': 'interrupted' };
  const lost = assert.rejects(doomed.client.post('/api/v1/withdraw', body, key));
  const signed = await rpc.swallowed;
  await doomed.process.stop('SIGKILL');
  await lost;
  const responses = await Promise.all(
    services.map(({ client }) => client.post('/api/v1/withdraw', body, key)),
  );
  const recorded = encodeBase58(signed.subarray(SIGNATURE_AT, SIGNATURE_AT + 64));
  assert.deepEqual(
    responses.map(({ signature }) => signature),
    [recorded, recorded],
  );
  assert.equal(await balanceOf(world.sandbox, stakeAccountAddress), 45n * (SOL / 10n));
});

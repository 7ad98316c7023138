// Simulates a chain that halts and a chain that restarts from genesis, each behind an RPC node that keeps
// responding. Each is reported in one message, and nothing is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHttpClient } from '../../demo/http-client.ts';
import { eventually } from '../../demo/poll-until-result.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { parseRpcJson } from '../../src/chain/rpc/rpc-response.ts';
import { startTestApp } from '../support/app-fixture.ts';
import { patience } from '../support/patience.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { startScriptedRpc } from '../support/scripted-rpc.ts';
import { balanceOf, refused, stakeNow } from '../support/service-calls.ts';
import { settingsFor, startService } from '../support/service-fixture.ts';
import { fundedWallet, signedBy } from '../support/wallets.ts';

test('on a halted chain, /ready reports it, a submission ends as unresolved, and the same transaction is confirmed once the chain resumes', async (t) => {
  const { app, sandbox, rpc, clock } = await startTestApp(t);
  const client = createHttpClient(app.url, (url, init) => fetch(url, { ...init, signal: patience() }));
  const wallet = await fundedWallet(sandbox, 10);
  const built = await client.post('/api/v1/stake/transaction', {
    walletAddress: wallet.walletAddress,
    amountSol: 2,
  });
  const { absoluteSlot, blockHeight } = await client.get('/api/v1/epoch');
  rpc.rewrite((method, text) => {
    const still = text
      .replaceAll(/"(slot|absoluteSlot)":\d+/g, `"$1":${absoluteSlot}`)
      .replaceAll(/"blockHeight":\d+/g, `"blockHeight":${blockHeight}`);
    if (method === 'getBlockHeight') return still.replace(/"result":\d+/, `"result":${blockHeight}`);
    return method === 'getSignatureStatuses' ? still.replace(/"value":\[.*\]/, '"value":[null]') : still;
  });

  const signedTransaction = signedBy(wallet, built.transaction);
  let hasEnded = false;
  const ending = refused(client.post('/api/v1/transaction/submit', { signedTransaction })).finally(() => {
    hasEnded = true;
  });
  for (let looks = rpc.asked('getBlockHeight'); !hasEnded; ) {
    if (rpc.asked('getBlockHeight') > looks) {
      looks = rpc.asked('getBlockHeight');
      clock.advance(2_000);
    }
    await sandbox.nextBlock(patience());
  }
  const { status, errorCode, body } = await ending;
  assert.deepEqual([status, errorCode], [502, 'SUBMISSION_UNRESOLVED']);
  assert.match(String(body.message), /the chain produces no blocks/);

  assert.equal((await client.get('/api/v1/epoch')).absoluteSlot, absoluteSlot, 'reads still get a response');
  const unready = await refused(client.get('/ready'));
  assert.equal(unready.status, 503);
  const { rpc: health } = unready.body.dependencies as Record<string, { error: string }>;
  const [, stoppedAt] = /^the chain has stalled: no slot after (\d+) for \d+ s$/.exec(health!.error) ?? [];
  // A read that overlapped with the halt may have seen a later slot.
  assert.ok(Number(stoppedAt) >= Number(absoluteSlot), health!.error);

  rpc.rewrite((_method, text) => text);
  const { signature } = await client.post('/api/v1/transaction/submit', { signedTransaction });
  assert.equal(signature, body.signature);
  assert.equal(await balanceOf(sandbox, built.stakeAccountAddress), 2_000_000_000n);
  await eventually(async () => {
    await client.get('/api/v1/epoch');
    return client.get('/ready').catch(() => null);
  }, 'the service to be ready again');
});

test('a chain that restarts from genesis is refused with one message, and everything works again once the old chain is back', async (t) => {
  const sandbox = await startSandbox(QUICK_SANDBOX);
  t.after(() => sandbox.close());
  const another = await startSandbox({ ...QUICK_SANDBOX, startEpoch: 3 });
  t.after(() => another.close());
  let target = sandbox.rpcUrl;
  // Simulates a gateway that keeps connections open while the validator behind it restarts.
  const rpc = await startScriptedRpc(async ({ method, params }) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(target, { method: 'POST', headers, body }).catch(() => null);
    // At the end of the test, the chain stops before the service, which still sends requests.
    if (response === null) return 'reset';
    const { result, error } = parseRpcJson(await response.text()) as {
      result?: unknown;
      error?: { code: number; message: string };
    };
    return error === undefined ? { result } : { error };
  });
  t.after(() => rpc[Symbol.asyncDispose]());
  const service = await startService(t, { ...settingsFor(sandbox), HOLDFAST_RPC_URL: rpc.url });
  const { client } = service;
  const wallet = await fundedWallet(sandbox, 10);
  const address = await stakeNow(service, wallet);
  const before = await client.get(`/api/v1/stake/accounts/${wallet.walletAddress}`);
  const { currentEpoch } = await client.get('/api/v1/epoch');

  target = another.rpcUrl;
  const { status, errorCode, body } = await refused(client.get('/api/v1/epoch'));
  assert.deepEqual([status, errorCode], [502, 'UPSTREAM_UNAVAILABLE']);
  assert.match(
    String(body.message),
    /^The Solana RPC is on a different cluster than when this service started: its genesis hash changed\.$/,
  );
  const { walletAddress, secretKey } = wallet;
  const acts = [
    client.post('/api/v1/stake', { walletAddress, secretKey, amountSol: 1.5 }),
    client.post('/api/v1/stake/transaction', { walletAddress, amountSol: 1.5 }),
    client.post('/api/v1/donate', { walletAddress, amountSol: 0.1 }),
  ];
  for (const act of await Promise.all(acts.map(refused))) assert.equal(act.errorCode, 'UPSTREAM_UNAVAILABLE');
  const unready = await refused(client.get('/ready'));
  assert.equal((unready.body.dependencies as Record<string, { error: string }>).rpc!.error, 'other-cluster');
  const said = () =>
    service.process.stdout
      .split('\n')
      .filter((line) => line.includes('genesis hash changed). It is no longer used'));
  assert.equal(said().length, 1, 'said once');

  target = sandbox.rpcUrl;
  await eventually(() => client.get('/ready').catch(() => null), 'the service to be ready again');
  assert.equal((await client.get('/api/v1/epoch')).currentEpoch, currentEpoch);
  const after = await client.get(`/api/v1/stake/accounts/${wallet.walletAddress}`);
  assert.deepEqual(
    after.accounts.map(({ address: one, lamports }: Record<string, unknown>) => [one, lamports]),
    before.accounts.map(({ address: one, lamports }: Record<string, unknown>) => [one, lamports]),
  );
  assert.equal(after.accounts[0].address, address);
  await stakeNow(service, wallet);
});

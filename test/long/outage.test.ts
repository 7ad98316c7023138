// Checks an outage of all RPC nodes: the service reports it on every route that needs one, leaves nothing half
// done, and recovers by itself.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { type ScriptedRequest, startScriptedRpc } from '../support/scripted-rpc.ts';
import { balanceOf, refused, stakeNow } from '../support/service-calls.ts';
import { settingsFor, startService, type TestService } from '../support/service-fixture.ts';
import { fundedWallet, newWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const behindProxy = async (t: TestContext) => {
  const sandbox = await startSandbox(QUICK_SANDBOX);
  t.after(() => sandbox.close());
  const proxy = await startFaultyProxy({ target: sandbox.rpcUrl, seed: 1 });
  t.after(() => proxy.close());
  const service = await startService(t, {
    ...settingsFor(sandbox),
    HOLDFAST_RPC_URL: `${proxy.url}/?api-key=hidden`,
  });
  const wallet = await fundedWallet(sandbox, 100);
  return { sandbox, proxy, service, wallet };
};

/** Returns every call that needs the chain, by route. */
const callsOf = (
  { client }: TestService,
  { walletAddress, secretKey }: TestWallet,
  stakeAccountAddress: string,
  signedTransaction: string,
): Readonly<Record<string, () => Promise<unknown>>> => {
  const unsigned = { walletAddress, stakeAccountAddress };
  const signing = { ...unsigned, secretKey };
  return {
    balance: () => client.get(`/api/v1/wallet/balance/${walletAddress}`),
    type: () => client.get(`/api/v1/address/${walletAddress}/type`),
    epoch: () => client.get('/api/v1/epoch'),
    accounts: () => client.get(`/api/v1/stake/accounts/${walletAddress}`),
    readiness: () => client.get(`/api/v1/stake/accounts/${walletAddress}/withdraw-ready`),
    stake: () => client.post('/api/v1/stake', { walletAddress, secretKey, amountSol: 2 }),
    unstake: () => client.post('/api/v1/unstake', signing),
    withdraw: () => client.post('/api/v1/withdraw', signing),
    'build stake': () => client.post('/api/v1/stake/transaction', { walletAddress, amountSol: 2 }),
    'build unstake': () => client.post('/api/v1/unstake/transaction', unsigned),
    'build withdraw': () => client.post('/api/v1/withdraw/transaction', unsigned),
    donate: () => client.post('/api/v1/donate', { walletAddress, amountSol: 0.01 }),
    submit: () => client.post('/api/v1/transaction/submit', { signedTransaction }),
  };
};

const assertAllAway = async (calls: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> => {
  const outcomes = await Promise.all(
    Object.entries(calls).map(async ([name, call]) => {
      const { status, errorCode } = await refused(call());
      return `${name}: ${status} ${errorCode}`;
    }),
  );
  assert.deepEqual(
    outcomes,
    Object.keys(calls).map((name) => `${name}: 502 UPSTREAM_UNAVAILABLE`),
  );
};

/** Polls until the service is ready again. If it never is, the test's time limit applies. */
const readyAgain = async ({ client }: TestService): Promise<void> => {
  for (;;) {
    const isReady = await client.get('/ready').then(
      () => true,
      () => false,
    );
    if (isReady) return;
    // Health reports the most recent RPC responses, so a read refreshes it.
    await client.get('/api/v1/epoch').catch(() => undefined);
  }
};

describe('every RPC unavailable', () => {
  test('while nodes refuse connections, calls that need the chain return 502; the service recovers without a restart', async (t) => {
    const { sandbox, proxy, service, wallet } = await behindProxy(t);
    const { walletAddress } = wallet;
    const { client } = service;
    const stakeAccountAddress = await stakeNow(service, wallet);
    const donation = await client.post('/api/v1/donate', { walletAddress, amountSol: 0.01 });
    const signed = signedBy(wallet, donation.transaction);
    const { signature } = await client.post('/api/v1/transaction/submit', { signedTransaction: signed });
    const next = await client.post('/api/v1/donate', { walletAddress, amountSol: 0.02 });
    const before = await balanceOf(sandbox, walletAddress);
    assert.equal((await client.get('/ready')).dependencies.rpc.ok, true);

    await proxy.down();
    const signedNext = signedBy(wallet, next.transaction);
    await assertAllAway(callsOf(service, wallet, stakeAccountAddress, signedNext));
    assert.equal((await client.get(`/api/v1/transaction/${signature}`)).state, 'confirmed', 'as recorded');
    assert.equal((await client.get('/health')).status, 'ok');
    const { status, body } = await refused(client.get('/ready'));
    assert.deepEqual([status, body.error, body.errorCode], [503, 'Not ready', 'NOT_READY']);
    const { rpc, store } = body.dependencies as Record<string, { ok: boolean; error: string | null }>;
    assert.deepEqual([rpc!.ok, store!.ok], [false, true]);
    assert.ok(rpc!.error);
    assert.doesNotMatch(JSON.stringify(body), /hidden/);
    assert.match(String(body.message), /rpc/);

    // Responses that need no chain reads still work.
    assert.equal((await client.get(`/api/v1/address/${sandbox.voteAccount}/type`)).type, 'vote_account');
    assert.equal((await client.post('/api/v1/wallet/generate')).action, 'EXECUTE_SNIPPET');

    await proxy.up();
    await readyAgain(service);
    assert.equal(
      await balanceOf(sandbox, walletAddress),
      before,
      'a transaction reported as not sent was not sent',
    );
    assert.equal((await client.get(`/api/v1/transaction/${signature}`)).state.length > 0, true);
    await stakeNow(service, wallet);
    const rebuilt = await client.post('/api/v1/donate', { walletAddress, amountSol: 0.02 });
    await client.post('/api/v1/transaction/submit', {
      signedTransaction: signedBy(wallet, rebuilt.transaction),
    });
  });

  test('while nodes hang, calls that need the chain return 502 after the time limit; the service recovers afterwards', async (t) => {
    const { proxy, service, wallet } = await behindProxy(t);
    const stakeAccountAddress = await stakeNow(service, wallet);
    proxy.setChances({ 'drop-before': 1 });
    // Sends one read of each kind, because the others wait for the same RPC responses.
    const all = callsOf(service, wallet, stakeAccountAddress, '');
    await assertAllAway(Object.fromEntries(['balance', 'build unstake'].map((name) => [name, all[name]!])));
    assert.equal((await refused(service.client.get('/ready'))).status, 503);
    assert.equal((await service.client.get('/health')).status, 'ok');
    proxy.setChances({});
    await readyAgain(service);
    await stakeNow(service, wallet);
  });
});

test('if only the balance is unavailable, stakes and donations are built with a warning, and the chain decides', async (t) => {
  const sandbox = await startSandbox(QUICK_SANDBOX);
  t.after(() => sandbox.close());
  const rich = await fundedWallet(sandbox, 100);
  const poor = newWallet();
  const hidden = [rich.walletAddress, poor.walletAddress];
  const isBalanceRead = ({ method, params }: ScriptedRequest): boolean =>
    /^get(MultipleAccounts|AccountInfo)$/.test(method) &&
    hidden.some((wallet) => JSON.stringify(params).includes(wallet));
  const rpc = await startScriptedRpc(async (request) => {
    if (isBalanceRead(request)) return { status: 500, text: 'this part of the node is broken' };
    const { method, params } = request;
    const asked = { jsonrpc: '2.0', id: 1, method, params };
    const response = await fetch(sandbox.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    })
      .then((it) => it.json() as Promise<{ result?: unknown; error?: never }>)
      .catch(() => null);
    // At the end of the test, the cluster stops before the service, which still sends requests.
    if (response === null) return 'reset';
    const { result, error } = response;
    return error === undefined ? { result } : { error };
  });
  t.after(() => rpc[Symbol.asyncDispose]());
  const service = await startService(t, { ...settingsFor(sandbox), HOLDFAST_RPC_URL: rpc.url });
  const { client } = service;
  const { walletAddress } = rich;

  for (const idempotencyKey of [undefined, 'mine']) {
    const built = await client.post('/api/v1/stake/transaction', {
      walletAddress,
      amountSol: 3,
      idempotencyKey,
    });
    assert.equal(built.warnings.length, 1);
    assert.match(built.warnings[0], /balance could not be read/);
    const signedTransaction = signedBy(rich, built.transaction);
    const { stakeAccountAddress } = await client.post('/api/v1/transaction/submit', { signedTransaction });
    assert.equal(await balanceOf(sandbox, stakeAccountAddress), 3_000_000_000n);
  }
  const donation = await client.post('/api/v1/donate', { walletAddress, amountSol: 0.01 });
  assert.match(donation.warnings.join(), /balance could not be read/);
  const { stakeAccountAddress } = await client.post('/api/v1/stake', {
    walletAddress,
    secretKey: rich.secretKey,
    amountSol: 2,
  });
  assert.equal(await balanceOf(sandbox, stakeAccountAddress), 2_000_000_000n);

  const oneShot = { walletAddress: poor.walletAddress, secretKey: poor.secretKey, amountSol: 2 };
  const { status, body } = await refused(client.post('/api/v1/stake', oneShot));
  assert.deepEqual([status, body.error, body.errorCode], [400, 'Stake failed', 'INSUFFICIENT_BALANCE']);
  assert.equal((await refused(client.get(`/api/v1/wallet/balance/${walletAddress}`))).status, 502);
});

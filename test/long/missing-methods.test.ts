// Checks an RPC node that lacks a method: /ready names the lost features, everything else works, and the method
// is used again once it is available.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { createHttpClient } from '../../demo/http-client.ts';
import { eventually } from '../../demo/poll-until-result.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { parseRpcJson } from '../../src/chain/rpc/rpc-response.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { type Script, type ScriptedResponse, startScriptedRpc } from '../support/scripted-rpc.ts';
import { settingsFor, startService } from '../support/service-fixture.ts';
import { fundedWallet, signedBy } from '../support/wallets.ts';

type Recorded = { readonly status: number; readonly body: string };
const [gone] = (
  JSON.parse(readFileSync('test/fixtures/public-rpc-refusals.json', 'utf8')) as { answers: [Recorded] }
).answers;
const REFUSAL: ScriptedResponse = { status: gone.status, text: gone.body };

/**
 * Methods that the service can do without, and what /ready says about each. Only the list of a wallet's stakes
 * needs the scan.
 */
const METHODS: Readonly<Record<string, RegExp>> = {
  getProgramAccounts: /stake accounts of a wallet/,
  getVoteAccounts: /votes, stake and rank/,
  getBlockProduction: /skip rate/,
  getRecentPerformanceSamples: /measured from block heights/,
};

const serviceWithout = async (
  t: TestContext,
  refused: ReadonlySet<string>,
  empty: ReadonlySet<string> = new Set(),
) => {
  const sandbox = await startSandbox(QUICK_SANDBOX);
  t.after(() => sandbox.close());
  const forward: Script = async ({ method, params }) => {
    if (refused.has(method)) return REFUSAL;
    if (empty.has(method)) return { result: [] };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const text = await fetch(sandbox.rpcUrl, { method: 'POST', headers, body }).then(
      (response) => response.text(),
      // At the end of the test, the sandbox closes before the service, which still sends requests.
      () => undefined,
    );
    if (text === undefined) return { status: 503, text: '' };
    const { result, error } = parseRpcJson(text) as {
      result?: unknown;
      error?: { code: number; message: string };
    };
    return error === undefined ? { result } : { error };
  };
  const rpc = await startScriptedRpc(forward);
  t.after(() => rpc[Symbol.asyncDispose]());
  const service = await startService(t, { ...settingsFor(sandbox), HOLDFAST_RPC_URL: rpc.url });
  return { sandbox, service };
};

test('without four methods, the service starts, names each with the lost feature, and still stakes', async (t) => {
  const refused = new Set(Object.keys(METHODS));
  const { sandbox, service } = await serviceWithout(t, refused);
  const { url, client, process } = service;
  const wallet = await fundedWallet(sandbox, 10);
  const built = await client.post('/api/v1/stake/transaction', {
    walletAddress: wallet.walletAddress,
    amountSol: 2,
  });
  await client.post('/api/v1/transaction/submit', {
    signedTransaction: signedBy(wallet, built.transaction),
  });
  const plain = createHttpClient(url, (path, init) => fetch(path, init));
  const ask = (path: string) => plain.get(path).catch((error: unknown) => error);
  const { dependencies } = await eventually(async () => {
    await Promise.all(['/api/v1/validator', '/api/v1/validator/live'].map(ask));
    const ready = await client.get('/ready');
    return ready.dependencies.rpcMethods?.details.missing.length === refused.size ? ready : null;
  }, '/ready to name the missing methods');
  assert.equal(dependencies.rpc.ok, true);
  for (const [method, lost] of Object.entries(METHODS)) {
    assert.match(dependencies.rpcMethods.error, new RegExp(`${method} \\(lost: `));
    assert.match(dependencies.rpcMethods.error, lost);
    assert.match(process.stdout, new RegExp(`"method":"${method}"`));
  }
  refused.clear();
  await eventually(async () => {
    await Promise.all(
      ['/api/v1/validator', '/api/v1/validator/live', `/api/v1/stake/accounts/${wallet.walletAddress}`].map(
        ask,
      ),
    );
    return (await client.get('/ready')).dependencies.rpcMethods === undefined ? true : null;
  }, 'every method to be offered again');
  assert.equal((await client.get(`/api/v1/stake/accounts/${wallet.walletAddress}`)).accounts.length, 1);
});

test('a cluster that is too young for performance samples is supported', async (t) => {
  const { service } = await serviceWithout(t, new Set(), new Set(['getRecentPerformanceSamples']));
  assert.equal((await service.client.get('/ready')).status, 'ready');
});

// Checks that calls are counted outside the request path, that a kill loses at most one second of calls and no
// transactions, and that the metrics match.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { until } from '../support/index-fixture.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { buildAndSubmit, stakeNow } from '../support/service-calls.ts';
import { settingsFor, startService, startServiceHere } from '../support/service-fixture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fundedWallet } from '../support/wallets.ts';

const ACCOUNTS = 'GET /api/v1/stake/accounts/{walletAddress}';

test('after kill -9, every transaction is still counted, as is every call older than one second', async (t) => {
  await using sandbox = await startSandbox(QUICK_SANDBOX);
  const settings = settingsFor(sandbox);
  const dataDir = temporaryFolder(t);
  const first = await startService(t, settings, dataDir);
  const wallet = await fundedWallet(sandbox, 20);
  const list = () => first.client.get(`/api/v1/stake/accounts/${wallet.walletAddress}`);
  for (let call = 0; call < 5; call += 1) await list();
  const second = await startService(t, settings, dataDir);
  const countedBySecond = async () => (await second.client.get('/analytics-json')).endpointCounts[ACCOUNTS];
  await until(
    async () => (await countedBySecond()) === 5,
    'the second that contains the five calls to be over',
  );
  await stakeNow(first, wallet, 2);
  await stakeNow(first, wallet, 3);
  await buildAndSubmit(first, wallet, '/api/v1/donate', { amountSol: 0.125 });
  await first.process.stop('SIGKILL');
  await second.process.stop('SIGKILL');

  const third = await startServiceHere(t, settings, dataDir);
  const { transactionCounts, totalSolStaked, totalSolDonated, endpointCounts, uniqueWallets } =
    await third.client.get('/analytics-json');
  assert.deepEqual(transactionCounts, {
    stake: 2,
    unstake: 0,
    withdraw: 0,
    restake: 0,
    rearrange: 0,
    donate: 1,
  });
  assert.deepEqual([totalSolStaked, totalSolDonated, uniqueWallets], [5, 0.125, 1]);
  assert.equal(endpointCounts[ACCOUNTS], 5, 'calls already counted stay counted');
});

test('an orderly shutdown loses no calls', async (t) => {
  await using sandbox = await startSandbox(QUICK_SANDBOX);
  const dataDir = temporaryFolder(t);
  const first = await startServiceHere(t, settingsFor(sandbox), dataDir);
  const { walletAddress } = await fundedWallet(sandbox, 1);
  for (let call = 0; call < 7; call += 1) await first.client.get(`/api/v1/stake/accounts/${walletAddress}`);
  await first.app.close();
  const second = await startServiceHere(t, settingsFor(sandbox), dataDir);
  assert.equal((await second.client.get('/analytics-json')).endpointCounts[ACCOUNTS], 7);
});

test('metrics are served on their own port and cover responses, RPC calls, the index and the cache', async (t) => {
  await using sandbox = await startSandbox(QUICK_SANDBOX);
  const service = await startServiceHere(t, settingsFor(sandbox));
  const { metricsUrl } = service.app;
  const { walletAddress } = await fundedWallet(sandbox, 1);
  await until(async () => (await service.client.get('/ready')).dependencies.index.ok, 'the index');
  await service.client.get(`/api/v1/stake/accounts/${walletAddress}`);
  for (let call = 0; call < 3; call += 1) await service.client.get('/analytics-json');
  const text = await (await fetch(metricsUrl!)).text();
  const value = (series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')
        .at(-1),
    );
  assert.equal(value(`holdfast_http_requests_total{endpoint="${ACCOUNTS}",status="200"}`), 1);
  assert.equal(value(`holdfast_http_request_duration_seconds_count{endpoint="${ACCOUNTS}"}`), 1);
  assert.equal(value('holdfast_http_cache_total{result="fill"}'), 1);
  assert.equal(value('holdfast_http_cache_total{result="hit"}'), 2);
  assert.ok(value('holdfast_rpc_calls_total{method="getGenesisHash",outcome="ok"}') >= 1);
  assert.equal(value('holdfast_index_ready'), 1);
  assert.ok(value('holdfast_index_age_seconds') >= 0);
  assert.equal(value('holdfast_intents_in_flight'), 0);
  assert.ok(
    !text.includes(walletAddress) && !text.includes(new URL(sandbox.rpcUrl).host),
    'no address, no URL',
  );
  assert.equal((await fetch(new URL('/metrics', service.url))).status, 404, 'not on the public port');
});

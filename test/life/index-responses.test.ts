// Checks that wallet requests work without a ready index: they use filtered RPC calls, list the same accounts
// and report no index slot.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startScanLine } from '../../bench/slow-rpc-proxy.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { until } from '../support/index-fixture.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { buildAndSubmit, stakeNow } from '../support/service-calls.ts';
import { settingsFor, startServiceHere } from '../support/service-fixture.ts';
import { fundedWallet } from '../support/wallets.ts';

test('for a wallet, a service whose RPC node refuses scans returns the same responses as one with an index', async (t) => {
  await using sandbox = await startSandbox(QUICK_SANDBOX);
  const line = await startScanLine(sandbox.rpcUrl, { delayMs: 0, refusesWholeScans: true });
  t.after(() => line.close());
  const indexed = await startServiceHere(t, settingsFor(sandbox));
  const asking = await startServiceHere(t, { ...settingsFor(sandbox), HOLDFAST_RPC_URL: line.url });
  await until(async () => (await indexed.client.get('/ready')).dependencies.index.ok, 'the index');
  const ready = await asking.client.get('/ready');
  assert.deepEqual([ready.status, ready.dependencies.index.ok], ['ready', false], 'an index is not required');

  const wallet = await fundedWallet(sandbox, 20);
  const stakeAccountAddress = await stakeNow(indexed, wallet, 3);
  await stakeNow(indexed, wallet, 2);
  await sandbox.advanceEpochs(1);
  await buildAndSubmit(indexed, wallet, '/api/v1/unstake/transaction', { stakeAccountAddress });
  for (const path of [
    `/api/v1/stake/accounts/${wallet.walletAddress}`,
    `/api/v1/stake/accounts/${wallet.walletAddress}/withdraw-ready`,
    `/api/v1/stake/summary/${wallet.walletAddress}`,
  ]) {
    const [one, other] = [await indexed.client.get(path), await asking.client.get(path)];
    assert.ok(one._meta.indexSlot > 0);
    assert.equal(other._meta.indexSlot, undefined);
    assert.equal(one.accounts.length, 2);
    // Removes what differs between the two services: elapsed time and measured slot times. Everything else
    // comes from the chain.
    const lasting = (accounts: Record<string, unknown>[]) =>
      accounts.map((account) =>
        Object.fromEntries(
          Object.entries(account).filter(
            ([member]) => !member.startsWith('estimated') && member !== 'ifUnstakedNow',
          ),
        ),
      );
    assert.deepEqual(lasting(one.accounts), lasting(other.accounts), path);
  }
});

// Checks that a change requested again while the same blockhash is valid is a new change and never returns a
// transaction that was already executed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { balanceOf, buildAndSubmit, stakeNow } from '../support/service-calls.ts';
import { settingsFor, startServiceHere } from '../support/service-fixture.ts';
import { fundedWallet } from '../support/wallets.ts';

// The service uses a blockhash for 20 blocks, which take 8 s here, as on mainnet.
const sandbox = sharedSandbox({ before, after }, { slotMs: 400 });

test('the same unstake is executed again after an undo, and the same withdrawal is executed twice', async (t) => {
  const service = await startServiceHere(t, settingsFor(sandbox.get()));
  const wallet = await fundedWallet(sandbox.get(), 10);
  const stakeAccountAddress = await stakeNow(service, wallet, 5);
  await sandbox.get().advanceEpochs(1);
  const signatures: string[] = [];
  const change = async (path: string, body: object = {}) => {
    const { submitted } = await buildAndSubmit(service, wallet, path, { stakeAccountAddress, ...body });
    signatures.push(submitted.signature);
  };
  const startedAt = performance.now();
  await change('/api/v1/unstake/transaction');
  await change('/api/v1/unstake/undo/transaction');
  await change('/api/v1/unstake/transaction');
  const { accounts } = await service.client.get(`/api/v1/stake/accounts/${wallet.walletAddress}`);
  assert.equal(accounts[0].state, 'deactivating');
  t.diagnostic(`${Math.round(performance.now() - startedAt)} ms between the first and the last change`);
  await sandbox.get().advanceEpochs(1);
  const held = await balanceOf(sandbox.get(), stakeAccountAddress);
  await change('/api/v1/withdraw/transaction', { amountSol: 1 });
  await change('/api/v1/withdraw/transaction', { amountSol: 1 });
  assert.equal(await balanceOf(sandbox.get(), stakeAccountAddress), held - 2_000_000_000n);
  assert.equal(new Set(signatures).size, 5);
});

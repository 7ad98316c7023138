// Checks that inactive stake can be delegated again on a sandbox: the program accepts it, the service refuses
// it while the stake is deactivating, and history and statistics include it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../support/index-fixture.ts';
import { buildAndSubmit, lamportsOf, refusalFacts, stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });
const get = (path: string) => shared().service.client.get(path);
const accountOf = async (walletAddress: string) =>
  (await get(`/api/v1/stake/accounts/${walletAddress}`)).accounts[0];

test('an inactive account is delegated again with its rewards, and earns from the next epoch on', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const { walletAddress } = wallet;
  const stakeAccountAddress = await stakeNow(service, wallet, 2);
  const request = { walletAddress, stakeAccountAddress };
  const refused = async () => {
    const facts = await refusalFacts(service.client.post('/api/v1/restake/transaction', request));
    assert.deepEqual(facts, [400, 'Stake not inactive', 'STAKE_NOT_INACTIVE']);
  };
  await refused();
  await sandbox.advanceEpochs(1);
  await refused();
  await buildAndSubmit(service, wallet, '/api/v1/unstake/transaction', { stakeAccountAddress });
  // In the epoch of the deactivation, the same instruction would undo it.
  await refused();
  await sandbox.advanceEpochs(1);

  const cooled = await accountOf(walletAddress);
  assert.deepEqual(
    cooled.suggestedActions.map(({ action }: { action: string }) => action),
    ['withdraw', 'restake'],
  );
  await buildAndSubmit(service, wallet, '/api/v1/restake/transaction', { stakeAccountAddress });
  const again = await accountOf(walletAddress);
  assert.equal(again.state, 'activating');
  assert.equal(lamportsOf(again.activatingSol), lamportsOf(cooled.sol) - lamportsOf(cooled.rentReserveSol));
  assert.ok(again.activatingSol > 1.99833376, 'including the reward of the epoch in which it was unstaked');
  await refused();
  await sandbox.advanceEpochs(1);
  assert.equal((await accountOf(walletAddress)).state, 'active');

  const historyOf = async () => (await get(`/api/v1/stake/history/${walletAddress}`)).history;
  await until(async () => (await historyOf()).length >= 3, 'three finalized entries');
  const [restake] = await historyOf();
  assert.deepEqual(
    [restake.type, restake.stakeAccountAddress, restake.amountSol, restake.hasMemo],
    ['restake', stakeAccountAddress, again.activatingSol, true],
  );
  assert.equal((await get(`/api/v1/verify/transaction/${restake.signature}`)).verified, true);
});

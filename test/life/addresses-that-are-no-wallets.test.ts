// Checks addresses that are not wallets: a stake account is refused, and a vote account is read but never
// gets advice to fund it or to stake.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { patience } from '../support/patience.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after }, { sandbox: { slotMs: 200 } });

const PATHS = ['wallet/balance', 'stake/history', 'stake/summary'] as const;
const read = async (path: string) => {
  const response = await fetch(`${shared().service.url}/api/v1/${path}`, { signal: patience() });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
};

test('every read refuses a stake account passed as a wallet and names the wallet to use instead', async () => {
  const { sandbox, service } = shared();
  const { walletAddress, secretKey } = await fundedWallet(sandbox, 5);
  const { stakeAccountAddress } = await service.client.post('/api/v1/stake', {
    walletAddress,
    secretKey,
    amountSol: 2,
  });
  const lists = [
    `stake/accounts/${stakeAccountAddress}`,
    `stake/accounts/${stakeAccountAddress}/withdraw-ready`,
  ];
  for (const path of [...PATHS.map((one) => `${one}/${stakeAccountAddress}`), ...lists]) {
    const { status, body } = await read(path);
    assert.deepEqual([status, body.errorCode], [400, 'STAKE_ACCOUNT_ADDRESS_PROVIDED'], path);
    assert.equal(body.withdrawAuthority, walletAddress);
    assert.ok(String(body.suggestedAction).includes(walletAddress));
  }
});

test('a vote account can be read, is not ready to stake, and gets no advice to fund it', async () => {
  const { sandbox } = shared();
  const { voteAccount } = sandbox;
  // This would be enough to stake if it were a wallet.
  await sandbox.airdrop(voteAccount, 5_000_000_000n, patience());
  for (const path of PATHS) {
    const { status, body } = await read(`${path}/${voteAccount}`);
    assert.equal(status, 200, path);
    assert.doesNotMatch(JSON.stringify(body), /Send SOL|"FUND"|"STAKE"/, path);
  }
  const { body } = await read(`wallet/balance/${voteAccount}`);
  assert.deepEqual([body.readyToStake, body.availableToStake], [false, 0]);
});

test('an unstake of stake that is not yet active says that it can be withdrawn immediately', async () => {
  const { sandbox, service } = shared();
  const { walletAddress, secretKey } = await fundedWallet(sandbox, 5);
  const { stakeAccountAddress } = await service.client.post('/api/v1/stake', {
    walletAddress,
    secretKey,
    amountSol: 2,
  });
  const { message } = await service.client.post('/api/v1/unstake/transaction', {
    walletAddress,
    stakeAccountAddress,
  });
  assert.match(message, /withdrawn immediately/);
  const { warnings } = await service.client.post('/api/v1/stake/simulate', { amountSol: 0.5 });
  assert.match(warnings.join(), /below the minimum stake/);
});

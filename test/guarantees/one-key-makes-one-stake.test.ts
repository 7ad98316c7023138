// IDEM-1: one request creates one stake account, no matter how often and how concurrently it is sent.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Refusal } from '../../demo/http-client.ts';
import { patience } from '../support/patience.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });

const CALLS = 100;

test(`IDEM-1 ${CALLS} concurrent identical one-shot stakes with the same idempotency key create exactly one stake account`, async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 500);
  const { walletAddress, secretKey } = wallet;
  const key = { 'idempotency-key': 'one-intent' };
  const responses = await Promise.all(
    Array.from({ length: CALLS }, () =>
      service.client.post('/api/v1/stake', { walletAddress, secretKey, amountSol: 2 }, key),
    ),
  );
  assert.deepEqual(new Set(responses.map((response) => response.signature)).size, 1);
  const { accounts, totalStakedSol } = await service.client.get(`/api/v1/stake/accounts/${walletAddress}`);
  assert.equal(accounts.length, 1);
  assert.equal(accounts[0].address, responses[0].stakeAccountAddress);
  assert.equal(totalStakedSol, 2);
});

test('IDEM-1 the header takes precedence over the body field, and both identify the same request', async () => {
  const { sandbox, service } = shared();
  const { walletAddress, secretKey } = await fundedWallet(sandbox, 20);
  const viaBody = await service.client.post('/api/v1/stake', {
    walletAddress,
    secretKey,
    amountSol: 2,
    idempotencyKey: 'k',
  });
  const viaHeader = await service.client.post(
    '/api/v1/stake',
    { walletAddress, secretKey, amountSol: 2, idempotencyKey: 'other' },
    { 'idempotency-key': 'k' },
  );
  assert.equal(viaHeader.signature, viaBody.signature);
  assert.equal(viaHeader.idempotencyKey, 'k');
});

test('IDEM-1 a response repeated epochs later says what the stake is now, not when it would activate', async () => {
  const { sandbox, service } = shared();
  const { walletAddress, secretKey } = await fundedWallet(sandbox, 20);
  const again = () =>
    service.client.post(
      '/api/v1/stake',
      { walletAddress, secretKey, amountSol: 2 },
      { 'idempotency-key': 'later' },
    );
  const { message, signature, stakeAccountAddress } = await again();
  assert.match(message, /^Staked 2 SOL .* The stake activates at the next epoch boundary/);
  await sandbox.advanceEpochs(2);
  const later = await again();
  assert.equal(later.signature, signature);
  assert.match(later.message, /^Staked 2 SOL .* Active: 1\.99\d+ SOL is earning rewards/);
  assert.doesNotMatch(later.message, /boundary/);
  await service.client.post('/api/v1/unstake', { walletAddress, secretKey, stakeAccountAddress });
  await sandbox.advanceEpochs(1);
  await service.client.post('/api/v1/withdraw', { walletAddress, secretKey, stakeAccountAddress });
  assert.match(
    (await again()).message,
    /^Staked 2 SOL .* no longer exists: it was withdrawn or merged since/,
  );
});

test('IDEM-1 the same key with a different amount is refused with 422 and has no effect, before and after the first response', async () => {
  const { sandbox, service } = shared();
  const { walletAddress, secretKey } = await fundedWallet(sandbox, 20);
  const key = { 'idempotency-key': 'amount' };
  const [first, ...others] = await Promise.allSettled(
    [2, 3, 4].map((amountSol) =>
      service.client.post('/api/v1/stake', { walletAddress, secretKey, amountSol }, key),
    ),
  );
  assert.equal(first?.status, 'fulfilled');
  const later = await Promise.allSettled([
    service.client.post('/api/v1/stake', { walletAddress, secretKey, amountSol: 3 }, key),
  ]);
  for (const other of [...others, ...later]) {
    assert.ok(
      other.status === 'rejected' && other.reason instanceof Refusal,
      'a different amount must be refused',
    );
    assert.equal(other.reason.status, 422);
    assert.equal(other.reason.errorCode, 'IDEMPOTENCY_KEY_REUSED');
  }
  const { accounts } = await service.client.get(`/api/v1/stake/accounts/${walletAddress}`);
  assert.equal(accounts.length, 1);
});

test('IDEM-1 two wallets can use the same key', async () => {
  const { sandbox, service } = shared();
  const wallets = await Promise.all([fundedWallet(sandbox, 20), fundedWallet(sandbox, 20)]);
  const responses = await Promise.all(
    wallets.map(({ walletAddress, secretKey }) =>
      service.client.post(
        '/api/v1/stake',
        { walletAddress, secretKey, amountSol: 2 },
        { 'idempotency-key': 'shared' },
      ),
    ),
  );
  assert.notEqual(responses[0].stakeAccountAddress, responses[1].stakeAccountAddress);
});

test('IDEM-1 a request refused before broadcast is evaluated again when retried with the same key', async () => {
  const { sandbox, service } = shared();
  const { walletAddress, secretKey } = await fundedWallet(sandbox, 2);
  const key = { 'idempotency-key': 'too-poor' };
  const stake = () => service.client.post('/api/v1/stake', { walletAddress, secretKey, amountSol: 3 }, key);
  await assert.rejects(
    stake,
    (error: unknown) => error instanceof Refusal && error.errorCode === 'INSUFFICIENT_BALANCE',
  );
  await sandbox.airdrop(walletAddress, 5_000_000_000n, patience());
  assert.ok((await stake()).signature);
});

// Checks the typed client against a real service: a full staking lifecycle that sends no secret key, typed
// failures, text responses and exact amounts.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createHoldfastClient } from '../../client/holdfast-client.ts';
import { isHoldfastError } from '../../client/holdfast-error.ts';
import { solToLamports } from '../../client/sol-amount.ts';
import { newWallet, signedBy } from '../support/wallets.ts';
import { sharedSandboxService } from './sandbox-service.ts';

const shared = sharedSandboxService({ before, after });

const fundedWallet = async (amountSol: number | string) => {
  const wallet = newWallet();
  await shared().client.sandboxAirdrop({ walletAddress: wallet.walletAddress, amountSol });
  return wallet;
};

test('typed methods alone complete a full staking lifecycle (fund, stake, earn, unstake, withdraw) without sending a secret key', async () => {
  const { client } = shared();
  const wallet = await fundedWallet(10);
  const { walletAddress } = wallet;

  const built = await client.createStakeTransaction({ walletAddress, amountSol: 2.5 });
  assert.ok(built.idempotencyKey, 'the client generates a key, and the service returns it');
  const staked = await client.submitTransaction(
    { signedTransaction: signedBy(wallet, built.transaction) },
    { idempotencyKey: built.idempotencyKey },
  );
  const stakeAccountAddress = built.stakeAccountAddress!;
  assert.equal(staked.stakeAccountAddress, stakeAccountAddress);
  assert.equal((await client.transactionState({ signature: staked.signature })).recordedHere, true);

  await client.sandboxEndEpochs({ count: 2 });
  const summary = await client.stakingSummary({ walletAddress });
  assert.equal(summary.accounts.length, 1);
  assert.equal(summary.accounts[0]!.state, 'active');
  assert.ok(summary.portfolio.totalStakedSol > 2.5, 'it earned');

  const undo = await client.createUnstakeTransaction({ walletAddress, stakeAccountAddress });
  await client.submitTransaction({ signedTransaction: signedBy(wallet, undo.transaction) });
  await client.sandboxEndEpochs();
  const back = await client.createWithdrawTransaction({ walletAddress, stakeAccountAddress });
  await client.submitTransaction({ signedTransaction: signedBy(wallet, back.transaction) });
  assert.deepEqual((await client.listStakeAccounts({ walletAddress })).accounts, []);
  assert.ok((await client.balance({ walletAddress })).sol > 9.99);
  assert.equal((await client.verifyTransaction({ signature: staked.signature })).verified, true);
});

test('the same idempotency key always gives the same stake account, and a different key gives a different one', async () => {
  const { client } = shared();
  const { walletAddress } = await fundedWallet(5);
  const build = async (idempotencyKey?: string) =>
    (await client.createStakeTransaction({ walletAddress, amountSol: 2 }, { idempotencyKey }))
      .stakeAccountAddress;
  assert.equal(await build('order-1'), await build('order-1'));
  const addresses = await Promise.all([build('order-1'), build('order-2'), build(), build()]);
  assert.equal(new Set(addresses).size, 4);
});

test('an amount given as a string arrives exactly, to the lamport', async () => {
  const { client } = shared();
  const { walletAddress } = await fundedWallet('7.000000003');
  const { lamports } = await client.balance({ walletAddress });
  assert.equal(BigInt(lamports), 7_000_000_003n);
  assert.equal(solToLamports((await client.balance({ walletAddress })).sol), 7_000_000_003n);
});

test('a refusal is typed and has a code, a status, advice, every issue, and the request id found in the logs', async () => {
  const { client } = shared();
  const poor = newWallet().walletAddress;
  await assert.rejects(client.createStakeTransaction({ walletAddress: poor, amountSol: 3 }), (error) => {
    assert.ok(isHoldfastError(error, 'INSUFFICIENT_BALANCE'));
    assert.equal(error.status, 400);
    assert.ok(error.suggestedAction);
    assert.ok(error.requestId);
    assert.ok(error.idempotencyKey, 'the generated key, needed to repeat the call');
    assert.equal(error.operation, 'createStakeTransaction');
    assert.equal(error.body?.errorCode, 'INSUFFICIENT_BALANCE');
    assert.equal(error.retryable, false);
    return true;
  });
  await assert.rejects(client.balance({ walletAddress: 'nobody' }), (error) => {
    assert.ok(isHoldfastError(error, 'VALIDATION_ERROR'));
    assert.deepEqual(
      error.details?.map(({ path }) => path),
      ['walletAddress'],
    );
    return true;
  });
  await assert.rejects(client.transactionState({ signature: '1'.repeat(64) }), {
    errorCode: 'NOT_FOUND',
    status: 404,
  });
});

test('text responses, such as a source file and rewards as CSV, are returned as strings', async () => {
  const { client } = shared();
  const { source, sha256 } = await client.sourceFile({ filename: 'stake-verifier.ts' });
  assert.equal(createHash('sha256').update(source).digest('hex'), sha256);
  const { walletAddress } = newWallet();
  const csv = await client.stakingRewardsCsv({ walletAddress, epochs: 3 });
  assert.match(csv, /^\w+,/);
  assert.deepEqual((await client.stakingRewards({ walletAddress, epochs: 3 })).rewards, []);
});

test('send returns the headers, the text and the idempotency key along with the body', async () => {
  const { client } = shared();
  const { walletAddress } = await fundedWallet(3);
  const { body, headers, status, text, idempotencyKey } = await client.send('createStakeTransaction', {
    walletAddress,
    amountSol: 2,
  });
  assert.equal(status, 200);
  assert.match(headers.get('ratelimit')!, /"default";r=\d+/);
  assert.deepEqual(JSON.parse(text), body);
  assert.equal(body.idempotencyKey, idempotencyKey);
});

test('a secret key is not sent over plain HTTP to another machine', async () => {
  let calls = 0;
  const remote = createHoldfastClient({
    baseUrl: 'http://stake.example.org',
    fetch: () => {
      calls += 1;
      return Promise.reject(new Error('the client must not send a request'));
    },
  });
  const { walletAddress, secretKey } = newWallet();
  await assert.rejects(remote.stake({ walletAddress, secretKey, amountSol: 2 }), (error) => {
    assert.ok(isHoldfastError(error, 'INSECURE_URL'));
    assert.ok(!JSON.stringify({ ...error, message: error.message }).includes(secretKey));
    return true;
  });
  assert.equal(calls, 0);
  const wallet = await fundedWallet(5);
  const { stakeAccountAddress } = await shared().client.stake({
    walletAddress: wallet.walletAddress,
    secretKey: wallet.secretKey,
    amountSol: 2,
  });
  assert.ok(stakeAccountAddress, 'a loopback address counts as this machine');
});

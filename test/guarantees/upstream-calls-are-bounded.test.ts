// COST-1: no build, plan or portfolio makes more than 20 calls to the RPC node, and each client's upstream
// calls are limited per minute.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Address, address, generateKeyPairSigner } from '@solana/kit';
import { getAddMemoInstruction } from '@solana-program/memo';
import { getTransferSolInstruction } from '@solana-program/system';
import { startTestApp, type TestApp } from '../support/app-fixture.ts';
import { until } from '../support/index-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { fundedWallet } from '../support/wallets.ts';

const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const [MENTIONS, ACCOUNTS, UNKNOWN] = FULL ? [300, 60, 90] : [30, 12, 5];
const MAX_CALLS = 20;
const SOL = 1_000_000_000n;

const ask = async ({ app }: TestApp, method: 'GET' | 'POST', path: string, body?: object) => {
  const response = await fetch(app.url + path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const json = (await response.json()) as Record<string, string> & { complete?: boolean };
  return { status: response.status, headers: response.headers, body: json };
};

/**
 * Sends the request and asserts a limit on the upstream calls made before the response, including background
 * calls.
 */
const boundedAsk = async (
  service: TestApp,
  ...request: [method: 'GET' | 'POST', path: string, body?: object]
) => {
  const from = service.rpc.methods().length;
  const response = await ask(service, ...request);
  const calls = service.rpc.methods().slice(from);
  assert.ok(calls.length <= MAX_CALLS, `${calls.length} calls: ${request[1]} ${calls.join(' ')}`);
  return response;
};

const unknownWallet = async (): Promise<string> => (await generateKeyPairSigner()).address;

describe('COST-1', () => {
  test('COST-1: outsiders who mention the stake address of an idempotency key do not make builds with that key more expensive', async (t) => {
    const service = await startTestApp(t);
    const { sandbox } = service;
    const outsider = await SandboxStaker.fund(sandbox, 100n * SOL);
    const { walletAddress } = await fundedWallet(sandbox, 20);
    const build = (idempotencyKey: string) =>
      boundedAsk(service, 'POST', '/api/v1/stake/transaction', {
        walletAddress,
        amountSol: 2,
        idempotencyKey,
      });
    const mention = async (named: string, memo: string | null): Promise<void> => {
      for (let sent = 0; sent < MENTIONS; sent += 1)
        await outsider.send([
          getTransferSolInstruction({
            source: outsider.wallet,
            destination: named as Address,
            amount: 0n,
          }),
          // Makes each transaction different, even with the same blockhash.
          getTransferSolInstruction({
            source: outsider.wallet,
            destination: outsider.wallet.address,
            amount: BigInt(sent + 1),
          }),
          ...(memo === null ? [] : [getAddMemoInstruction({ memo }, { programAddress: MEMO_PROGRAM })]),
        ]);
    };

    const plain = (await build('order-1')).body.stakeAccountAddress!;
    await mention(plain, null);
    const again = await build('order-1');
    assert.deepEqual([again.status, again.body.stakeAccountAddress], [200, plain]);

    const copied = (await build('order-2')).body.stakeAccountAddress!;
    await mention(copied, sandbox.memo);
    const meanwhile = await build('order-2');
    assert.deepEqual([meanwhile.status, meanwhile.body.errorCode], [409, 'STAKE_ADDRESS_OCCUPIED']);
    const other = await build(meanwhile.body.freshIdempotencyKey!);
    assert.equal(other.status, 200);
    // Once the background search has ended, the key can be used again.
    await until(async () => (await build('order-2')).status === 200, 'the end of the search');
    assert.equal((await build('order-2')).body.stakeAccountAddress, copied);
  });

  test('COST-1: requests about unknown wallets and about wallets with many accounts cause few upstream calls', async (t) => {
    const service = await startTestApp(t);
    const { sandbox } = service;
    const staker = await SandboxStaker.fund(sandbox, 1_000n * SOL);
    const walletAddress: string = staker.wallet.address;
    for (let made = 0; made < ACCOUNTS; made += 1)
      await staker.stake(3n * SOL + BigInt(made), { vote: sandbox.voteAccount });
    await sandbox.advanceEpochs(1);
    const wallets = [walletAddress, ...(await Promise.all(Array.from({ length: UNKNOWN }, unknownWallet)))];
    for (const wallet of wallets) {
      for (const goal of ['migrate', 'restake', 'sweep', 'tidy', 'undo', 'withdraw-all', 'rescue'])
        await boundedAsk(service, 'POST', '/api/v1/plan', { walletAddress: wallet, goal });
      for (const path of [
        `/api/v1/stake/accounts/${wallet}`,
        `/api/v1/stake/summary/${wallet}`,
        `/api/v1/wallet/balance/${wallet}`,
      ])
        assert.ok((await boundedAsk(service, 'GET', path)).status < 500, path);
      for (const path of ['/api/v1/unstake/preview', '/api/v1/unstake/transaction'])
        await boundedAsk(service, 'POST', path, { walletAddress: wallet, amountSol: 1.5 });
    }
    // The search for the wallet with accounts continues in the background, so that wallet is requested last.
    for (const wallet of wallets.toReversed()) {
      const isSearchedOn = wallet === walletAddress;
      // On a slow machine, the background search makes more calls before the response arrives.
      const { status, body } = await (isSearchedOn ? ask : boundedAsk)(
        service,
        'GET',
        `/api/v1/stake/history/${wallet}`,
      );
      assert.deepEqual([status, body.complete], [200, !isSearchedOn]);
    }
  });

  test('COST-1: the response to a migration of a wallet without stake is briefly cached', async (t) => {
    const service = await startTestApp(t);
    const wallet = await unknownWallet();
    const migrate = () =>
      boundedAsk(service, 'POST', '/api/v1/plan', { walletAddress: wallet, goal: 'migrate' });
    await migrate();
    const scans = service.rpc.asked('getProgramAccounts', wallet);
    await migrate();
    assert.deepEqual([scans, service.rpc.asked('getProgramAccounts', wallet)], [2, 2]);
  });

  test('COST-1: a client that has used up its upstream calls for a minute gets 429 with Retry-After and causes no further calls', async (t) => {
    const service = await startTestApp(t, { settings: { HOLDFAST_RATE_LIMIT: '40' } });
    const migrate = async () =>
      ask(service, 'POST', '/api/v1/plan', { walletAddress: await unknownWallet(), goal: 'migrate' });
    let response = await migrate();
    let [sent, before] = [1, 0];
    while (response.status !== 429) {
      assert.ok(sent < 40, 'refused before the rate limit');
      before = service.rpc.asked('getProgramAccounts');
      response = await migrate();
      sent += 1;
    }
    assert.equal(response.body.errorCode, 'RATE_LIMITED');
    assert.match(response.body.message!, /caused 200 calls to the service’s Solana nodes/);
    assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
    assert.equal(service.rpc.asked('getProgramAccounts'), before, 'a refused request makes no call');
  });
});

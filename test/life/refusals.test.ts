// Checks every documented refusal by the real service on a real chain: detected before building, exact to the
// lamport, with the fix.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { STAKE_PROGRAM } from '../../sandbox/epochs/stake-account.ts';
import { outlive } from '../support/expired-transactions.ts';
import { chosenRules } from '../support/parameter-sets.ts';
import { patience } from '../support/patience.ts';
import { withLegacyConnection } from '../support/sandbox-legacy-client.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import {
  balanceOf,
  buildAndSubmit,
  fund,
  lamportsOf,
  refusalFacts,
  refused,
  sendText,
  stakeNow,
} from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { stakeAccountBytes } from '../support/stake-account-bytes.ts';
import { fundedWallet, newWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });
const SOL = 1_000_000_000n;
const SYSTEM = '11111111111111111111111111111111';

const post = (path: string, body: object) => shared().service.client.post(path, body);
const oneShot = ({ walletAddress, secretKey }: TestWallet, members: object) => ({
  walletAddress,
  secretKey,
  ...members,
});
const limits = async () => {
  const { walletAddress } = newWallet();
  const { minimumStakeSol, reserveForFees } = await shared().service.client.get(
    `/api/v1/wallet/balance/${walletAddress}`,
  );
  return { minimumStakeLamports: lamportsOf(minimumStakeSol), reserveLamports: lamportsOf(reserveForFees) };
};
const setLamports = (address: string, lamports: bigint) =>
  shared().sandbox.setAccount({ address, lamports, data: new Uint8Array(), owner: SYSTEM });
const shortfallOf = (body: Record<string, unknown>): bigint => lamportsOf(body.shortfallSol);

describe('INSUFFICIENT_BALANCE names the shortfall to the lamport, and exactly that much more is enough', () => {
  test('one-shot stake', async () => {
    const wallet = await fundedWallet(shared().sandbox, 1);
    const { reserveLamports } = await limits();
    const request = oneShot(wallet, { amountSol: 2.000000001 });
    const { status, body } = await refused(post('/api/v1/stake', request));
    assert.deepEqual([status, body.error, body.errorCode], [400, 'Stake failed', 'INSUFFICIENT_BALANCE']);
    assert.equal(shortfallOf(body), SOL + 1n + reserveLamports);
    assert.equal(body.reason, 'WALLET_SHORT_OF_MINIMUM', 'less than one SOL cannot be staked');
    assert.match(String(body.suggestedAction), /Fund .* with at least 1\.005000001 more SOL/);
    assert.equal(body.availableToStakeLamports, 0);
    await fund(shared().sandbox, wallet.walletAddress, shortfallOf(body));
    assert.equal((await post('/api/v1/stake', request)).amountSol, 2.000000001);
    assert.equal(await balanceOf(shared().sandbox, wallet.walletAddress), reserveLamports - 10_000n);
  });

  test('stake builder', async () => {
    const wallet = await fundedWallet(shared().sandbox, 1);
    const request = { walletAddress: wallet.walletAddress, amountSol: 2 };
    const { status, body } = await refused(post('/api/v1/stake/transaction', request));
    assert.deepEqual([status, body.errorCode], [400, 'INSUFFICIENT_BALANCE']);
    await fund(shared().sandbox, wallet.walletAddress, shortfallOf(body) - 1n);
    const again = await refused(post('/api/v1/stake/transaction', request));
    assert.equal(shortfallOf(again.body), 1n);
    assert.deepEqual(
      [again.body.reason, again.body.availableToStakeLamports],
      ['WALLET_SHORT_OF_AMOUNT', 1_999_999_999],
    );
    await fund(shared().sandbox, wallet.walletAddress, 1n);
    await buildAndSubmit(shared().service, wallet, '/api/v1/stake/transaction', { amountSol: 2 });
  });

  test('a donation may be the whole balance minus the fee, or leave at least the rent', async () => {
    const { sandbox, service } = shared();
    const wallet = newWallet();
    const donate = (amountSol: number) =>
      post('/api/v1/donate', { walletAddress: wallet.walletAddress, amountSol });
    const empty = await refused(donate(0.01));
    assert.equal(shortfallOf(empty.body), SOL / 100n + 5_000n);
    await fund(sandbox, wallet.walletAddress, SOL / 100n + 5_000n);
    await buildAndSubmit(service, wallet, '/api/v1/donate', { amountSol: 0.01 });
    assert.equal(await balanceOf(sandbox, wallet.walletAddress), 0n);

    await fund(sandbox, wallet.walletAddress, SOL / 100n + 5_001n);
    const { body } = await refused(donate(0.01));
    assert.match(String(body.message), /rent-exempt minimum that a non-empty wallet must keep/);
    await fund(sandbox, wallet.walletAddress, shortfallOf(body));
    await buildAndSubmit(service, wallet, '/api/v1/donate', { amountSol: 0.01 });
  });

  for (const state of ['empty', 'holding only its rent'] as const) {
    test(`unstake and withdraw from a wallet that is ${state}`, async () => {
      const { sandbox } = shared();
      const wallet = await fundedWallet(sandbox, 20);
      const stakeAccountAddress = await stakeNow(shared().service, wallet);
      const rent = (await limitsOfWallet(sandbox)) as bigint;
      for (const path of ['/api/v1/unstake', '/api/v1/withdraw']) {
        const request = oneShot(wallet, { stakeAccountAddress });
        await setLamports(wallet.walletAddress, state === 'empty' ? 0n : rent);
        const { status, body } = await refused(post(path, request));
        assert.deepEqual([status, body.errorCode], [400, 'INSUFFICIENT_BALANCE']);
        assert.equal(body.error, path === '/api/v1/unstake' ? 'Unstake failed' : 'Withdraw failed');
        const { walletAddress } = wallet;
        const builder = await refused(post(`${path}/transaction`, { walletAddress, stakeAccountAddress }));
        assert.equal(builder.body.shortfallSol, body.shortfallSol);
        await fund(sandbox, walletAddress, shortfallOf(body));
        assert.ok((await post(path, request)).signature, path);
      }
    });
  }
});

const limitsOfWallet = async ({ rpcUrl }: { rpcUrl: string }): Promise<bigint> => {
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getMinimumBalanceForRentExemption',
      params: [0],
    }),
  });
  return BigInt(((await answer.json()) as { result: number }).result);
};

describe('BELOW_MINIMUM_STAKE', () => {
  test('the service has exactly the same minimum as the chain', async () => {
    const { minimumStakeLamports } = await limits();
    const staker = await SandboxStaker.fund(shared().sandbox, 10n * SOL);
    await staker.stake(minimumStakeLamports);
    await assert.rejects(staker.stake(minimumStakeLamports - 1n), (error: Error) =>
      /#12 \(instruction #3\)/.test(String(error.cause)),
    );

    const wallet = await fundedWallet(shared().sandbox, 20);
    const amountSol = Number(minimumStakeLamports) / 1e9;
    const below = Number(minimumStakeLamports - 1n) / 1e9;
    for (const [path, title] of [
      ['/api/v1/stake', 'Stake failed'],
      ['/api/v1/stake/transaction', 'Below minimum stake'],
    ] as const) {
      const body = path === '/api/v1/stake' ? oneShot(wallet, {}) : { walletAddress: wallet.walletAddress };
      const refusal = await refused(post(path, { ...body, amountSol: below }));
      assert.deepEqual(
        [refusal.status, refusal.body.error, refusal.body.errorCode],
        [400, title, 'BELOW_MINIMUM_STAKE'],
      );
      assert.equal(refusal.body.minimumStakeSol, amountSol);
      assert.match(String(refusal.body.message), /0\.000000001 SOL below/);
    }
    assert.ok(await stakeNow(shared().service, wallet, amountSol));
    await buildAndSubmit(shared().service, wallet, '/api/v1/stake/transaction', { amountSol });
  });
});

describe('unstake and withdraw check the stake account', () => {
  const paths = [
    ['/api/v1/unstake', 'Unstake failed'],
    ['/api/v1/unstake/transaction', null],
    ['/api/v1/withdraw', 'Withdraw failed'],
    ['/api/v1/withdraw/transaction', null],
  ] as const;
  const bodyFor = (path: string, wallet: TestWallet, stakeAccountAddress: string) =>
    path.endsWith('/transaction')
      ? { walletAddress: wallet.walletAddress, stakeAccountAddress }
      : oneShot(wallet, { stakeAccountAddress });

  test('NOT_A_STAKE_ACCOUNT, with its documented title, for a wallet, a vote account, a missing and an uninitialized account', async () => {
    const { sandbox } = shared();
    const wallet = await fundedWallet(sandbox, 1);
    const uninitialized = newWallet().walletAddress;
    await sandbox.setAccount({
      address: uninitialized,
      lamports: 2n * SOL,
      data: new Uint8Array(200),
      owner: STAKE_PROGRAM,
    });
    for (const other of [
      wallet.walletAddress,
      sandbox.voteAccount,
      newWallet().walletAddress,
      uninitialized,
    ]) {
      for (const [path] of paths) {
        const { status, body } = await refused(post(path, bodyFor(path, wallet, other)));
        assert.deepEqual(
          [status, body.error, body.errorCode],
          [400, 'Invalid stake account', 'NOT_A_STAKE_ACCOUNT'],
          path,
        );
        assert.match(String(body.suggestedAction), /GET \/api\/v1\/stake\/accounts\//);
      }
    }
  });

  test('AUTHORITY_MISMATCH names the required authority', async () => {
    const [owner, outsider] = await Promise.all([
      fundedWallet(shared().sandbox, 5),
      fundedWallet(shared().sandbox, 5),
    ]);
    const stakeAccountAddress = await stakeNow(shared().service, owner);
    for (const [path, title] of paths) {
      const { status, body } = await refused(post(path, bodyFor(path, outsider, stakeAccountAddress)));
      assert.deepEqual(
        [status, body.error, body.errorCode],
        [400, title ?? 'Authority mismatch', 'AUTHORITY_MISMATCH'],
        path,
      );
      assert.ok(String(body.message).includes(owner.walletAddress));
    }
  });

  test('STAKE_NOT_WITHDRAWABLE advises to unstake an active stake and to wait for a deactivating one, with the epoch timing', async () => {
    const { sandbox, service } = shared();
    const wallet = await fundedWallet(sandbox, 50);
    const stakeAccountAddress = await stakeNow(service, wallet, 10);
    await sandbox.advanceEpochs(1);
    const withdrawals = paths.filter(([path]) => path.includes('withdraw'));
    const refusals = () =>
      Promise.all(
        withdrawals.map(([path]) => refused(post(path, bodyFor(path, wallet, stakeAccountAddress)))),
      );
    for (const [index, { status, body }] of (await refusals()).entries()) {
      assert.deepEqual(
        [status, body.errorCode, body.currentState],
        [400, 'STAKE_NOT_WITHDRAWABLE', 'delegated'],
      );
      const isOneShot = !withdrawals[index]![0].endsWith('/transaction');
      assert.match(
        String(body.suggestedAction),
        isOneShot ? /POST \/api\/v1\/unstake with/ : /unstake\/transaction .* sign it .* submit it/,
      );
      assert.equal(isOneShot && /transaction|sign/.test(String(body.suggestedAction)), false);
      assert.ok(body.stateDescription);
      assert.equal((body.epochTiming as { currentEpoch: number }).currentEpoch, sandbox.epoch());
    }
    await post('/api/v1/unstake', bodyFor('/api/v1/unstake', wallet, stakeAccountAddress));
    for (const { body } of await refusals()) {
      assert.equal(body.errorCode, 'STAKE_NOT_WITHDRAWABLE');
      assert.match(String(body.suggestedAction), /withdraw-ready/);
      assert.ok(body.epochTiming);
    }
    const [, title] = withdrawals[0]!;
    assert.equal((await refusals())[0]!.body.error, title);
  });

  test('STAKE_ALREADY_DEACTIVATED for a second unstake, deactivating and inactive, and the chain agrees', async () => {
    const { sandbox, service } = shared();
    const wallet = await fundedWallet(sandbox, 50);
    const stakeAccountAddress = await stakeNow(service, wallet, 10);
    await sandbox.advanceEpochs(1);
    const { walletAddress } = wallet;
    const build = () => post('/api/v1/unstake/transaction', { walletAddress, stakeAccountAddress });
    const built = await build();
    // With the same blockhash both would be the same transaction, and the second a repetition of the first.
    while ((await build()).blockhash === built.blockhash) await sandbox.nextBlock(patience());
    await post('/api/v1/unstake', bodyFor('/api/v1/unstake', wallet, stakeAccountAddress));
    const expected = (title: string | null) => [
      400,
      title ?? 'Stake already deactivated',
      'STAKE_ALREADY_DEACTIVATED',
    ];
    const signedTransaction = signedBy(wallet, built.transaction);
    assert.deepEqual(
      await refusalFacts(post('/api/v1/transaction/submit', { signedTransaction })),
      expected('Transaction failed'),
    );
    for (const [path, title] of paths.filter(([path]) => path.includes('unstake')))
      assert.deepEqual(
        await refusalFacts(post(path, bodyFor(path, wallet, stakeAccountAddress))),
        expected(title),
      );
    await sandbox.advanceEpochs(1);
    for (const [path, title] of paths.filter(([path]) => path.includes('unstake')))
      assert.deepEqual(
        await refusalFacts(post(path, bodyFor(path, wallet, stakeAccountAddress))),
        expected(title),
      );
  });

  test('STAKE_NOT_DELEGATED for an account that was only initialized', async () => {
    const { sandbox } = shared();
    const wallet = await fundedWallet(sandbox, 1);
    const address = newWallet().walletAddress;
    const { walletAddress } = wallet;
    await sandbox.setAccount({
      address,
      lamports: 2n * SOL,
      data: stakeAccountBytes({ wallet: walletAddress }),
      owner: STAKE_PROGRAM,
    });
    for (const [path, title] of paths.filter(([path]) => path.includes('unstake')))
      assert.deepEqual(await refusalFacts(post(path, bodyFor(path, wallet, address))), [
        400,
        title ?? 'Stake not delegated',
        'STAKE_NOT_DELEGATED',
      ]);
    const { amountSol } = await post('/api/v1/withdraw', bodyFor('/api/v1/withdraw', wallet, address));
    assert.equal(amountSol, 2);
  });

  test('WITHDRAW_LEAVES_BELOW_RENT and INSUFFICIENT_STAKE_BALANCE have the same limits as the chain', async () => {
    const { sandbox, service } = shared();
    const wallet = await fundedWallet(sandbox, 50);
    const stakeAccountAddress = await stakeNow(service, wallet, 2);
    // Deactivated in the epoch of its activation, so no stake was ever effective.
    await post('/api/v1/unstake', bodyFor('/api/v1/unstake', wallet, stakeAccountAddress));
    const { accounts } = await service.client.get(`/api/v1/stake/accounts/${wallet.walletAddress}`);
    const partialMax = lamportsOf(accounts[0].partialWithdrawMaxSol);
    const withdraw = (path: string, lamports: bigint) =>
      post(path, { ...bodyFor(path, wallet, stakeAccountAddress), amountSol: Number(lamports) / 1e9 });
    for (const [path, title] of paths.filter(([path]) => path.includes('withdraw'))) {
      for (const lamports of [partialMax + 1n, 2n * SOL - 1n]) {
        const { status, body } = await refused(withdraw(path, lamports));
        assert.deepEqual(
          [status, body.error, body.errorCode],
          [400, title ?? 'Withdrawal leaves less than rent', 'WITHDRAW_LEAVES_BELOW_RENT'],
        );
        assert.equal(lamportsOf(body.partialWithdrawMaxSol), partialMax);
      }
      const { status, body } = await refused(withdraw(path, 2n * SOL + 1n));
      assert.deepEqual(
        [status, body.error, body.errorCode],
        [400, title ?? 'Insufficient stake balance', 'INSUFFICIENT_STAKE_BALANCE'],
      );
    }
    const staker = await SandboxStaker.fund(sandbox, 5n * SOL);
    const foreign = await staker.stake(2n * SOL);
    await staker.deactivate(foreign);
    await assert.rejects(staker.withdraw(foreign, partialMax + 1n));
    await staker.withdraw(foreign, partialMax);
    await withdraw('/api/v1/withdraw', partialMax);
  });

  test('STAKE_LOCKED names the lockup and its custodian, and the custodian itself can withdraw', async () => {
    const { sandbox } = shared();
    const [wallet, custodian] = await Promise.all([fundedWallet(sandbox, 1), fundedWallet(sandbox, 1)]);
    const lockup = { unixTimestamp: 4_000_000_000n, custodian: custodian.walletAddress };
    const write = async (fields: Parameters<typeof stakeAccountBytes>[0]): Promise<string> => {
      const address = newWallet().walletAddress;
      await sandbox.setAccount({
        address,
        lamports: 3n * SOL,
        data: stakeAccountBytes(fields),
        owner: STAKE_PROGRAM,
      });
      return address;
    };
    const locked = await write({ wallet: wallet.walletAddress, lockup });
    for (const [path, title] of paths.filter(([path]) => path.includes('withdraw'))) {
      const { status, body } = await refused(post(path, bodyFor(path, wallet, locked)));
      assert.deepEqual([status, body.error, body.errorCode], [400, title ?? 'Stake locked', 'STAKE_LOCKED']);
      assert.deepEqual(body.lockup, {
        unixTimestamp: 4_000_000_000,
        epoch: 0,
        custodian: custodian.walletAddress,
      });
      assert.ok(String(body.suggestedAction).includes(custodian.walletAddress));
    }
    const own = await write({ wallet: custodian.walletAddress, lockup });
    await post('/api/v1/withdraw', bodyFor('/api/v1/withdraw', custodian, own));
    assert.equal(await balanceOf(sandbox, own), 0n);
    const ownAgain = await write({ wallet: custodian.walletAddress, lockup });
    await buildAndSubmit(shared().service, custodian, '/api/v1/withdraw/transaction', {
      stakeAccountAddress: ownAgain,
    });
    assert.equal(await balanceOf(sandbox, ownAgain), 0n);
  });

  test('EPOCH_REWARDS_ACTIVE is 502 with Retry-After everywhere, and ends with the payout on chain', async () => {
    const { sandbox, service } = shared();
    const wallet = await fundedWallet(sandbox, 20);
    const { walletAddress } = wallet;
    const stakeAccountAddress = await stakeNow(service, wallet);
    const built = await post('/api/v1/unstake/transaction', { walletAddress, stakeAccountAddress });
    await sandbox.holdEpochRewards(true);
    try {
      const requests = [
        ...paths.map(([path, title]) => [path, title, bodyFor(path, wallet, stakeAccountAddress)] as const),
        ['/api/v1/stake', 'Stake failed', oneShot(wallet, { amountSol: 2 })] as const,
        ['/api/v1/stake/transaction', null, { walletAddress, amountSol: 2 }] as const,
      ];
      for (const [path, title, body] of requests) {
        const answer = await sendText(service, path, JSON.stringify(body));
        assert.deepEqual(
          [answer.status, answer.body.error, answer.body.errorCode],
          [502, title ?? 'Epoch rewards in progress', 'EPOCH_REWARDS_ACTIVE'],
          path,
        );
        assert.ok(Number(answer.headers.get('retry-after')) > 0, path);
      }
      const signedTransaction = signedBy(wallet, built.transaction);
      const submitted = await sendText(
        service,
        '/api/v1/transaction/submit',
        JSON.stringify({ signedTransaction }),
      );
      assert.deepEqual([submitted.status, submitted.body.errorCode], [502, 'EPOCH_REWARDS_ACTIVE']);
      assert.ok(Number(submitted.headers.get('retry-after')) > 0);
      await post('/api/v1/donate', { walletAddress, amountSol: 0.01 });
      const { accounts } = await service.client.get(`/api/v1/stake/accounts/${walletAddress}`);
      assert.equal(accounts[0].withdrawReady, false);
      assert.equal((await service.client.get('/api/v1/epoch')).epochRewardsActive, true);
    } finally {
      await sandbox.holdEpochRewards(false);
    }
    await post('/api/v1/unstake', bodyFor('/api/v1/unstake', wallet, stakeAccountAddress));
  });
});

describe('the payer', () => {
  test('WALLET_CANNOT_PAY for accounts owned by programs', async () => {
    const { sandbox, service } = shared();
    const owner = await fundedWallet(sandbox, 20);
    const stakeAccountAddress = await stakeNow(service, owner);
    for (const walletAddress of [sandbox.voteAccount, stakeAccountAddress]) {
      assert.deepEqual(
        await refusalFacts(post('/api/v1/stake/transaction', { walletAddress, amountSol: 1.5 })),
        [400, 'Wallet cannot pay fees', 'WALLET_CANNOT_PAY'],
      );
      assert.deepEqual(await refusalFacts(post('/api/v1/donate', { walletAddress, amountSol: 0.01 })), [
        400,
        'Wallet cannot pay fees',
        'WALLET_CANNOT_PAY',
      ]);
    }
  });

  test('STAKE_ADDRESS_OCCUPIED if an outsider funded the derived address; another key works', async () => {
    const { sandbox, service } = shared();
    const wallet = await fundedWallet(sandbox, 20);
    const { walletAddress } = wallet;
    const build = (idempotencyKey: string) =>
      post('/api/v1/stake/transaction', { walletAddress, amountSol: 2, idempotencyKey });
    const first = await build('k');
    assert.equal((await build('k')).stakeAccountAddress, first.stakeAccountAddress);
    await fund(sandbox, first.stakeAccountAddress, 890_880n);
    assert.deepEqual(
      await refusalFacts(
        post('/api/v1/transaction/submit', { signedTransaction: signedBy(wallet, first.transaction) }),
      ),
      [409, 'Transaction failed', 'STAKE_ADDRESS_OCCUPIED'],
    );
    const { status, body } = await refused(build('k'));
    assert.deepEqual([status, body.errorCode], [409, 'STAKE_ADDRESS_OCCUPIED']);
    assert.equal(body.stakeAccountAddress, first.stakeAccountAddress);
    const { submitted } = await buildAndSubmit(service, wallet, '/api/v1/stake/transaction', {
      amountSol: 2,
      idempotencyKey: 'another',
    });
    assert.notEqual(submitted.stakeAccountAddress, first.stakeAccountAddress);
  });

  test('a builder key whose stake already exists is also 409, with the stake’s signature, even after the account is closed', async () => {
    const { sandbox, service } = shared();
    const wallet = await fundedWallet(sandbox, 20);
    const { walletAddress } = wallet;
    const request = { amountSol: 2, idempotencyKey: 'made' };
    const { submitted } = await buildAndSubmit(service, wallet, '/api/v1/stake/transaction', request);
    const again = () => refused(post('/api/v1/stake/transaction', { walletAddress, ...request }));
    const expected = [409, 'STAKE_ADDRESS_OCCUPIED', submitted.signature];
    const facts = ({ status, body }: Awaited<ReturnType<typeof again>>) => [
      status,
      body.errorCode,
      body.signature,
    ];
    assert.deepEqual(facts(await again()), expected);
    const { stakeAccountAddress } = submitted;
    await post('/api/v1/unstake', oneShot(wallet, { stakeAccountAddress }));
    await post('/api/v1/withdraw', oneShot(wallet, { stakeAccountAddress }));
    assert.equal(await balanceOf(sandbox, stakeAccountAddress), 0n);
    assert.deepEqual(facts(await again()), expected);
  });

  test('STAKE_ACCOUNT_ADDRESS_PROVIDED if a stake account is given as wallet, with the wallet that owns it', async () => {
    const { sandbox, service } = shared();
    const owner = await fundedWallet(sandbox, 20);
    const stakeAccountAddress = await stakeNow(service, owner);
    for (const path of [
      `/api/v1/stake/accounts/${stakeAccountAddress}`,
      `/api/v1/stake/accounts/${stakeAccountAddress}/withdraw-ready`,
    ]) {
      const { status, body } = await refused(service.client.get(path));
      assert.deepEqual(
        [status, body.error, body.errorCode],
        [400, 'Stake account address provided', 'STAKE_ACCOUNT_ADDRESS_PROVIDED'],
      );
      assert.ok(String(body.suggestedAction).includes(owner.walletAddress));
    }
  });

  test('a secret key of another wallet, or an invalid one, is 400 and says which', async () => {
    const [wallet, other] = [newWallet(), newWallet()];
    const account = { stakeAccountAddress: other.walletAddress, amountSol: 2 };
    for (const [path, title, members] of [
      ['/api/v1/stake', 'Stake failed', { amountSol: 2 }],
      ['/api/v1/unstake', 'Unstake failed', account],
      ['/api/v1/withdraw', 'Withdraw failed', account],
    ] as const) {
      const send = (secretKey?: string) =>
        post(path, { walletAddress: wallet.walletAddress, secretKey, ...members });
      assert.deepEqual(await refusalFacts(send(other.secretKey)), [400, title, 'SECRET_KEY_MISMATCH']);
      assert.deepEqual(await refusalFacts(send(wallet.secretKey.slice(0, -2))), [
        400,
        title,
        'INVALID_SECRET_KEY',
      ]);
      const { status, body } = await refused(send());
      assert.deepEqual(
        [status, body.error, body.message],
        [400, 'Validation error', 'secretKey: was not given'],
      );
      assert.match(String(body.suggestedAction), new RegExp(`Never ask .* POST ${path}/transaction`));
    }
  });
});

describe('submit', () => {
  const submit = (signedTransaction: string) => post('/api/v1/transaction/submit', { signedTransaction });

  test('INVALID_TRANSACTION for unsigned, tampered, truncated or invalid transactions', async () => {
    const wallet = await fundedWallet(shared().sandbox, 20);
    const { walletAddress } = wallet;
    const { transaction } = await post('/api/v1/stake/transaction', { walletAddress, amountSol: 2 });
    const unsigned = await refused(submit(transaction));
    const facts = ({ status, body }: typeof unsigned) => [status, body.error, body.errorCode];
    const expected = [400, 'Transaction failed', 'INVALID_TRANSACTION'];
    assert.deepEqual(facts(unsigned), expected);
    assert.deepEqual(unsigned.body.missingSigners, [walletAddress]);
    const tampered = Buffer.from(signedBy(wallet, transaction), 'base64');
    // With another amount it is still a well-formed transaction, but not the signed one.
    const amount = Buffer.alloc(8);
    amount.writeBigUInt64LE(2n * SOL);
    tampered[tampered.indexOf(amount)]! ^= 1;
    const changed = await refused(submit(tampered.toString('base64')));
    assert.deepEqual(facts(changed), expected);
    assert.equal((changed.body.invalidSigners as unknown[]).length, 2);
    const cut = tampered.subarray(0, 300).toString('base64');
    for (const text of [cut, 'AAAA', Buffer.from('hello').toString('base64')])
      assert.deepEqual(facts(await refused(submit(text))), expected, text);
  });

  test('text that is not base64, empty or too long is a validation error', async () => {
    for (const text of ['', 'not base64!', 'A'.repeat(5465), 'AA=A'])
      assert.deepEqual(await refusalFacts(submit(text)), [400, 'Validation error', 'VALIDATION_ERROR'], text);
    // The largest transaction, 4,096 bytes, is parsed; only its content is wrong.
    const largest = Buffer.alloc(4_096).toString('base64');
    assert.equal(largest.length, 5_464);
    assert.deepEqual(await refusalFacts(submit(largest)), [400, 'Transaction failed', 'INVALID_TRANSACTION']);
  });

  test('BLOCKHASH_EXPIRED is 400 on submit and advises to build again', async () => {
    const { sandbox } = shared();
    const wallet = await fundedWallet(sandbox, 20);
    const built = await post('/api/v1/donate', { walletAddress: wallet.walletAddress, amountSol: 0.01 });
    await outlive(shared(), built);
    const { status, body } = await refused(submit(signedBy(wallet, built.transaction)));
    assert.deepEqual([status, body.error, body.errorCode], [400, 'Transaction failed', 'BLOCKHASH_EXPIRED']);
    assert.match(String(body.suggestedAction), /again/i);
  });

  test('FOREIGN_TRANSACTION for a valid transaction without our memo, under the policy of a real cluster', () =>
    withLegacyConnection(shared().sandbox, async (connection) => {
      const { sandbox } = shared();
      const payer = Keypair.generate();
      await fund(sandbox, payer.publicKey.toBase58(), SOL);
      const message = new TransactionMessage({
        payerKey: payer.publicKey,
        recentBlockhash: (await connection.getLatestBlockhash()).blockhash,
        instructions: [
          SystemProgram.transfer({
            fromPubkey: payer.publicKey,
            toPubkey: new PublicKey(sandbox.donationAddress),
            lamports: 1_000_000,
          }),
        ],
      });
      const transaction = new VersionedTransaction(message.compileToV0Message());
      transaction.sign([payer]);
      assert.deepEqual(await refusalFacts(submit(Buffer.from(transaction.serialize()).toString('base64'))), [
        400,
        'Transaction failed',
        'FOREIGN_TRANSACTION',
      ]);
      assert.equal(await balanceOf(sandbox, payer.publicKey.toBase58()), SOL);
    }));

  test('a balance spent in the meantime is INSUFFICIENT_BALANCE, and no transaction lands', async () => {
    const wallet = await fundedWallet(shared().sandbox, 20);
    const { transaction } = await post('/api/v1/stake/transaction', {
      walletAddress: wallet.walletAddress,
      amountSol: 10,
    });
    await setLamports(wallet.walletAddress, 5n * SOL);
    const { status, body } = await refused(submit(signedBy(wallet, transaction)));
    assert.deepEqual(
      [status, body.error, body.errorCode],
      [400, 'Transaction failed', 'INSUFFICIENT_BALANCE'],
    );
    assert.ok(body.chainError);
    assert.equal(await balanceOf(shared().sandbox, wallet.walletAddress), 5n * SOL);
  });
});

describe('validation', () => {
  const { walletAddress } = newWallet();
  const amounts = [
    ['1.0000000001', /at most 9 decimals/],
    ['1e-10', /at most 9 decimals/],
    ['1e400', /must be/],
    ['-1', /greater than 0/],
    ['0', /greater than 0/],
    ['0.0', /greater than 0/],
    ['9000001', /at most 9000000/],
    ['9000000.000000001', /at most 9000000/],
    ['"2"', /without quotes/],
    ['true', /finite number/],
    ['null', /finite number/],
    ['[2]', /finite number/],
    ['{"value":2}', /finite number/],
  ] as const;

  for (const [literal, message] of amounts) {
    test(`amountSol ${literal} is 400 with its issue, and never becomes another amount`, async () => {
      const { status, body } = await sendText(
        shared().service,
        '/api/v1/stake/transaction',
        `{"walletAddress":"${walletAddress}","amountSol":${literal}}`,
      );
      assert.deepEqual([status, body.error, body.errorCode], [400, 'Validation error', 'VALIDATION_ERROR']);
      const details = body.details as { path: string; code: string; message: string }[];
      assert.deepEqual(
        details.map(({ path }) => path),
        ['amountSol'],
      );
      assert.match(details[0]!.message, message);
      assert.equal(body.message, `amountSol: ${details[0]!.message}`);
    });
  }

  for (const literal of ['2.000000001000', '2000000001e-9', '0.2000000001E1']) {
    test(`amountSol ${literal} is 2.000000001 SOL to the lamport`, async () => {
      const wallet = await fundedWallet(shared().sandbox, 20);
      const { status, body } = await sendText(
        shared().service,
        '/api/v1/stake/transaction',
        `{"walletAddress":"${wallet.walletAddress}","amountSol":${literal}}`,
      );
      assert.equal(status, 200, JSON.stringify(body));
      const [create] = body.instructions as { summary: string }[];
      assert.match(create!.summary, /2\.000000001 SOL/);
    });
  }

  test('every issue of a request is listed, and no value is repeated', async () => {
    const { status, body } = await sendText(
      shared().service,
      '/api/v1/withdraw',
      '{"walletAddress":"nonsense","stakeAccountAddress":12,"amountSol":"much","idempotencyKey":""}',
    );
    assert.equal(status, 400);
    const details = body.details as { path: string; message: string }[];
    assert.deepEqual([...new Set(details.map(({ path }) => path))].sort(), [
      'amountSol',
      'idempotencyKey',
      'secretKey',
      'stakeAccountAddress',
      'walletAddress',
    ]);
    assert.equal(body.message, details.map(({ path, message }) => `${path}: ${message}`).join('; '));
    assert.doesNotMatch(JSON.stringify(body), /nonsense|much/);
  });

  test('donations are 0.001 to 1000 SOL', async () => {
    const wallet = await fundedWallet(shared().sandbox, 1_100);
    const donate = (amountSol: number) =>
      post('/api/v1/donate', { walletAddress: wallet.walletAddress, amountSol });
    for (const amountSol of [0.000999999, 1000.000000001])
      assert.deepEqual(await refusalFacts(donate(amountSol)), [400, 'Validation error', 'VALIDATION_ERROR']);
    for (const amountSol of [0.001, 1000])
      await buildAndSubmit(shared().service, wallet, '/api/v1/donate', { amountSol });
  });

  test('a donation too small for an empty donation address is a validation error with its issue', async () => {
    const { sandbox } = shared();
    const wallet = await fundedWallet(sandbox, 5);
    const noticeRules = async () => {
      await sandbox.advanceEpochs(1);
      await shared().service.client.get('/api/v1/epoch');
    };
    await sandbox.setRent(10_000n);
    await setLamports(sandbox.donationAddress, 0n);
    await noticeRules();
    try {
      const donate = (amountSol: number) =>
        post('/api/v1/donate', { walletAddress: wallet.walletAddress, amountSol });
      const { status, body } = await refused(donate(0.001279999));
      assert.deepEqual([status, body.error], [400, 'Validation error']);
      const [issue] = body.details as { path: string; message: string }[];
      assert.equal(issue!.path, 'amountSol');
      assert.match(issue!.message, /must be at least 0\.00128/);
      await buildAndSubmit(shared().service, wallet, '/api/v1/donate', { amountSol: 0.00128 });
    } finally {
      await sandbox.setRent(BigInt(chosenRules().rentLamportsPerByte));
      await noticeRules();
    }
  });
});

// Checks stake accounts whose addresses are derived from the wallet: the wallet alone signs every step, an
// idempotency key still creates only one stake, and outsiders cannot predict the address.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Address, createAddressWithSeed } from '@solana/kit';
import { solToLamports } from '../../client/sol-amount.ts';
import { verifyTransactionBytes } from '../../client/verify-transaction-bytes.ts';
import { decodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import { STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import { holdfast, keypairFile, trustService } from '../cli/cli-runner.ts';
import { outlive, rpc } from '../support/expired-transactions.ts';
import { balanceOf, fund, refused } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fundedWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const SOL = 1_000_000_000n;
const shared = sharedService({ before, after });
const post = (path: string, body: Readonly<Record<string, unknown>>) =>
  shared().service.client.post(`/api/v1/${path}`, body);
const accountsOf = async ({ walletAddress }: TestWallet) =>
  (await shared().service.client.get(`/api/v1/stake/accounts/${walletAddress}`)).accounts;
const wireOf = (transaction: string) => decodeWire(new Uint8Array(Buffer.from(transaction, 'base64')));
const codeOf = async (call: Promise<unknown>) => {
  const { status, errorCode, body } = await refused(call);
  return [status, errorCode, body.reason];
};

/**
 * Returns the accounts that a transaction creates, after checking that each is derived from the wallet and the
 * seed in the transaction.
 */
const createdIn = async (transaction: string, wallet: string): Promise<readonly string[]> => {
  const created: string[] = [];
  for (const { data } of wireOf(transaction).instructions) {
    if (data.type !== 'system.createAccount') continue;
    const { base, seed } = data.derivedFrom!;
    assert.equal(base, wallet);
    const derived = await createAddressWithSeed({ baseAddress: base, seed, programAddress: STAKE_PROGRAM });
    assert.equal(data.newAccount, derived);
    created.push(derived);
  }
  return created;
};

/**
 * Checks that the wallet is the only signer and that the transaction does what was requested, then signs and
 * submits it.
 */
const carry = async (wallet: TestWallet, built: Awaited<ReturnType<typeof post>>, request: object) => {
  const { sandbox } = shared();
  const { walletAddress } = wallet;
  const { transaction, idempotencyKey } = built;
  const before = await balanceOf(sandbox, walletAddress);
  assert.deepEqual(wireOf(transaction).requiredSigners, [walletAddress]);
  assert.deepEqual([...wireOf(transaction).signatures], [[walletAddress, null]]);
  const result = verifyTransactionBytes(transaction, {
    wallet: walletAddress as Address,
    voteAccount: sandbox.voteAccount as Address,
    nonceAccount: 'any',
    request: request as never,
  });
  assert.deepEqual(
    [result.fields.filter(({ ok }) => !ok), [...result.signatures]],
    [[], [[walletAddress, 'missing']]],
  );
  const signedTransaction = signedBy(wallet, transaction);
  const landed = await post('transaction/submit', { signedTransaction, idempotencyKey });
  return { ...landed, before };
};

test('the wallet stakes, unstakes part by a split and withdraws everything, with one signature each', async () => {
  const { sandbox } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  const { walletAddress } = wallet;
  const built = await post('stake/transaction', { walletAddress, amountSol: 5, addressing: 'seed' });
  assert.deepEqual(
    built.instructions.map(({ name }: { name: string }) => name),
    ['createAccountWithSeed', 'initialize', 'delegateStake', 'addMemo'],
  );
  assert.deepEqual(await createdIn(built.transaction, walletAddress), [built.stakeAccountAddress]);
  assert.equal(
    (await post('verify/stake-transaction', { walletAddress, transaction: built.transaction })).ok,
    true,
  );
  const staked = await carry(wallet, built, { kind: 'stake', lamports: 5n * SOL });
  assert.equal(staked.stakeAccountAddress, built.stakeAccountAddress);
  assert.equal(staked.before - (await balanceOf(sandbox, walletAddress)), 5n * SOL + 5_000n);

  await sandbox.advanceEpochs(1);
  const part = await post('unstake/transaction', { walletAddress, amountSol: 2, addressing: 'seed' });
  const [split] = await createdIn(part.transaction, walletAddress);
  assert.ok(split !== undefined && split !== built.stakeAccountAddress);
  await carry(wallet, part, {
    kind: 'rearrange',
    goal: 'unstake',
    lamports: solToLamports(2),
    accounts: [built.stakeAccountAddress],
  });
  const rest = await post('unstake/transaction', {
    walletAddress,
    stakeAccountAddress: built.stakeAccountAddress,
  });
  await carry(wallet, rest, { kind: 'unstake', accounts: [built.stakeAccountAddress] });
  assert.deepEqual(
    (await accountsOf(wallet)).map(({ state }: { state: string }) => state),
    ['deactivating', 'deactivating'],
  );

  await sandbox.advanceEpochs(1);
  const all = await post('withdraw/transaction', { walletAddress, all: true });
  assert.match(
    all.message,
    /^Withdraws [\d.]+ SOL to \w+: the full balance of \d inactive accounts? \(\w{4}…\w{4}(, \w{4}…\w{4})*\)\. Sign/,
  );
  await carry(wallet, all, { kind: 'rearrange', goal: 'withdraw-all' });
  assert.deepEqual(await accountsOf(wallet), []);
  // The wallet has paid four fees of one signature each. The rewards of one epoch may exceed them.
  assert.ok((await balanceOf(sandbox, walletAddress)) >= 20n * SOL - 4n * 5_000n);
});

test('an idempotency key creates one stake, in one call or by a builder', async () => {
  const { sandbox } = shared();
  for (const [first, second] of [
    ['stake', 'stake/transaction'],
    ['stake/transaction', 'stake'],
  ] as const) {
    const wallet = await fundedWallet(sandbox, 20);
    const { walletAddress, secretKey } = wallet;
    const request = { walletAddress, amountSol: 2, idempotencyKey: 'order-1' };
    const call = (path: string, amountSol = 2) =>
      post(path, { ...request, amountSol, ...(path === 'stake' && { secretKey }) });
    const made = await call(first);
    const { signature } =
      first === 'stake'
        ? made
        : await post('transaction/submit', {
            signedTransaction: signedBy(wallet, made.transaction),
            idempotencyKey: 'order-1',
          });
    for (const [amountSol, reason, params] of [
      [2, 'STAKE_DONE', { stakedSol: 2, signature }],
      [3, 'OTHER_AMOUNT_STAKED', { idempotencyKey: 'order-1', stakedSol: 2, signature, amountSol: 3 }],
    ] as const) {
      const { errorCode, body } = await refused(call(second, amountSol));
      assert.deepEqual(
        [errorCode, body.reason, body.params, body.stakeAccountAddress],
        ['STAKE_ADDRESS_OCCUPIED', reason, params, made.stakeAccountAddress],
        second,
      );
    }
    assert.equal((await accountsOf(wallet)).length, 1);
  }
});

test('a stake that was built before another one was made in one call with its key is not sent', async () => {
  const { sandbox } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  const { walletAddress, secretKey } = wallet;
  const request = { walletAddress, amountSol: 2, idempotencyKey: 'order-1' };
  const { transaction } = await post('stake/transaction', request);
  const send = () =>
    post('transaction/submit', {
      signedTransaction: signedBy(wallet, transaction),
      idempotencyKey: 'order-1',
    });
  const [made, sent] = await Promise.allSettled([post('stake', { ...request, secretKey }), send()]);
  assert.deepEqual([made.status, sent.status].sort(), ['fulfilled', 'rejected']);
  if (sent.status === 'rejected')
    assert.deepEqual(await codeOf(send()), [409, 'STAKE_ADDRESS_OCCUPIED', 'STAKE_DONE']);
  assert.equal((await accountsOf(wallet)).length, 1);
});

test('an idempotency key creates one stake with either kind of address, even after the account was closed', async () => {
  const { sandbox } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  const { walletAddress } = wallet;
  const request = { walletAddress, amountSol: 2, idempotencyKey: 'order-1', addressing: 'seed' };
  const built = await post('stake/transaction', request);
  assert.equal((await post('stake/transaction', request)).stakeAccountAddress, built.stakeAccountAddress);
  const { signature, stakeAccountAddress } = await carry(wallet, built, {
    kind: 'stake',
    lamports: 2n * SOL,
  });

  const again = await refused(post('stake/transaction', request));
  assert.deepEqual(
    [again.status, again.errorCode, again.body.signature, again.body.stakeAccountAddress],
    [409, 'STAKE_ADDRESS_OCCUPIED', signature, stakeAccountAddress],
  );
  assert.deepEqual(again.body.reason, 'STAKE_DONE');
  const more = await refused(post('stake/transaction', { ...request, amountSol: 3 }));
  assert.deepEqual(
    [more.body.reason, more.body.params, more.body.signature],
    ['OTHER_AMOUNT_STAKED', { idempotencyKey: 'order-1', stakedSol: 2, signature, amountSol: 3 }, signature],
    'a different amount under the same key is not reported as completed',
  );
  assert.deepEqual(await codeOf(post('stake/transaction', { ...request, addressing: 'key' })), [
    409,
    'STAKE_ADDRESS_OCCUPIED',
    'STAKE_DONE',
  ]);
  for (const path of ['unstake', 'withdraw']) {
    const built = await post(`${path}/transaction`, { walletAddress, stakeAccountAddress });
    await post('transaction/submit', { signedTransaction: signedBy(wallet, built.transaction) });
  }
  assert.deepEqual(await accountsOf(wallet), []);
  const closed = await refused(post('stake/transaction', request));
  assert.deepEqual([closed.errorCode, closed.body.signature], ['STAKE_ADDRESS_OCCUPIED', signature]);

  const byKey = await post('stake/transaction', { walletAddress, amountSol: 2, idempotencyKey: 'order-2' });
  await post('transaction/submit', { signedTransaction: signedBy(wallet, byKey.transaction) });
  assert.deepEqual(await codeOf(post('stake/transaction', { ...request, idempotencyKey: 'order-2' })), [
    409,
    'STAKE_ADDRESS_OCCUPIED',
    'STAKE_DONE',
  ]);
});

test('a partial unstake with one idempotency key is planned once, with either kind of address', async () => {
  const { sandbox } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  const { walletAddress, secretKey } = wallet;
  await shared().service.client.post('/api/v1/stake', { walletAddress, secretKey, amountSol: 5 });
  await sandbox.advanceEpochs(1);
  const request = { walletAddress, amountSol: 1.5, idempotencyKey: 'part-1' };
  const built = await post('unstake/transaction', { ...request, addressing: 'seed' });
  // Submitted without the key, so only the chain shows that the change was made.
  await post('transaction/submit', { signedTransaction: signedBy(wallet, built.transaction) });
  for (const addressing of ['key', 'seed'])
    assert.deepEqual(await codeOf(post('unstake/transaction', { ...request, addressing })), [
      409,
      'STAKE_ADDRESS_OCCUPIED',
      'CHANGE_DONE',
    ]);
});

test('outsiders who learn the address and send SOL to it cannot block the stake, because a new idempotency key leads to a new address', async () => {
  const { sandbox } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const { walletAddress } = wallet;
  const request = { walletAddress, amountSol: 2, idempotencyKey: 'order-1', addressing: 'seed' };
  const built = await post('stake/transaction', request);
  // The address depends on the server's secret and the wallet, so the same key gives another wallet a different
  // seed.
  const stranger = await fundedWallet(sandbox, 10);
  const theirs = await post('stake/transaction', { ...request, walletAddress: stranger.walletAddress });
  const seedOf = (transaction: string) =>
    wireOf(transaction).instructions.flatMap(({ data }) =>
      data.type === 'system.createAccount' ? [data.derivedFrom!.seed] : [],
    );
  assert.notDeepEqual(seedOf(built.transaction), seedOf(theirs.transaction));

  await fund(sandbox, built.stakeAccountAddress, 1_000_000n);
  const taken = await refused(post('stake/transaction', request));
  assert.deepEqual(
    [taken.status, taken.errorCode, taken.body.reason],
    [409, 'STAKE_ADDRESS_OCCUPIED', 'FUNDED_BY_OTHERS'],
  );
  const fresh = await post('stake/transaction', {
    ...request,
    idempotencyKey: taken.body.freshIdempotencyKey,
  });
  assert.notEqual(fresh.stakeAccountAddress, built.stakeAccountAddress);
  await carry(wallet, fresh, { kind: 'stake', lamports: 2n * SOL });
});

test('an expired stake with a seed address is rebuilt at the same address, and a nonce can be used with it', async () => {
  const { sandbox } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  const { walletAddress } = wallet;
  await sandbox.advanceEpochs(2);
  const request = { walletAddress, amountSol: 2, idempotencyKey: 'late', addressing: 'seed' };
  const old = await post('stake/transaction', request);
  await outlive(shared(), old);
  const again = await post('transaction/rebuild', {
    transaction: signedBy(wallet, old.transaction),
    idempotencyKey: 'late',
  });
  assert.deepEqual(again.difference, { onlyLifetime: true, changes: [] });
  await carry(wallet, again, { kind: 'stake', lamports: 2n * SOL });

  const created = await post('nonce/create/transaction', { walletAddress });
  await post('transaction/submit', { signedTransaction: signedBy(wallet, created.transaction) });
  const undated = await post('stake/transaction', {
    walletAddress,
    amountSol: 3,
    addressing: 'seed',
    nonce: created.nonceAccountAddress,
  });
  await carry(wallet, undated, { kind: 'stake', lamports: 3n * SOL });
  assert.equal((await accountsOf(wallet)).length, 2);
});

test('the command line stakes to a seed address, with separate build and sign steps and with --addressing', async (t) => {
  const { sandbox, service } = shared();
  const { walletAddress, path } = keypairFile(t);
  await fund(sandbox, walletAddress, 20n * SOL);
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await holdfast([...args, '--url', service.url, '--keypair', path]);
    assert.equal(code, 0, stderr);
    return stdout.trim();
  };
  await trustService(service.url);
  const unattended = ['--addressing', 'seed', '--yes', '--json'];
  const before = await balanceOf(sandbox, walletAddress);
  await run('stake', '3', ...unattended);
  assert.equal(before - (await balanceOf(sandbox, walletAddress)), 3n * SOL + 5_000n);
  await sandbox.advanceEpochs(1);
  const whole = await balanceOf(sandbox, walletAddress);
  await run('unstake', '1.5', ...unattended, '--rpc', sandbox.rpcUrl);
  const rent = await rpc(sandbox, 'getMinimumBalanceForRentExemption', [200]);
  assert.equal(whole - (await balanceOf(sandbox, walletAddress)), BigInt(rent as number) + 5_000n);

  const request = [`walletAddress=${walletAddress}`, 'amountSol=2', 'addressing=seed'];
  const built = await run('build', 'stake', ...request);
  assert.deepEqual(wireOf(built).requiredSigners, [walletAddress]);
  const folder = temporaryFolder(t);
  const save = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const meant = [
    '--wallet',
    walletAddress,
    '--vote',
    sandbox.voteAccount,
    '--goal',
    'stake',
    '--amount',
    '2',
  ];
  const signed = await run('sign', save('stake.txt', built), ...meant, '--yes');
  await run('submit', save('signed.txt', signed));
});

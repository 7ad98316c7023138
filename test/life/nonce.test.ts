// Checks transactions with a durable nonce: the nonce account is created, listed and closed, and a transaction
// can be signed hours later or canceled.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ComputeBudgetProgram, Transaction } from '@solana/web3.js';
import { decodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import { outlive } from '../support/expired-transactions.ts';
import { refused, stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });
const { stringify } = JSON;
const post = (path: string, body: Readonly<Record<string, unknown>>) =>
  shared().service.client.post(`/api/v1/${path}`, body);
const get = (path: string) => shared().service.client.get(`/api/v1/${path}`);
const submit = (wallet: TestWallet, transaction: string) =>
  post('transaction/submit', { signedTransaction: signedBy(wallet, transaction) });
const wireOf = (transaction: string) => decodeWire(new Uint8Array(Buffer.from(transaction, 'base64')));
const codeOf = async (call: Promise<unknown>) => {
  const { status, errorCode, body } = await refused(call);
  return [status, errorCode, body.reason];
};
const check = (wallet: TestWallet, transaction: string) =>
  post('verify/stake-transaction', { walletAddress: wallet.walletAddress, transaction });

const withNonce = async (amountSol = 20) => {
  const wallet = await fundedWallet(shared().sandbox, amountSol);
  const { walletAddress } = wallet;
  const created = await post('nonce/create/transaction', { walletAddress });
  await submit(wallet, created.transaction);
  return { wallet, walletAddress, nonce: created.nonceAccountAddress as string };
};

test('a nonce account is created with one signature, listed, and closed, which returns its rent', async () => {
  const { wallet, walletAddress, nonce } = await withNonce();
  const listed = await get(`nonce/${walletAddress}`);
  assert.deepEqual(
    [listed.accounts.length, listed.accounts[0].nonceAccountAddress, listed.free],
    [1, nonce, 9],
  );
  const second = await post('nonce/create/transaction', { walletAddress });
  assert.notEqual(second.nonceAccountAddress, nonce);
  assert.equal((await check(wallet, second.transaction)).ok, true, stringify(second));
  const close = await post('nonce/close/transaction', { walletAddress, nonceAccountAddress: nonce });
  assert.equal((await check(wallet, close.transaction)).kind, 'nonce');
  await submit(wallet, close.transaction);
  assert.equal((await get(`nonce/${walletAddress}`)).accounts.length, 0);
});

test('a stake with a nonce lands even after a blockhash would have expired, and lands only once', async () => {
  const { wallet, walletAddress, nonce } = await withNonce();
  const ordinary = await post('stake/transaction', { walletAddress, amountSol: 2 });
  const built = await post('stake/transaction', { walletAddress, amountSol: 2, nonce });
  assert.equal(built.nonceAccount, nonce);
  assert.equal(built.lastValidBlockHeight, undefined);
  assert.equal(built.estimatedExpiresAt, undefined);
  assert.ok(built.notices.some(({ code }: { code: string }) => code === 'NEVER_EXPIRES'));
  const checked = await check(wallet, built.transaction);
  assert.deepEqual([checked.ok, checked.kind], [true, 'stake'], stringify(checked));
  await outlive(shared(), ordinary);
  const landed = await submit(wallet, built.transaction);
  assert.deepEqual((await submit(wallet, built.transaction)).signature, landed.signature);
  assert.equal((await get(`stake/accounts/${walletAddress}`)).accounts.length, 1);
});

test('advancing the nonce cancels a signed transaction, which can then be rebuilt with the new nonce value', async () => {
  const { wallet, walletAddress, nonce } = await withNonce();
  const stakeAccountAddress = await stakeNow(shared().service, wallet);
  const built = await post('unstake/transaction', { walletAddress, stakeAccountAddress, nonce });
  assert.deepEqual(await codeOf(post('transaction/rebuild', { transaction: built.transaction })), [
    409,
    'STILL_ALIVE',
    'NONCE',
  ]);
  const advance = await post('nonce/advance/transaction', { walletAddress, nonceAccountAddress: nonce });
  await submit(wallet, advance.transaction);
  const [status, code] = await codeOf(submit(wallet, built.transaction));
  assert.deepEqual([status, code], [400, 'BLOCKHASH_EXPIRED']);
  let again: Awaited<ReturnType<typeof post>> | undefined;
  while (again === undefined)
    again = await post('transaction/rebuild', { transaction: built.transaction }).catch((error) => {
      if (error.body?.errorCode !== 'STILL_ALIVE') throw error;
      return undefined;
    });
  assert.deepEqual(again.difference, { onlyLifetime: true, changes: [] });
  assert.equal(again.nonceAccount, nonce);
  assert.notEqual(wireOf(again.transaction).blockhash, wireOf(built.transaction).blockhash);
  await submit(wallet, again.transaction);
});

test('a refused submission with a nonce waits for the nonce, not for the expiry of a blockhash', async () => {
  const { wallet, walletAddress, nonce } = await withNonce();
  const { availableToStake } = await get(`wallet/balance/${walletAddress}`);
  const amountSol = Math.floor(availableToStake * 0.6);
  const built = await post('donate', { walletAddress, amountSol, nonce });
  await submit(wallet, (await post('donate', { walletAddress, amountSol })).transaction);
  const key = 'refused-with-nonce';
  const signedTransaction = signedBy(wallet, built.transaction);
  await refused(post('transaction/submit', { signedTransaction, idempotencyKey: key }));
  assert.deepEqual(
    await codeOf(post('transaction/rebuild', { transaction: built.transaction, idempotencyKey: key })),
    [409, 'STILL_ALIVE', 'NONCE'],
  );
});

test('a nonce that the wallet cannot use is refused before anything is built', async () => {
  const { walletAddress, nonce } = await withNonce();
  const other = await fundedWallet(shared().sandbox, 20);
  const build = (asked: string, owner = other.walletAddress) =>
    post('stake/transaction', { walletAddress: owner, amountSol: 2, nonce: asked });
  assert.deepEqual(await codeOf(build(nonce)), [400, 'NONCE_UNUSABLE', 'OTHER_AUTHORITY']);
  assert.deepEqual(await codeOf(build(walletAddress)), [400, 'NONCE_UNUSABLE', 'NOT_A_NONCE']);
  assert.deepEqual(await codeOf(build('7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2')), [
    400,
    'NONCE_UNUSABLE',
    'NO_ACCOUNT',
  ]);
  assert.deepEqual(await codeOf(post('plan', { walletAddress, goal: 'undo', nonce })), [
    400,
    'VALIDATION_ERROR',
    undefined,
  ]);
});

test('a transaction in which a wallet inserted an instruction before the nonce advance is refused before it is sent', async () => {
  const { wallet, walletAddress, nonce } = await withNonce();
  const stakeAccountAddress = await stakeNow(shared().service, wallet);
  const built = await post('unstake/transaction', { walletAddress, stakeAccountAddress, nonce });
  const changed = Transaction.from(Buffer.from(built.transaction, 'base64'));
  changed.instructions.unshift(ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 }));
  const message = changed.compileMessage().serialize();
  const signed = Buffer.concat([Buffer.of(1), wallet.sign(message), message]).toString('base64');
  assert.deepEqual(await codeOf(post('transaction/submit', { signedTransaction: signed })), [
    400,
    'INVALID_TRANSACTION',
    'ADVANCE_NOT_FIRST',
  ]);
});

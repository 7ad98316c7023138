// Checks that an expired transaction is rebuilt for the same request and addresses. A transaction that was not
// built here, has landed or can still land is refused, each with its own code.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { decodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import { holdfast } from '../cli/cli-runner.ts';
import { outlive, rpc } from '../support/expired-transactions.ts';
import { balanceOf, fund, refused, stakeNow } from '../support/service-calls.ts';
import { settingsFor, sharedService, startServiceHere } from '../support/service-fixture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fundedWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });
const post = (path: string, body: Readonly<Record<string, unknown>>) =>
  shared().service.client.post(`/api/v1/${path}`, body);
const rebuild = (transaction: string, idempotencyKey?: string) =>
  post('transaction/rebuild', { transaction, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) });
const codeOf = async (call: Promise<unknown>) => {
  const { status, errorCode, body } = await refused(call);
  return [status, errorCode, body.reason];
};
const submit = (wallet: TestWallet, transaction: string, idempotencyKey?: string) =>
  post('transaction/submit', {
    signedTransaction: signedBy(wallet, transaction),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
const wireOf = (transaction: string) => decodeWire(new Uint8Array(Buffer.from(transaction, 'base64')));

/** Sends a signed transaction directly to the node. With `skipPreflight`, it is sent even if it fails. */
const sendAround = (signedTransaction: string, skipPreflight = false): Promise<unknown> =>
  rpc(shared().sandbox, 'sendTransaction', [signedTransaction, { encoding: 'base64', skipPreflight }]);

test('an expired stake is rebuilt at the same address, differs only in its lifetime, and lands once', async () => {
  const { sandbox } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const request = { walletAddress: wallet.walletAddress, amountSol: 2, idempotencyKey: 'late' };
  // A blockhash is valid for a number of blocks, and skipped slots contain none.
  await sandbox.advanceEpochs(2);
  const old = await post('stake/transaction', request);

  const alive = await refused(rebuild(old.transaction, 'late'));
  assert.deepEqual([alive.status, alive.errorCode], [409, 'STILL_ALIVE']);
  const estimatedSeconds = (Date.parse(old.estimatedExpiresAt) - Date.now()) / 1_000;
  assert.ok(Number(alive.body.expiresInSeconds) > estimatedSeconds / 2, `${alive.body.expiresInSeconds}`);
  assert.equal(alive.body.lastValidBlockHeight, old.lastValidBlockHeight);

  await outlive(shared(), old);
  assert.deepEqual(await codeOf(rebuild(old.transaction)), [400, 'VALIDATION_ERROR', undefined]);
  assert.deepEqual(await codeOf(rebuild(old.transaction, 'other')), [400, 'VALIDATION_ERROR', undefined]);
  const again = await rebuild(signedBy(wallet, old.transaction), 'late');
  assert.deepEqual(again.difference, { onlyLifetime: true, changes: [] });
  assert.equal(again.stakeAccountAddress, old.stakeAccountAddress);
  assert.notEqual(again.blockhash, old.blockhash);

  const { signature } = await submit(wallet, again.transaction, 'late');
  for (const bytes of [old.transaction, again.transaction, signedBy(wallet, again.transaction)]) {
    const landed = await refused(rebuild(bytes, 'late'));
    assert.deepEqual(
      [landed.status, landed.errorCode, landed.body.reason, landed.body.signature],
      [409, 'TRANSACTION_ALREADY_SUBMITTED', 'LANDED', signature],
    );
  }
});

test('after a rebuilt transaction has landed, submitting the old one returns the new signature instead of advice to rebuild again', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const { walletAddress } = wallet;
  const stakeAccountAddress = await stakeNow(service, wallet);
  const old = await post('unstake/transaction', { walletAddress, stakeAccountAddress });
  await outlive(shared(), old);
  const expired = await refused(submit(wallet, old.transaction, 'replaced'));
  assert.equal(expired.errorCode, 'BLOCKHASH_EXPIRED');
  const again = await rebuild(old.transaction, 'replaced');
  const { signature } = await submit(wallet, again.transaction, 'replaced');

  const done = await refused(submit(wallet, old.transaction, 'replaced'));
  assert.deepEqual(
    [done.status, done.errorCode, done.body.reason, done.body.landedSignature],
    [409, 'TRANSACTION_ALREADY_SUBMITTED', 'REPLACED', signature],
  );
  const state = await service.client.get(
    `/api/v1/transaction/${wireOf(signedBy(wallet, old.transaction)).signature}`,
  );
  assert.deepEqual([state.state, state.landedSignature], ['expired', signature]);
  assert.match(state.message, new RegExp(`landed after it: ${signature}\\. Do not build it again`));
});

test('a transaction that this service did not build, or that was changed, is not rebuilt', async () => {
  const { sandbox } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const { transaction } = await post('donate', { walletAddress: wallet.walletAddress, amountSol: 0.01 });
  assert.deepEqual(await codeOf(rebuild('AAAA')), [400, 'INVALID_TRANSACTION', 'UNREADABLE']);
  const changed = Buffer.from(transaction, 'base64');
  changed[changed.length - 1]! ^= 1;
  assert.deepEqual(await codeOf(rebuild(changed.toString('base64'))), [
    400,
    'FOREIGN_TRANSACTION',
    'NOT_BUILT_HERE',
  ]);
});

test('a transaction that the wallet sent without this service counts as landed, even if its unsigned form is rebuilt', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const stakeAccountAddress = await stakeNow(service, wallet);
  const request = { walletAddress: wallet.walletAddress, stakeAccountAddress };
  const { transaction, ...lifetime } = await post('unstake/transaction', request);
  await sendAround(signedBy(wallet, transaction));
  await outlive(shared(), lifetime);
  assert.deepEqual(await codeOf(rebuild(transaction)), [409, 'TRANSACTION_ALREADY_SUBMITTED', 'LANDED']);
  assert.deepEqual(await codeOf(rebuild(signedBy(wallet, transaction))), [
    409,
    'TRANSACTION_ALREADY_SUBMITTED',
    'LANDED',
  ]);
});

test('a donation that the wallet sent without this service is found behind many later transactions', async () => {
  const { sandbox } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const { walletAddress } = wallet;
  const { transaction, ...lifetime } = await post('donate', { walletAddress, amountSol: 0.5 });
  await sendAround(signedBy(wallet, transaction));
  for (let later = 1; later <= 20; later += 1)
    await submit(wallet, (await post('donate', { walletAddress, amountSol: later / 1_000 })).transaction);
  await outlive(shared(), lifetime);
  assert.deepEqual(await codeOf(rebuild(transaction)), [409, 'TRANSACTION_ALREADY_SUBMITTED', 'LANDED']);
});

test('a transaction that failed on the chain can be rebuilt immediately', async () => {
  const { sandbox } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const { walletAddress } = wallet;
  const old = await post('stake/transaction', { walletAddress, amountSol: 8, idempotencyKey: 'failed' });
  const gift = await post('donate', { walletAddress, amountSol: 5 });
  await submit(wallet, gift.transaction);
  const signed = signedBy(wallet, old.transaction);
  await sendAround(signed, true);
  await fund(sandbox, walletAddress, 5_000_000_000n);
  const again = await rebuild(signed, 'failed');
  assert.deepEqual(again.difference, { onlyLifetime: true, changes: [] });
  await submit(wallet, again.transaction, 'failed');
});

test('a rebuilt withdrawal of everything includes SOL that has arrived since, and says so', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const { walletAddress } = wallet;
  const stakeAccountAddress = await stakeNow(service, wallet);
  const unstake = await post('unstake/transaction', { walletAddress, stakeAccountAddress });
  await submit(wallet, unstake.transaction);
  await sandbox.advanceEpochs(1);
  const old = await post('withdraw/transaction', { walletAddress, stakeAccountAddress });
  await fund(sandbox, stakeAccountAddress, 1_000_000n);
  await outlive(shared(), old);
  const again = await rebuild(old.transaction, 'all');
  assert.equal(again.difference.onlyLifetime, false);
  const [{ code, params, text }] = again.difference.changes;
  assert.equal(code, 'AMOUNT_CHANGED');
  assert.equal(params.afterSol, Number(await balanceOf(sandbox, stakeAccountAddress)) / 1e9);
  assert.match(text, /^Withdraws 2\.\d+ SOL from stake account .* It was 2(\.\d+)? SOL before\.$/);
  await submit(wallet, again.transaction, 'all');
  assert.equal(await balanceOf(sandbox, stakeAccountAddress), 0n);
  const done = [409, 'TRANSACTION_ALREADY_SUBMITTED', 'LANDED'];
  assert.deepEqual(await codeOf(rebuild(old.transaction, 'all')), done, 'although the amount differs');
});

test('a plan is rebuilt with the same operations and the same new accounts', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  const { walletAddress } = wallet;
  await stakeNow(service, wallet, 5);
  await sandbox.advanceEpochs(1);
  const request = { walletAddress, amountSol: 2, idempotencyKey: 'part' };
  const old = await post('unstake/transaction', request);
  const created = wireOf(old.transaction).requiredSigners.filter((one) => one !== walletAddress);
  assert.equal(created.length, 1, 'the unstake splits off an account');
  await outlive(shared(), old);
  const again = await rebuild(old.transaction, 'part');
  assert.deepEqual(again.difference, { onlyLifetime: true, changes: [] });
  assert.deepEqual(
    wireOf(again.transaction).requiredSigners.filter((one) => one !== walletAddress),
    created,
  );
  await submit(wallet, again.transaction, 'part');
  assert.deepEqual(await codeOf(rebuild(old.transaction, 'part')), [
    409,
    'TRANSACTION_ALREADY_SUBMITTED',
    'LANDED',
  ]);
});

test('an undo is not rebuilt once its epoch is over', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  const { walletAddress } = wallet;
  const stakeAccountAddress = await stakeNow(service, wallet, 5);
  await sandbox.advanceEpochs(1);
  const unstake = await post('unstake/transaction', { walletAddress, stakeAccountAddress });
  await submit(wallet, unstake.transaction);
  const whole = await post('unstake/undo/transaction', { walletAddress });
  const part = await post('unstake/undo/transaction', {
    walletAddress,
    amountSol: 2,
    idempotencyKey: 'keep',
  });
  await outlive(shared(), part);
  assert.equal((await rebuild(whole.transaction)).difference.onlyLifetime, true);
  assert.equal((await rebuild(part.transaction, 'keep')).difference.onlyLifetime, true);
  await sandbox.advanceEpochs(1);
  assert.deepEqual((await codeOf(rebuild(part.transaction, 'keep')))[1], 'UNDO_TOO_LATE');
});

test('another process, which never saw the blockhash, makes the same decision', async (t) => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const stakeAccountAddress = await stakeNow(service, wallet);
  const request = { walletAddress: wallet.walletAddress, stakeAccountAddress };
  const old = await post('unstake/transaction', request);
  const other = await startServiceHere(t, settingsFor(sandbox));
  const rebuildThere = () =>
    other.client.post('/api/v1/transaction/rebuild', { transaction: old.transaction });
  const alive = await refused(rebuildThere());
  assert.deepEqual([alive.errorCode, alive.body.lastValidBlockHeight], ['STILL_ALIVE', null]);
  await outlive(shared(), old);
  assert.deepEqual((await rebuildThere()).difference, { onlyLifetime: true, changes: [] });
});

test('holdfast rebuild prints only the new transaction to stdout, and the changes to stderr', async (t) => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 10);
  const { walletAddress } = wallet;
  const old = await post('stake/transaction', { walletAddress, amountSol: 2, idempotencyKey: 'by-command' });
  const file = join(temporaryFolder(t), 'transaction.txt');
  writeFileSync(file, `${old.transaction}\n`);
  const run = (...more: readonly string[]) =>
    holdfast(['rebuild', file, '--url', service.url, '--idempotency-key', 'by-command', ...more]);
  const alive = await run();
  assert.equal(alive.code, 1);
  assert.match(alive.stderr, /can still land/);
  await outlive(shared(), old);
  const again = await run();
  assert.deepEqual([again.code, again.stderr], [0, 'Only the lifetime differs.\n']);
  assert.deepEqual(wireOf(again.stdout.trim()).requiredSigners, wireOf(old.transaction).requiredSigners);
  assert.deepEqual((await run('--json')).json().difference, { onlyLifetime: true, changes: [] });
  await submit(wallet, again.stdout.trim(), 'by-command');
  assert.match((await run()).stderr, /landed/);
  const missing = await holdfast(['rebuild', join(temporaryFolder(t), 'none')]);
  assert.match(missing.stderr, /none does not exist\./);
});

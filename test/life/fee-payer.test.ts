// Checks that a separate fee payer also signs, pays only the fee, and cannot lose anything else.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { takeApart, withSignature } from '../../client/staking/wire-signatures.ts';
import { decodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import { balanceOf, refused, stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, newWallet, type TestWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });
const post = (path: string, body: Readonly<Record<string, unknown>>) =>
  shared().service.client.post(`/api/v1/${path}`, body);
const codeOf = async (call: Promise<unknown>) => {
  const { status, errorCode, body } = await refused(call);
  return [status, errorCode, body.reason];
};
const addSignature = (transaction: string, signer: TestWallet): string => {
  const wire = Buffer.from(transaction, 'base64');
  const { message } = takeApart(wire);
  return Buffer.from(withSignature(wire, signer.walletAddress, signer.sign(message))).toString('base64');
};
/** Submits a transaction with the signatures of `signers`, in that order. */
const submit = (signers: readonly TestWallet[], transaction: string, idempotencyKey?: string) =>
  post('transaction/submit', {
    signedTransaction: signers.reduce(addSignature, transaction),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });

test('a wallet that holds exactly the amount stakes, unstakes and withdraws, and the fee payer loses only the fees', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 3);
  const payer = await fundedWallet(sandbox, 1);
  const { walletAddress } = wallet;
  const feePayer = payer.walletAddress;
  const before = await balanceOf(sandbox, feePayer);
  let fees = 0n;
  const carry = async (path: string, body: Readonly<Record<string, unknown>>, signers = [wallet, payer]) => {
    const built = await post(path, { walletAddress, feePayer, ...body });
    const wire = decodeWire(new Uint8Array(Buffer.from(built.transaction, 'base64')));
    assert.equal(wire.feePayer, feePayer);
    assert.ok(built.requiredSigners.includes(walletAddress));
    assert.ok(built.notices.some(({ code }: { code: string }) => code === 'OTHER_FEE_PAYER'));
    const { transaction } = built;
    const check = (more: object) => post('verify/stake-transaction', { walletAddress, transaction, ...more });
    assert.equal((await check({ feePayer })).ok, true);
    assert.equal((await check({})).ok, false, 'a payer that the request does not name is refused');
    fees += wire.networkFeeLamports;
    const landed = await submit(signers, transaction, built.idempotencyKey);
    return { ...landed, built };
  };
  const { built } = await carry('stake/transaction', { amountSol: 3 });
  const { stakeAccountAddress } = built;
  assert.equal(await balanceOf(sandbox, walletAddress), 0n);
  const { history } = await service.client.get(`/api/v1/stake/history/${walletAddress}`);
  assert.equal(history.length, 1, 'listed for the wallet, not for the payer');
  await carry('unstake/transaction', { stakeAccountAddress }, [payer, wallet]);
  await carry('withdraw/transaction', { stakeAccountAddress });
  assert.equal(await balanceOf(sandbox, walletAddress), 3_000_000_000n);
  assert.equal(before - (await balanceOf(sandbox, feePayer)), fees);
});

test('a transaction is sent only if both the wallet and the fee payer have signed it', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 5);
  const payer = await fundedWallet(sandbox, 1);
  const { walletAddress } = wallet;
  const request = { walletAddress, amountSol: 2, feePayer: payer.walletAddress };
  const { transaction, message } = await post('stake/transaction', request);
  assert.ok(message.endsWith(`submit it. The fee payer ${payer.walletAddress} must sign it too.`), message);
  for (const [one, missing] of [
    [wallet, payer],
    [payer, wallet],
  ] as const) {
    const { body } = await refused(submit([one], transaction));
    assert.deepEqual([body.errorCode, body.reason], ['INVALID_TRANSACTION', 'UNSIGNED']);
    const advice = `${missing.walletAddress} must sign the same bytes. Combine signatures that were made apart with POST /api/v1/transaction/attach.`;
    assert.ok(String(body.suggestedAction).startsWith(advice), String(body.suggestedAction));
    assert.ok(String(body.suggestedAction).includes('give the signUrl of the build to its owner'));
  }
  const poor = newWallet().walletAddress;
  assert.equal(
    (await codeOf(post('stake/transaction', { ...request, feePayer: poor })))[1],
    'INSUFFICIENT_BALANCE',
  );
  const stakeAccountAddress = await stakeNow(service, wallet);
  assert.equal(
    (await codeOf(post('stake/transaction', { ...request, feePayer: stakeAccountAddress })))[1],
    'WALLET_CANNOT_PAY',
  );
  assert.deepEqual(
    await codeOf(post('unstake/transaction', { walletAddress, amountSol: 1, feePayer: payer.walletAddress })),
    [400, 'VALIDATION_ERROR', undefined],
  );
});

// Checks wallets that change the transaction they sign: if the call contains the idempotency key, submit signs
// again for the new stake account, but only for a stake of this service.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Blockhash,
  createKeyPairSignerFromBytes,
  decompileTransactionMessage,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  partiallySignTransactionMessageWithSigners,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { PublicKey, SystemProgram, VersionedTransaction } from '@solana/web3.js';
import { patience } from '../support/patience.ts';
import { withLegacyConnection } from '../support/sandbox-legacy-client.ts';
import { balanceOf, refused } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { addPriorityFee, type Draft, keypairOf, signedByEditingWallet } from '../support/wallet-edits.ts';
import { fundedWallet, newWallet, signedBy, type TestWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });

const build = (wallet: TestWallet, idempotencyKey: string, cosign: 'now' | 'on-submit' = 'on-submit') =>
  shared().service.client.post('/api/v1/stake/transaction', {
    walletAddress: wallet.walletAddress,
    amountSol: 2,
    cosign,
    idempotencyKey,
  });
const submit = (signedTransaction: string, idempotencyKey?: string) =>
  shared().service.client.post('/api/v1/transaction/submit', {
    signedTransaction,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
const stakesOf = async ({ walletAddress }: TestWallet) =>
  (await shared().service.client.get(`/api/v1/stake/accounts/${walletAddress}`)).accounts;

/** Returns a blockhash that is newer than the given one. */
const newerBlockhash = (than: string): Promise<string> =>
  withLegacyConnection(shared().sandbox, async (connection) => {
    for (;;) {
      const { blockhash } = await connection.getLatestBlockhash();
      if (blockhash !== than) return blockhash;
      await shared().sandbox.nextBlock(patience());
    }
  });

describe('transactions that submit signs again', () => {
  test('with cosign on-submit, the builder omits the new account’s signature, and submit with the key adds it', async () => {
    const wallet = await fundedWallet(shared().sandbox, 20);
    const built = await build(wallet, 'plain');
    const { signatures } = VersionedTransaction.deserialize(Buffer.from(built.transaction, 'base64'));
    assert.ok(signatures.every((signature) => signature.every((byte) => byte === 0)));
    const response = await submit(signedBy(wallet, built.transaction), 'plain');
    assert.equal(response.stakeAccountAddress, built.stakeAccountAddress);
    assert.deepEqual(
      (await stakesOf(wallet)).map(({ address }: { address: string }) => address),
      [built.stakeAccountAddress],
    );
  });

  const edits: readonly [name: string, edit: (draft: Draft, newer: string) => void][] = [
    ['a newer blockhash', (draft, newer) => (draft.recentBlockhash = newer)],
    ['a priority fee', (draft) => addPriorityFee(draft)],
    [
      'a priority fee and a newer blockhash',
      (draft, newer) => {
        addPriorityFee(draft);
        draft.recentBlockhash = newer;
      },
    ],
  ];
  for (const cosign of ['on-submit', 'now'] as const) {
    for (const [name, edit] of edits) {
      test(`${name}, built with cosign ${cosign}`, async () => {
        const wallet = await fundedWallet(shared().sandbox, 20);
        const built = await build(wallet, 'edited', cosign);
        const newer = await newerBlockhash(built.blockhash);
        const signed = signedByEditingWallet(wallet, built.transaction, (draft) => edit(draft, newer));
        const withoutKey = await refused(submit(signed));
        assert.deepEqual([withoutKey.status, withoutKey.errorCode], [400, 'INVALID_TRANSACTION']);
        assert.match(String(withoutKey.body.suggestedAction), /cosign: on-submit/);
        const response = await submit(signed, 'edited');
        assert.equal(response.stakeAccountAddress, built.stakeAccountAddress);
        assert.equal((await stakesOf(wallet)).length, 1);
        assert.equal(
          (await submit(signed, 'edited')).signature,
          response.signature,
          'the call can be repeated safely',
        );
      });
    }
  }

  test('a wallet that changes the transaction and keeps the new account’s outdated signature', async () => {
    const wallet = await fundedWallet(shared().sandbox, 20);
    const built = await build(wallet, 'stale', 'now');
    const transaction = VersionedTransaction.deserialize(Buffer.from(built.transaction, 'base64'));
    transaction.message.recentBlockhash = await newerBlockhash(built.blockhash);
    transaction.sign([keypairOf(wallet)]);
    const signed = Buffer.from(transaction.serialize()).toString('base64');
    assert.deepEqual((await refused(submit(signed))).body.invalidSigners, [built.stakeAccountAddress]);
    assert.equal((await submit(signed, 'stale')).stakeAccountAddress, built.stakeAccountAddress);
  });

  test('a wallet built on @solana/kit', async () => {
    const wallet = await fundedWallet(shared().sandbox, 20);
    const built = await build(wallet, 'kit');
    const newer = await newerBlockhash(built.blockhash);
    const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(wallet.secretKey));
    const { messageBytes } = getTransactionDecoder().decode(Buffer.from(built.transaction, 'base64'));
    const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes);
    const message = pipe(
      decompileTransactionMessage(compiled as never),
      (draft) => setTransactionMessageFeePayerSigner(signer, draft),
      (draft) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: newer as Blockhash, lastValidBlockHeight: 2n ** 62n },
          draft,
        ),
    );
    const signed = getBase64EncodedWireTransaction(
      await partiallySignTransactionMessageWithSigners(message as never),
    );
    assert.equal((await submit(signed, 'kit')).stakeAccountAddress, built.stakeAccountAddress);
  });

  test('an unchanged transaction built with cosign now needs no key, and a key makes no difference', async () => {
    const wallet = await fundedWallet(shared().sandbox, 20);
    const built = await build(wallet, 'intact', 'now');
    const signed = signedBy(wallet, built.transaction);
    const { signature } = await submit(signed);
    assert.equal((await submit(signed, 'intact')).signature, signature);
    assert.equal((await stakesOf(wallet)).length, 1);
  });
});

describe('transactions that submit never signs', () => {
  const outsider = newWallet().walletAddress;
  const edits: readonly [name: string, edit: (draft: Draft, wallet: TestWallet) => void][] = [
    [
      'an extra instruction that moves SOL',
      (draft, wallet) =>
        draft.instructions.push(
          SystemProgram.transfer({
            fromPubkey: new PublicKey(wallet.walletAddress),
            toPubkey: new PublicKey(outsider),
            lamports: 1_000_000,
          }),
        ),
    ],
    [
      'another stake authority',
      (draft) => draft.instructions[1]!.data.set(new PublicKey(outsider).toBytes(), 4),
    ],
    [
      'another withdraw authority',
      (draft) => draft.instructions[1]!.data.set(new PublicKey(outsider).toBytes(), 36),
    ],
    ['a lockup', (draft) => void draft.instructions[1]!.data.writeBigInt64LE(4_000_000_000n, 68)],
    [
      'another vote account',
      (draft) => (draft.instructions[2]!.keys[1]!.pubkey = new PublicKey(shared().sandbox.otherVoteAccount)),
    ],
    ['no memo', (draft) => void draft.instructions.pop()],
    ['another memo', (draft) => (draft.instructions[3]!.data = Buffer.from('somebody else'))],
    [
      'another owner of the new account',
      (draft) => draft.instructions[0]!.data.set(new PublicKey(outsider).toBytes(), 20),
    ],
    ['an excessive priority fee', (draft) => addPriorityFee(draft, 1_000_000_000_000)],
    [
      'our instructions in another order',
      (draft) => void draft.instructions.unshift(draft.instructions.pop()!),
    ],
  ];
  for (const [name, edit] of edits) {
    test(name, async () => {
      const { sandbox } = shared();
      const wallet = await fundedWallet(sandbox, 20);
      const built = await build(wallet, 'bad');
      const signed = signedByEditingWallet(wallet, built.transaction, (draft) => edit(draft, wallet));
      const { status, body } = await refused(submit(signed, 'bad'));
      assert.equal(status, 400);
      assert.match(String(body.errorCode), /^(INVALID|FOREIGN)_TRANSACTION$/);
      if (body.errorCode === 'INVALID_TRANSACTION')
        assert.deepEqual(body.missingSigners, [built.stakeAccountAddress]);
      assert.deepEqual(await stakesOf(wallet), []);
      assert.equal(await balanceOf(sandbox, wallet.walletAddress), 20_000_000_000n);
    });
  }

  test('another key, another wallet with the same key, and a transaction without its fee payer’s signature', async () => {
    const { sandbox } = shared();
    const [wallet, other] = await Promise.all([fundedWallet(sandbox, 20), fundedWallet(sandbox, 20)]);
    const built = await build(wallet, 'mine');
    const signed = signedBy(wallet, built.transaction);
    const asOther = signedByEditingWallet(other, (await build(other, 'theirs')).transaction, () => {});
    const unsigned = built.transaction;
    for (const [transaction, key] of [
      [signed, 'not-mine'],
      [asOther, 'mine'],
      [unsigned, 'mine'],
    ]) {
      const { status, body } = await refused(submit(transaction, key));
      assert.deepEqual(
        [status, body.error, body.errorCode],
        [400, 'Invalid transaction', 'INVALID_TRANSACTION'],
      );
    }
    const byAnotherKey = await refused(submit(signed, 'not-mine'));
    assert.deepEqual(byAnotherKey.body.missingSigners, [built.stakeAccountAddress]);
    assert.deepEqual(byAnotherKey.body.invalidSigners, []);
    // The wallet, which pays the fee, signed something else, so the new account's signature is not added.
    const forged = Buffer.from(built.transaction, 'base64');
    forged.set(wallet.sign(Buffer.from('something else')), 1);
    const { body } = await refused(submit(forged.toString('base64'), 'mine'));
    assert.deepEqual(body.invalidSigners, [wallet.walletAddress]);
    assert.deepEqual(
      body.missingSigners,
      [built.stakeAccountAddress],
      'the new account did not sign for it either',
    );
    assert.deepEqual([await stakesOf(wallet), await stakesOf(other)], [[], []]);
    assert.ok((await submit(signed, 'mine')).signature, 'the correct signature is still accepted');
  });
});

test('only one of two transactions with the same key lands, even if the wallet changed them', async () => {
  const wallet = await fundedWallet(shared().sandbox, 20);
  const first = await build(wallet, 'twice');
  const newer = await newerBlockhash(first.blockhash);
  const plain = signedBy(wallet, (await build(wallet, 'twice')).transaction);
  const changed = signedByEditingWallet(wallet, first.transaction, (draft) => {
    addPriorityFee(draft);
    draft.recentBlockhash = newer;
  });
  const responses = await Promise.all([submit(plain, 'twice'), submit(changed, 'twice')]);
  assert.equal(
    responses[0].signature,
    responses[1].signature,
    'the second call shares the submission of the first',
  );
  assert.equal((await stakesOf(wallet)).length, 1);
});

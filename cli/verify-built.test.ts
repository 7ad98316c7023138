// Before signing: bytes that do exactly what was asked pass, whatever their memo; anything else, by as little as one lamport, does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ComputeBudgetProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { fromBase64, toBase64 } from '../src/chain/transactions/wire-base64.ts';
import {
  STAKE_ACCOUNT,
  STRANGER,
  signer,
  stakeBytes,
  unstakeBytes,
  VOTE_ACCOUNT,
  withdrawBytes,
} from '../test/support/honest-answers.ts';
import { NotAsAsked } from './not-signed.ts';
import { judgeBytes, verifyBuilt } from './verify-built.ts';
import type { Wish } from './wish.ts';

const { walletAddress } = signer;
const stakeAccountAddress = STAKE_ACCOUNT;
const stake: Wish = { kind: 'stake', walletAddress, amountSol: '2' };
const unstake: Wish = { kind: 'unstake', walletAddress, stakeAccountAddress };
const withdraw: Wish = { kind: 'withdraw', walletAddress, stakeAccountAddress, amountSol: '2' };
const withdrawAll: Wish = { kind: 'withdraw', walletAddress, stakeAccountAddress };

const verified = (transaction: string, wish: Wish, stakeAccount?: string) =>
  verifyBuilt(transaction, wish, { voteAccount: VOTE_ACCOUNT, stakeAccount });
/** The fields for which it is refused; `taken` where it is not. */
const wrong = (transaction: string, wish: Wish, stakeAccount?: string): string => {
  try {
    verified(transaction, wish, stakeAccount);
  } catch (error) {
    assert.ok(error instanceof NotAsAsked, String(error));
    return error.fields.flatMap(({ field, ok }) => (ok ? [] : [field])).join(' ');
  }
  return 'taken';
};
/** With one more instruction in front of the others. */
const priced = (transaction: string, microLamports: number): string => {
  const { message } = VersionedTransaction.deserialize(fromBase64(transaction));
  const draft = TransactionMessage.decompile(message);
  draft.instructions.unshift(ComputeBudgetProgram.setComputeUnitPrice({ microLamports }));
  return toBase64(new VersionedTransaction(draft.compileToV0Message()).serialize());
};

test('what was asked for passes, with any memo or a foreign one: it protects nobody', () => {
  for (const memo of ['stake.example', 'другой сервис', '漢字 😀', ' '])
    assert.equal(wrong(stakeBytes({ memo }), stake), 'taken', memo);
  assert.equal(wrong(unstakeBytes(), unstake), 'taken');
  assert.equal(wrong(withdrawBytes(), withdraw), 'taken');
  assert.equal(
    wrong(withdrawBytes({ lamports: 7n }), withdrawAll),
    'taken',
    'all of it is what the service knows',
  );
  assert.equal(wrong(stakeBytes(), stake, STAKE_ACCOUNT), 'taken');
});

test('one lamport more or less is another amount, also where a number could not tell', () => {
  for (const lamports of [1_999_999_999n, 2_000_000_001n]) {
    assert.equal(wrong(stakeBytes({ lamports }), stake), 'amount');
    assert.equal(wrong(withdrawBytes({ lamports }), withdraw), 'amount');
  }
  const huge: Wish = { kind: 'stake', walletAddress, amountSol: '8999999.000000001' };
  assert.equal(wrong(stakeBytes({ lamports: 8_999_999_000_000_001n }), huge), 'taken');
  assert.equal(wrong(stakeBytes({ lamports: 8_999_999_000_000_002n }), huge), 'amount');
});

test('another wallet, validator, stake account or recipient is refused by its field', () => {
  for (const [field, transaction, wish, pinned] of [
    ['validator', stakeBytes({ voteAccount: STRANGER }), stake],
    ['stakeAccount', stakeBytes(), stake, STRANGER],
    ['stakeAccount', unstakeBytes({ stakeAccount: STRANGER }), unstake],
    ['stakeAccount', withdrawBytes({ stakeAccount: STRANGER }), withdraw],
    ['recipient', withdrawBytes({ recipient: STRANGER }), withdrawAll],
  ] as const)
    assert.equal(wrong(transaction, wish, pinned), field);
  for (const [transaction, wish] of [
    [stakeBytes({ wallet: STRANGER }), stake],
    [unstakeBytes({ wallet: STRANGER }), unstake],
    [withdrawBytes({ wallet: STRANGER }), withdraw],
  ] as const)
    assert.match(wrong(transaction, wish), /^feePayer\b/);
});

test('an honest transaction of another kind is not what was asked', () => {
  const bytes = { stake: stakeBytes(), unstake: unstakeBytes(), withdraw: withdrawBytes() };
  for (const wish of [stake, unstake, withdraw, withdrawAll])
    for (const [kind, transaction] of Object.entries(bytes))
      assert.equal(wrong(transaction, wish) === 'taken', kind === wish.kind, `${kind} for ${wish.kind}`);
});

test('a priority fee that nobody asked for is refused before signing, though a wallet may add one for itself', () => {
  const transaction = priced(stakeBytes(), 1000);
  assert.equal(wrong(transaction, stake), 'priorityFee');
  const expected = { walletAddress, voteAccount: VOTE_ACCOUNT };
  assert.equal(judgeBytes(transaction, expected).ok, true);
  assert.equal(judgeBytes(transaction, { ...expected, maxPriorityFeeLamports: 0n }).ok, false);
});

test('what is no transaction is refused without a verdict', () => {
  const whole = stakeBytes();
  for (const text of ['', 'AAAA', 'не base64', whole.slice(0, -4), `${whole}AAAA`, `${whole} `])
    assert.throws(
      () => verified(text, stake),
      (error) => error instanceof NotAsAsked && error.fields.length === 0,
      text.slice(-8),
    );
});

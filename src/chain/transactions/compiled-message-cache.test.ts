// A message copied from a template is byte for byte the same as one compiled from the same inputs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { type BuiltTransaction, buildTransaction } from './transaction.ts';

const MEMO = 'stake.example';
const keyOf = (fill: (index: number) => number) =>
  encodeBase58(Uint8Array.from({ length: 32 }, (_, index) => fill(index) & 255)) as Address;
const [voteAccount, donationAddress] = [keyOf(() => 200), keyOf(() => 201)] as const;

let memos = 0;
/** Returns a memo of the same length that has no template yet, so that its message is compiled. */
const newMemo = (): string => (memos++).toString().padStart(MEMO.length, '0');

/** Builds a message twice: copied from the template, and compiled with the memo restored afterwards. */
const bothWays = (build: (memo: string) => BuiltTransaction) => {
  const memo = newMemo();
  const compiled = Buffer.from(build(memo).messageBytes);
  compiled.set(Buffer.from(MEMO), compiled.lastIndexOf(memo));
  return { copied: Buffer.from(build(MEMO).messageBytes), compiled };
};

// Only a few keys, so that addresses often coincide, in either order.
const address = fc.integer({ min: 1, max: 6 }).map((tag) => keyOf((index) => tag * 31 + index * tag));
const inputs = fc.record({
  wallet: address,
  stakeAccount: address,
  recipient: fc.option(address, { nil: undefined }),
  custodian: fc.option(address, { nil: undefined }),
  blockhash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => encodeBase58(bytes)),
  lamports: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
});

describe('templates', () => {
  test('produce the same bytes as compiling, even if addresses coincide and in any sort order', () => {
    fc.assert(
      fc.property(inputs, ({ recipient, custodian, lamports, ...who }) => {
        const input = { ...who, lamports };
        const named = {
          ...(recipient === undefined ? {} : { recipient }),
          ...(custodian === undefined ? {} : { custodian }),
        };
        for (const build of [
          (memo: string) => buildTransaction.stake({ ...input, voteAccount, memo }),
          (memo: string) => buildTransaction.unstake({ ...who, memo }),
          (memo: string) => buildTransaction.withdraw({ ...input, ...named, memo }),
          (memo: string) => buildTransaction.donate({ ...input, donationAddress, memo }),
        ]) {
          const { copied, compiled } = bothWays(build);
          assert.equal(copied.toString('hex'), compiled.toString('hex'));
        }
      }),
      { seed: 11, numRuns: 60 },
    );
  });

  test('are not used if an address is also a fixed address', () => {
    const input = { wallet: keyOf(() => 1), blockhash: keyOf(() => 9), lamports: 5n, voteAccount };
    for (const stakeAccount of [keyOf(() => 2), voteAccount]) {
      const { copied, compiled } = bothWays((memo) =>
        buildTransaction.stake({ ...input, stakeAccount, memo }),
      );
      assert.deepEqual(copied, compiled);
    }
    const toItself = bothWays((memo) =>
      buildTransaction.donate({ ...input, wallet: donationAddress, donationAddress, memo }),
    );
    assert.deepEqual(toItself.copied, toItself.compiled);
  });

  test('leave a fixed address intact even if it contains the bytes of a placeholder', () => {
    // The placeholders of the amount and of the blockhash, as in the template.
    const amount = [0x88, 0xf9, 0x6a, 0xdb, 0x4c, 0xbd, 0x2e, 0x9f];
    const holdsAmount = keyOf((index) => amount[index - 8] ?? 7);
    const isBlockhash = keyOf((index) => 5 * 41 + index * 59 + 131);
    for (const vote of [holdsAmount, isBlockhash]) {
      const built = buildTransaction.stake({
        wallet: keyOf(() => 1),
        stakeAccount: keyOf(() => 2),
        voteAccount: vote,
        blockhash: keyOf(() => 9),
        lamports: 77n,
        memo: MEMO,
      });
      const [create, , delegate] = built.instructions.map(({ data }) => data);
      assert.equal(delegate?.type === 'stake.delegateStake' && delegate.voteAccount, vote);
      assert.equal(create?.type === 'system.createAccount' && create.lamports, 77n);
    }
  });

  test('stay correct if more shapes are built than are cached', () => {
    const build = (memo: string) =>
      buildTransaction.unstake({
        wallet: keyOf(() => 1),
        stakeAccount: keyOf(() => 2),
        blockhash: keyOf(() => 9),
        memo,
      });
    for (let shapes = 0; shapes < 130; shapes += 1) {
      const memo = newMemo();
      assert.deepEqual(build(memo).instructions[1]?.data, { type: 'memo', text: memo });
    }
    const { copied, compiled } = bothWays(build);
    assert.deepEqual(copied, compiled);
  });
});

describe('transactions that cannot be built', () => {
  const input = { wallet: keyOf(() => 1), blockhash: keyOf(() => 9), lamports: 5n, memo: MEMO };

  test('a program in place of an account is named in the refusal, wherever it occurs', () => {
    const isRefused = (error: unknown) =>
      isAppError(error, 'VALIDATION_ERROR') &&
      /is a program/.test(JSON.stringify(error.details ?? error.message));
    const wallet = SYSTEM_PROGRAM;
    assert.throws(() => buildTransaction.donate({ ...input, wallet, donationAddress }), isRefused);
    for (const stakeAccount of [SYSTEM_PROGRAM, STAKE_PROGRAM])
      assert.throws(() => buildTransaction.stake({ ...input, stakeAccount, voteAccount }), isRefused);
  });

  test('any other error of the compiler is passed on', () => {
    const unbuildable = () =>
      buildTransaction.donate({ ...input, donationAddress: 'no address' as Address, memo: newMemo() });
    assert.throws(unbuildable, (error) => !isAppError(error));
  });
});

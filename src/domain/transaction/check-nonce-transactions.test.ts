// A transaction with a nonce lifetime passes only if that was requested and the wallet controls the nonce.
// The same applies to changes of a nonce account.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Address } from '@solana/kit';
import {
  type BuiltTransaction,
  buildNonceTransaction,
  buildTransaction,
  encodeWire,
  type NonceChange,
} from '../../chain/transactions/transaction.ts';
import { decodeWire } from '../../chain/transactions/wire-transaction.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { LIGHTHOUSE_PROGRAM } from '../instruction-programs.ts';
import type { InstructionFields } from '../instruction-types.ts';
import { decodeInstruction } from './instruction-decoder.ts';
import { type Expectations, type MessageFacts, recognizeTransaction } from './stake-verifier.ts';

const key = (tag: number): Address => encodeBase58(new Uint8Array(32).fill(tag)) as Address;
const wallet = key(11);
const voteAccount = key(13);
const nonce = key(17);
const other = key(18);
const expected: Expectations = { voteAccount, memo: 'example.org' };
const common = { wallet, memo: 'example.org', blockhash: key(16) };
const unitPrice = { microLamports: 1_000n, maxFeeLamports: 1_000_000n };
const built = {
  stake: buildTransaction.stake({
    ...common,
    stakeAccount: key(12),
    voteAccount,
    lamports: 5n,
    nonceAccount: nonce,
  }),
  unstake: buildTransaction.unstake({ ...common, stakeAccount: key(12), nonceAccount: nonce, unitPrice }),
  withdraw: buildTransaction.withdraw({
    ...common,
    stakeAccount: key(12),
    lamports: 6n,
    nonceAccount: nonce,
  }),
  rearrange: buildTransaction.rearrange({
    ...common,
    nonceAccount: nonce,
    operations: [
      { type: 'merge', account: key(12), from: key(14), authority: wallet },
      { type: 'merge', account: key(12), from: key(15), authority: wallet },
    ],
  }),
};
const codesOf = (message: MessageFacts, more: Partial<Expectations>): readonly string[] =>
  recognizeTransaction(message, { ...expected, ...more }).problems.map(({ code }) => code);

/** Returns the message with fields of instruction `index` changed. */
const changed = (message: MessageFacts, index: number, change: Record<string, unknown>): MessageFacts => ({
  feePayer: message.feePayer,
  requiredSigners: message.requiredSigners,
  instructions: message.instructions.map((one, at) =>
    at === index ? { ...one, data: { ...one.data, ...change } as InstructionFields } : one,
  ),
});

describe('a nonce lifetime', () => {
  for (const [kind, message] of Object.entries<BuiltTransaction>(built)) {
    test(`of ${kind} passes if it was requested, and is recognized in the same way from its bytes`, () => {
      const seen = recognizeTransaction(message, { ...expected, nonceAccount: nonce });
      assert.deepEqual(seen.problems, []);
      assert.deepEqual([seen.kind, seen.nonceAccount], [kind, nonce]);
      const wire = decodeWire(encodeWire(message));
      assert.deepEqual(wire.durableNonce, { nonceAccount: nonce });
      assert.deepEqual(recognizeTransaction(wire, { ...expected, nonceAccount: 'any' }), seen);
    });

    test(`of ${kind} is refused if none was requested, if it uses a different account, or if the account belongs to someone else`, () => {
      assert.deepEqual(codesOf(message, {}), ['NONCE_NOT_ASKED']);
      assert.deepEqual(codesOf(message, { nonceAccount: other }), ['OTHER_NONCE']);
      const foreign = changed(message, 0, { nonceAuthority: other });
      assert.ok(codesOf(foreign, { nonceAccount: 'any' }).includes('NONCE_OF_OTHER'));
    });

    test(`of ${kind} is refused if the nonce advance is missing or is not the first instruction`, () => {
      const { feePayer, requiredSigners } = message;
      const [advance, ...rest] = message.instructions;
      const without = { feePayer, requiredSigners, instructions: rest };
      assert.deepEqual(codesOf(without, { nonceAccount: nonce }), ['NONCE_MISSING']);
      const [account, ...others] = advance!.accounts;
      const readOnly = { ...advance!, accounts: [{ ...account!, writable: false }, ...others] };
      assert.ok(
        codesOf({ ...without, instructions: [readOnly, ...rest] }, { nonceAccount: 'any' }).length > 0,
      );
      const last = { ...without, instructions: [...rest, advance!] };
      assert.ok(codesOf(last, { nonceAccount: 'any' }).length > 0);
      const guard = decodeInstruction({
        programId: LIGHTHOUSE_PROGRAM,
        accounts: [],
        data: Uint8Array.of(5),
      });
      const guarded = { ...without, instructions: [guard, advance!, ...rest] };
      assert.ok(codesOf(guarded, { nonceAccount: 'any', allowWalletGuards: true }).length > 0);
      assert.deepEqual(
        codesOf(
          { ...without, instructions: [advance!, ...rest, guard] },
          { nonceAccount: 'any', allowWalletGuards: true },
        ),
        [],
      );
    });
  }
});

describe('a change of a nonce account', () => {
  const change = (one: NonceChange) => buildNonceTransaction(common, nonce, one);
  const changes = {
    create: change({ type: 'create', seed: 'holdfast-nonce-0', lamports: 1_056_640n }),
    advance: change({ type: 'advance' }),
    close: change({ type: 'close', lamports: 1_056_640n }),
  };
  for (const [name, message] of Object.entries(changes))
    test(`${name} passes, and is never mistaken for a nonce lifetime`, () => {
      const wire = decodeWire(encodeWire(message));
      const seen = recognizeTransaction(wire, expected);
      assert.deepEqual([seen.problems, seen.kind], [[], 'nonce']);
      assert.equal(wire.durableNonce, null);
      assert.deepEqual(wire.requiredSigners, [wallet]);
    });

  const refusals: readonly (readonly [
    string,
    keyof typeof changes,
    number,
    Record<string, unknown>,
    string,
  ])[] = [
    ['funded by another wallet', 'create', 1, { from: other }, 'FUNDED_BY_OTHER'],
    [
      'derived from another wallet',
      'create',
      1,
      { derivedFrom: { base: other, seed: 'holdfast-nonce-0' } },
      'NONCE_OF_OTHER',
    ],
    ['with a key of its own', 'create', 1, { derivedFrom: undefined }, 'NONCE_OF_OTHER'],
    ['of another program', 'create', 1, { owner: other }, 'NOT_A_NONCE_ACCOUNT'],
    ['of another size', 'create', 1, { space: 81n }, 'NOT_A_NONCE_ACCOUNT'],
    ['with more than the rent', 'create', 1, { lamports: 1_000_000_000n }, 'NONCE_RENT_TOO_HIGH'],
    ['for another authority', 'create', 2, { authority: other }, 'NONCE_OF_OTHER'],
    ['that initializes another account', 'create', 2, { nonceAccount: other }, 'NONCE_OF_OTHER'],
    ['of a foreign nonce', 'advance', 1, { nonceAuthority: other }, 'NONCE_OF_OTHER'],
    ['to another recipient', 'close', 1, { recipient: other }, 'OTHER_RECIPIENT'],
    ['by another authority', 'close', 1, { nonceAuthority: other }, 'NONCE_OF_OTHER'],
  ];
  for (const [words, name, index, fields, code] of refusals)
    test(`${name} ${words} is refused`, () => {
      assert.ok(codesOf(changed(changes[name], index, fields), {}).includes(code));
    });

  test('a combination of several changes is not recognized', () => {
    const { create, close } = changes;
    const joined = {
      feePayer: wallet,
      requiredSigners: [wallet],
      instructions: [...create.instructions, close.instructions[1]!],
    };
    assert.ok(codesOf(joined, {}).includes('KIND_UNKNOWN'));
  });
});

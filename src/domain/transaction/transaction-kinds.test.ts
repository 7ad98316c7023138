// Every kind of transaction is described by its record, and what is built of it is what the record says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { type BuiltTransaction, buildTransaction } from '../../chain/transactions/transaction.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import {
  fieldOfCheck,
  kindOf,
  kindRecord,
  kinds,
  movingKinds,
  programsOf,
  type TransactionKind,
  transactionKinds,
  usesStakeProgram,
  VERDICT_FIELDS,
} from './transaction-kinds.ts';

const address = (tag: number): Address => encodeBase58(new Uint8Array(32).fill(tag)) as Address;
const common = { wallet: address(1), memo: 'example.org', blockhash: address(9) };
const stakeAccount = address(2);
const voteAccount = address(3);
const donationAddress = address(4);
const expected = { voteAccount, donationAddress, memo: common.memo };

const built: Readonly<Record<TransactionKind, BuiltTransaction>> = {
  stake: buildTransaction.stake({ ...common, stakeAccount, voteAccount, lamports: 5n }),
  unstake: buildTransaction.unstake({ ...common, stakeAccount }),
  withdraw: buildTransaction.withdraw({ ...common, stakeAccount, lamports: 5n }),
  restake: buildTransaction.restake({ ...common, stakeAccount, voteAccount }),
  donate: buildTransaction.donate({ ...common, donationAddress, lamports: 5n }),
};

for (const kind of transactionKinds)
  test(`a built ${kind} has the instructions and programs of its record, and is recognised by it`, () => {
    const { instructions } = built[kind];
    const fields = instructions.map(({ data }) => data);
    assert.deepEqual(
      fields.map(({ type }) => type),
      kinds[kind].layout,
    );
    assert.deepEqual(
      instructions.map(({ programId }) => programId),
      programsOf(kind),
    );
    assert.equal(kindOf(fields, expected), kind);
    const found = kindRecord(kind).check({
      ...{ fields, wallet: common.wallet, expected },
      demand: (holds, check) => assert.ok(holds, check),
    });
    assert.equal(found.lamports !== undefined, kinds[kind].moves !== null);
    assert.doesNotMatch(kindRecord(kind).verdict(found), /undefined|unknown/);
  });

test('what is none of the kinds is recognised as something else', () => {
  assert.equal(kindOf([], expected), 'other');
  const [transfer] = built.donate.instructions;
  assert.equal(kindOf([transfer!.data], { voteAccount, memo: '' }), 'other');
});

test('only a donation runs without the Stake program, and what changes a delegation moves nothing', () => {
  assert.deepEqual(
    transactionKinds.filter((kind) => !usesStakeProgram(kind)),
    ['donate'],
  );
  assert.deepEqual(movingKinds, ['stake', 'withdraw', 'donate']);
});

test('every field of a verdict belongs to some kind or to every transaction, and every check has one', () => {
  const shown = new Set<string>(transactionKinds.flatMap((kind) => [...kinds[kind].fields]));
  for (const field of ['feePayer', 'instructions', 'signers', 'memo', 'priorityFee']) shown.add(field);
  assert.deepEqual([...shown].sort(), [...VERDICT_FIELDS].sort());
  for (const field of Object.values(fieldOfCheck)) assert.ok(VERDICT_FIELDS.includes(field));
});

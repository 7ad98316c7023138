// The record of every kind describes the transactions of that kind, and built transactions match it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { type BuiltTransaction, buildTransaction } from '../../chain/transactions/transaction.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { textOf } from '../../kernel/sentence.ts';
import type { MachineOperation } from '../machine/stake-machine-state.ts';
import { NO_LOCKUP } from '../stake/stake-account.ts';
import { kindOf, programsOf, usesStakeProgram } from './kind-properties.ts';
import {
  kindRecord,
  kinds,
  movingKinds,
  type TransactionKind,
  transactionKinds,
} from './transaction-kinds.ts';
import { CHECKED_FIELDS, fieldOfCheck } from './verifier-problems.ts';

const address = (tag: number): Address => encodeBase58(new Uint8Array(32).fill(tag)) as Address;
const common = { wallet: address(1), memo: 'example.org', blockhash: address(9) };
const stakeAccount = address(2);
const voteAccount = address(3);
const donationAddress = address(4);
const expected = { voteAccount, donationAddress, memo: common.memo };

const [authority, payer] = [common.wallet, common.wallet];
const [newStake, child] = [address(5), address(6)];
const lamports = 5n;
/** One of each operation that the wallet may request, in the order of the record's layout where possible. */
const everyOperation: readonly MachineOperation[] = [
  { type: 'create', account: newStake, payer, lamports },
  { type: 'transfer', from: payer, to: stakeAccount, lamports },
  {
    type: 'initialize',
    account: newStake,
    stakeAuthority: authority,
    withdrawAuthority: authority,
    lockup: NO_LOCKUP,
  },
  { type: 'delegate', account: newStake, voteAccount, authority },
  { type: 'deactivate', account: stakeAccount, authority },
  { type: 'create', account: child, payer, lamports },
  { type: 'split', account: stakeAccount, into: child, lamports, authority },
  { type: 'merge', account: stakeAccount, from: address(7), authority },
  { type: 'moveStake', account: stakeAccount, into: address(8), lamports, authority },
  { type: 'moveLamports', account: stakeAccount, into: address(8), lamports, authority },
  { type: 'withdraw', account: stakeAccount, to: authority, lamports, authority },
  { type: 'authorize', account: stakeAccount, role: 'staker', authority, newAuthority: authority },
];

const built: Readonly<Record<TransactionKind, BuiltTransaction>> = {
  stake: buildTransaction.stake({ ...common, stakeAccount, voteAccount, lamports: 5n }),
  unstake: buildTransaction.unstake({ ...common, stakeAccount }),
  withdraw: buildTransaction.withdraw({ ...common, stakeAccount, lamports: 5n }),
  restake: buildTransaction.restake({ ...common, stakeAccount, voteAccount }),
  donate: buildTransaction.donate({ ...common, donationAddress, lamports: 5n }),
  rearrange: buildTransaction.rearrange({ ...common, operations: everyOperation }),
};

for (const kind of transactionKinds)
  test(`a built ${kind} has the instructions and programs of its record, and its record recognizes it`, () => {
    const { instructions } = built[kind];
    const fields = instructions.map(({ data }) => data);
    const types = fields.map(({ type }) => type as string);
    const programs = instructions.map(({ programId }) => programId);
    if ('isFree' in kinds[kind]) {
      assert.deepEqual(new Set(types), new Set(kinds[kind].layout));
      assert.deepEqual(new Set(programs), new Set(programsOf(kind)));
    } else {
      assert.deepEqual(types, kinds[kind].layout);
      assert.deepEqual(programs, programsOf(kind));
    }
    assert.equal(kindOf(fields, expected), kind);
    const found = kindRecord(kind).check({
      fields,
      wallet: common.wallet,
      expected,
      demand: (holds, code) => assert.ok(holds, code),
    });
    assert.equal(found.lamports !== undefined, kinds[kind].moves !== null);
    assert.doesNotMatch(textOf(kindRecord(kind).resultSentences(found)), /undefined|[{}]/);
  });

test('every address that must be the wallet’s is checked, whether payer, authority or recipient', () => {
  const outsider = address(99);
  let places = 0;
  for (const kind of transactionKinds) {
    const fields = built[kind].instructions.map(({ data }) => data);
    for (const [at, data] of fields.entries())
      for (const [member, value] of Object.entries(data)) {
        if (value !== common.wallet) continue;
        places += 1;
        const refused: string[] = [];
        kindRecord(kind).check({
          fields: fields.with(at, { ...data, [member]: outsider } as typeof data),
          wallet: common.wallet,
          expected,
          demand: (holds, check) => void (holds || refused.push(check)),
        });
        assert.ok(refused.length > 0, `${kind}: ${data.type} with another ${member}`);
      }
  }
  assert.ok(places >= 24, `${places} places`);
});

test('a transaction of no known kind is reported as unknown', () => {
  assert.equal(kindOf([], expected), 'other');
  const [transfer] = built.donate.instructions;
  assert.equal(kindOf([transfer!.data], { voteAccount, memo: '' }), 'other');
});

test('only a donation works without the Stake program, and changing a delegation moves no lamports', () => {
  assert.deepEqual(
    transactionKinds.filter((kind) => !usesStakeProgram(kind)),
    ['donate'],
  );
  assert.deepEqual(movingKinds, ['stake', 'withdraw', 'donate']);
});

test('every checked field belongs to a kind or applies to all transactions, and every check maps to one of those fields', () => {
  const shown = new Set<string>(transactionKinds.flatMap((kind) => [...kinds[kind].fields]));
  for (const field of ['feePayer', 'instructions', 'signers', 'memo', 'priorityFee']) shown.add(field);
  assert.deepEqual([...shown].sort(), [...CHECKED_FIELDS].sort());
  for (const field of Object.values(fieldOfCheck)) assert.ok(CHECKED_FIELDS.includes(field));
});

// Tests that every failed check of the verifier appears in the field where a reader expects it, and in no other
// field.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Address } from '@solana/kit';
import { buildTransaction } from '../../chain/transactions/transaction.ts';
import type { InstructionFields } from '../../domain/instruction-types.ts';
import {
  type Expectations,
  type MessageFacts,
  recognizeTransaction,
} from '../../domain/transaction/stake-verifier.ts';
import { CHECKED_FIELDS } from '../../domain/transaction/verifier-problems.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { checkFields } from './compare-effect-fields.ts';

const key = (tag: number): Address => encodeBase58(new Uint8Array(32).fill(tag)) as Address;
const wallet = key(11);
const stakeAccount = key(12);
const voteAccount = key(13);
const donationAddress = key(14);
const outsider = key(15);
const expected = { voteAccount, donationAddress, memo: 'example.org', wallet };
const common = { wallet, memo: 'example.org', blockhash: key(16) };
const built = {
  stake: buildTransaction.stake({ ...common, stakeAccount, voteAccount, lamports: 5_000_000_000n }),
  unstake: buildTransaction.unstake({ ...common, stakeAccount }),
  withdraw: buildTransaction.withdraw({ ...common, stakeAccount, lamports: 6n }),
  donate: buildTransaction.donate({ ...common, donationAddress, lamports: 7n }),
} satisfies Record<string, MessageFacts>;
type Kind = keyof typeof built;

const results = (message: MessageFacts, wanted: Expectations = expected) => {
  const seen = recognizeTransaction(message, wanted);
  const fields = checkFields(message, seen, wanted);
  for (const { field, ok, expected: right, found } of fields)
    if (ok && right !== null && found !== null) assert.equal(found, right, `${field} is reported as correct`);
  assert.equal(
    fields.every(({ ok }) => ok),
    seen.ok,
  );
  assert.equal(
    fields
      .map(({ problem }) => problem ?? '')
      .filter(Boolean)
      .join(' ').length > 0,
    !seen.ok,
  );
  return fields;
};

const wrong = (message: MessageFacts, wanted?: Expectations): readonly string[] =>
  results(message, wanted)
    .filter(({ ok }) => !ok)
    .map(({ field }) => field);

const tampered = (
  kind: Kind,
  type: InstructionFields['type'],
  change: Record<string, unknown>,
): MessageFacts => ({
  feePayer: built[kind].feePayer,
  requiredSigners: built[kind].requiredSigners,
  instructions: built[kind].instructions.map((instruction) =>
    instruction.data.type === type
      ? { ...instruction, data: { ...instruction.data, ...change } as InstructionFields }
      : instruction,
  ),
});

describe('our own transactions', () => {
  test('each kind of transaction shows its own fields, all correct, with expected and found values', () => {
    const shown = (kind: Kind) => results(built[kind]).map(({ field }) => field);
    assert.deepEqual(
      shown('stake'),
      CHECKED_FIELDS.filter((field) => field !== 'recipient'),
    );
    assert.deepEqual(shown('unstake'), [
      'feePayer',
      'instructions',
      'signers',
      'stakeAccount',
      'stakeAuthority',
      'memo',
      'priorityFee',
    ]);
    assert.deepEqual(shown('withdraw'), [
      'feePayer',
      'instructions',
      'signers',
      'stakeAccount',
      'withdrawAuthority',
      'recipient',
      'amount',
      'memo',
      'priorityFee',
    ]);
    assert.deepEqual(shown('donate'), [
      'feePayer',
      'instructions',
      'signers',
      'fundedBy',
      'recipient',
      'amount',
      'memo',
      'priorityFee',
    ]);
  });

  test('a stake shows its validator, both authorities, no lockup, its amount in SOL and its payer', () => {
    const values = Object.fromEntries(
      results(built.stake).map(({ field, expected: wanted, found }) => [field, [wanted, found]]),
    );
    assert.deepEqual(values, {
      feePayer: [wallet, wallet],
      instructions: [null, 'System.createAccount, Stake.initialize, Stake.delegateStake, Memo.addMemo'],
      signers: [null, `${wallet}, ${stakeAccount}`],
      stakeAccount: [null, stakeAccount],
      stakeAuthority: [wallet, wallet],
      withdrawAuthority: [wallet, wallet],
      lockup: ['none', 'none'],
      validator: [voteAccount, voteAccount],
      fundedBy: [wallet, wallet],
      amount: [null, '5 SOL'],
      memo: ['example.org', 'example.org'],
      priorityFee: [null, null],
    });
  });

  test('a stake for another stake authority shows that authority alone, because the wallet cannot unstake afterwards', () => {
    const stake = buildTransaction.stake({
      ...common,
      stakeAccount,
      voteAccount,
      lamports: 5_000_000_000n,
      stakeAuthority: outsider,
    });
    const field = results(stake, { ...expected, stakeAuthority: outsider }).find(
      (one) => one.field === 'stakeAuthority',
    );
    assert.deepEqual([field?.ok, field?.expected, field?.found], [true, outsider, outsider]);
  });

  test('the expected amount and account are compared with the bytes', () => {
    assert.deepEqual(wrong(built.stake, { ...expected, lamports: 5_000_000_000n, stakeAccount }), []);
    assert.deepEqual(wrong(built.stake, { ...expected, lamports: 5_000_000_001n }), ['amount']);
    assert.deepEqual(wrong(built.stake, { ...expected, stakeAccount: outsider }), ['stakeAccount']);
    assert.deepEqual(wrong(built.unstake, { ...expected, stakeAccount: outsider }), ['stakeAccount']);
    assert.deepEqual(wrong(built.withdraw, { ...expected, recipient: outsider }), ['recipient']);
  });
});

describe('one changed value', () => {
  const cases: readonly [
    string,
    Kind,
    InstructionFields['type'],
    Record<string, unknown>,
    readonly string[],
  ][] = [
    ['another validator', 'stake', 'stake.delegateStake', { voteAccount: outsider }, ['validator']],
    ['another stake authority', 'stake', 'stake.initialize', { staker: outsider }, ['stakeAuthority']],
    [
      'another withdraw authority',
      'stake',
      'stake.initialize',
      { withdrawer: outsider },
      ['withdrawAuthority'],
    ],
    [
      'a lockup',
      'stake',
      'stake.initialize',
      { lockup: { unixTimestamp: 1n, epoch: 0n, custodian: outsider } },
      ['lockup'],
    ],
    ['another payer', 'stake', 'system.createAccount', { from: outsider }, ['fundedBy']],
    ['another owner', 'stake', 'system.createAccount', { owner: outsider }, ['stakeAccount']],
    ['another memo', 'stake', 'memo', { text: 'example.com' }, ['memo']],
    ['another authority', 'unstake', 'stake.deactivate', { stakeAuthority: outsider }, ['stakeAuthority']],
    ['another recipient', 'withdraw', 'stake.withdraw', { recipient: outsider }, ['recipient']],
    [
      'another authority',
      'withdraw',
      'stake.withdraw',
      { withdrawAuthority: outsider },
      ['withdrawAuthority'],
    ],
    ['another donor', 'donate', 'system.transfer', { from: outsider }, ['fundedBy']],
  ];
  for (const [what, kind, type, change, fields] of cases)
    test(`${what} of a ${kind} is reported in ${fields.join(' and ')} with the value found`, () => {
      const message = tampered(kind, type, change);
      assert.deepEqual(wrong(message), fields);
      const [bad] = results(message).filter(({ ok }) => !ok);
      if (fields[0] !== 'stakeAccount') assert.notEqual(bad?.found, bad?.expected);
      assert.ok(bad?.problem);
    });

  test('a wallet other than the fee payer is reported only in the fee payer field', () => {
    assert.deepEqual(wrong(built.unstake, { ...expected, wallet: outsider }), ['feePayer']);
  });

  test('an extra, missing or misplaced instruction is reported in the instructions field', () => {
    const { feePayer, requiredSigners, instructions } = built.withdraw;
    const arranged = (list: MessageFacts['instructions']) =>
      wrong({ feePayer, requiredSigners, instructions: list });
    assert.deepEqual(arranged([...instructions, built.donate.instructions[0]!]), ['instructions']);
    assert.deepEqual(arranged([...instructions, instructions[1]!]), ['instructions']);
    assert.deepEqual(arranged(instructions.toReversed()), ['instructions']);
    assert.deepEqual(arranged(instructions.slice(0, 1)), ['instructions', 'memo']);
  });

  test('an extra signer, accounts from lookup tables and an excessive priority fee are reported in their fields', () => {
    const { feePayer, instructions } = built.unstake;
    const facts = { feePayer, instructions, requiredSigners: built.unstake.requiredSigners };
    assert.deepEqual(wrong({ ...facts, requiredSigners: [wallet, outsider] }), ['signers']);
    assert.deepEqual(wrong({ ...facts, hasLookups: true }), ['instructions']);
    const limits = { computeUnitLimit: 50_000, loadedAccountsDataBytes: 400_000, heapBytes: 32_768 };
    assert.deepEqual(wrong({ ...facts, headerBudget: { ...limits, priorityFeeLamports: 10_000_001n } }), [
      'priorityFee',
    ]);
  });

  test('a foreign transaction reports no field as correct that it does not contain', () => {
    const { feePayer, requiredSigners } = built.donate;
    const shown = results({ feePayer, requiredSigners, instructions: [built.donate.instructions[1]!] });
    assert.deepEqual(
      shown.map(({ field, ok }) => [field, ok]),
      [
        ['feePayer', true],
        ['instructions', false],
        ['signers', true],
        ['memo', true],
        ['priorityFee', true],
      ],
    );
  });
});

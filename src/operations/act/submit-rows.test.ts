// The rows are copies of what 0.1.0 wrote.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenBySubmit } from './submit-rows.ts';

const submitAnswer =
  '{"signature":"s","explorerUrl":"u","message":"Withdrawal confirmed.","stakeAccountAddress":"a"}';
const withdrawAnswer =
  '{"signature":"s","explorerUrl":"u","amountSol":0.1,"message":"Withdrew 0.1 SOL from a to w."}';

for (const [row, bySubmit] of [
  [{ operation: 'stake', parameters: '{"amountLamports":"2"}', answer: null }, false],
  [
    { operation: 'stake', parameters: '{"stakeAccountAddress":"a","amountLamports":"2"}', answer: null },
    true,
  ],
  [{ operation: 'unstake', parameters: '{"stakeAccountAddress":"a"}', answer: null }, false],
  [
    { operation: 'unstake', parameters: '{"stakeAccountAddress":"a","amountLamports":null}', answer: null },
    true,
  ],
  [
    { operation: 'withdraw', parameters: '{"stakeAccountAddress":"a","amountLamports":"2"}', answer: null },
    false,
  ],
  [
    {
      operation: 'withdraw',
      parameters: '{"stakeAccountAddress":"a","amountLamports":"2"}',
      answer: withdrawAnswer,
    },
    false,
  ],
  [
    {
      operation: 'withdraw',
      parameters: '{"stakeAccountAddress":"a","amountLamports":"2"}',
      answer: submitAnswer,
    },
    true,
  ],
  [
    { operation: 'donate', parameters: '{"stakeAccountAddress":null,"amountLamports":"2"}', answer: null },
    true,
  ],
  [{ operation: 'other', parameters: '{"messageSha256":"00"}', answer: null }, true],
] as const) {
  test(`${bySubmit ? 'submit' : 'the one-shot call'} wrote ${row.operation} ${row.parameters} ${row.answer === null ? 'without an answer' : row.answer}`, () => {
    assert.equal(writtenBySubmit(row), bySubmit);
  });
}

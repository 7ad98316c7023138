// The text after a confirmed transaction: the received amount first.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TransactionRecord } from '../../../../client/staking/pending-transaction.ts';
import { doneTitle } from './done-words.ts';

const record = (more: object): TransactionRecord => more as TransactionRecord;

it('names the received amount, as requested or as read from the bytes', () => {
  assert.equal(doneTitle(record({ kind: 'stake', amountLamports: '5000000000' }), null), '5 SOL staked');
  const built = { built: {}, verdict: { recognised: { lamports: 8_996_667_520n } } };
  assert.equal(doneTitle(record({ kind: 'withdraw' }), built as never), '8.99666752 SOL is in your wallet');
  assert.equal(doneTitle(record({ kind: 'withdraw' }), null), 'The SOL is in your wallet');
});

it('an undo is not a restake, and the last part of several names no amount', () => {
  const undo = { kind: 'rearrange', change: { goal: 'undo' } };
  assert.equal(doneTitle(record(undo), null), 'Unstake cancelled');
  const last = {
    kind: 'rearrange',
    change: { goal: 'unstake' },
    amountLamports: '1',
    part: { index: 2, of: 2 },
  };
  assert.equal(doneTitle(record(last), null), 'Unstaked');
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { errorCodes } from '../../src/kernel/error-codes.ts';
import { ERROR_REASONS_FILE, errorReasonsOf, errorReasonsText } from './error-reasons.ts';

const root = join(import.meta.dirname, '../..');

test('the list of error reasons is that of the code', () => {
  const written = readFileSync(join(root, ERROR_REASONS_FILE), 'utf8');
  assert.equal(written, errorReasonsText(root), 'run: npm run -s client:generate');
});

test('the list has every code, reasons of every form in which the code writes them, and their params', () => {
  const reasons = errorReasonsOf(root);
  assert.deepEqual(Object.keys(reasons), Object.keys(errorCodes));
  const of = (code: string, reason: string) => reasons[code]?.[reason]?.split(' ').toSorted();
  // A literal, a choice, a function's result, an argument of a helper, tables, and texts that are joined.
  assert.deepEqual(of('BELOW_MINIMUM_STAKE', 'SIMULATION'), ['amountSol', 'minimumStakeSol']);
  assert.deepEqual(of('NOT_A_STAKE_ACCOUNT', 'NO_ACCOUNT'), ['address']);
  assert.ok(of('STAKE_NOT_WITHDRAWABLE', 'STAKED_BY_OTHER')?.includes('stakeAuthority'));
  assert.deepEqual(of('NONCE_UNUSABLE', 'OTHER_AUTHORITY'), ['nonce', 'walletAddress']);
  assert.deepEqual(of('SUBMISSION_FAILED', 'TRANSACTION_REFUSED'), ['chainReason']);
  assert.deepEqual(of('INSUFFICIENT_BALANCE', 'FEES_AND_RENT'), ['shortfallSol']);
  assert.deepEqual(of('WEBHOOK_LIMIT', 'OF_HOST'), ['limit']);
  assert.deepEqual(of('NOTHING_TO_DO', 'TIDY_YET'), ['epoch']);
  assert.ok(of('RATE_LIMITED', 'SUBMISSIONS_OF_PAYER'));
});

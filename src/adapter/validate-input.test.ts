// The error for a missing field suggests the misspelt name that was sent, and the error for a missing key
// suggests the unsigned transaction.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { guidanceText } from '../../test/support/guidance-text.ts';
import { AppError } from '../kernel/app-error.ts';
import { createStakeTransaction } from '../operations/stake/create-stake-transaction.ts';
import { stake } from '../operations/stake/stake.ts';
import { unstake } from '../operations/stake/unstake.ts';
import { validateInput } from './validate-input.ts';

const walletAddress = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';

const refusal = (operation: Parameters<typeof validateInput>[0], given: object, sent?: readonly string[]) => {
  try {
    validateInput(operation, { ...given }, [], sent);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  return assert.fail('it was accepted');
};
const messageOf = (...given: Parameters<typeof refusal>) => refusal(...given).message;

it('the error for a missing field suggests the field that was sent instead', () => {
  for (const name of ['amount', 'sol', 'amount_sol', 'AmountSol', 'amuntSol', 'amountLamports'])
    assert.equal(
      messageOf(createStakeTransaction, { walletAddress, [name]: 5 }),
      `amountSol: is required (you sent ${name})`,
    );
  assert.equal(
    messageOf(createStakeTransaction, { wallet: walletAddress, amount: 5 }),
    'amountSol: is required (you sent amount); walletAddress: is required (you sent wallet)',
  );
});

it('if one of several fields is required, the error suggests the likely one', () => {
  const { message } = refusal(unstake, { walletAddress, amount: 1, secretKey: 1 });
  assert.match(message, /^amountSol: is required \(you sent amount\)/);
});

it('names that are unrelated, already known or possibly secret are not repeated', () => {
  const plain = 'amountSol: is required unless from is given';
  assert.equal(messageOf(createStakeTransaction, { walletAddress, colour: 5 }), plain);
  assert.equal(messageOf(createStakeTransaction, { walletAddress, transactionVersion: 0 }), plain);
  assert.equal(messageOf(createStakeTransaction, { walletAddress, [`amount${'x'.repeat(40)}`]: 5 }), plain);
  assert.equal(messageOf(createStakeTransaction, { walletAddress, amount5: 5 }), plain);
});

it('the error for a missing key suggests an operation that needs none', () => {
  const { message, suggestedAction } = refusal(stake, { walletAddress, amountSol: 5 });
  assert.equal(message, 'secretKey: was not given');
  assert.match(
    guidanceText(suggestedAction),
    /Never ask a person for a secret key\. createStakeTransaction does the same/,
  );
});

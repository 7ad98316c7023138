// Tests that a wallet asks its user for amounts that the service accepts, and explains when an empty amount
// means everything.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_AMOUNT_SOL } from '../../domain/lamports.ts';
import { actions, findAction } from '../routes/transaction-builders.ts';
import { addressParameter, amountParameter, amountRange } from './action-parameters.ts';

const action = (name: string) => findAction(name)!;

it('the amount range equals that of the operation’s schema at both ends', () => {
  assert.deepEqual(amountRange(action('donate')), { minSol: 0.001, maxSol: 1000 });
  assert.equal(amountRange(action('stake')).maxSol, MAX_AMOUNT_SOL);
  assert.equal(amountRange(action('withdraw')).minSol, 1e-9);
  for (const { name, operation } of actions.filter(({ members }) => members.includes('amountSol'))) {
    const { minSol, maxSol } = amountRange(action(name));
    const takes = (amountSol: number) => operation.input.shape.amountSol.safeParse(amountSol).success;
    assert.deepEqual([takes(minSol), takes(maxSol), takes(maxSol + 1)], [true, true, false], name);
  }
});

it('an amount is required unless an empty one means everything', () => {
  const stake = amountParameter(action('stake'), 1.5);
  assert.deepEqual(stake, {
    type: 'number',
    name: 'amountSol',
    label: 'Amount in SOL, at least 1.5',
    required: true,
    min: 1.5,
    max: MAX_AMOUNT_SOL,
  });
  const withdraw = amountParameter(action('withdraw'), 1e-9);
  assert.deepEqual(
    [withdraw.required, withdraw.label],
    [false, 'Amount in SOL; empty to close an inactive account'],
  );
  const partly = amountParameter(action('withdraw'), 1e-9, 0.5);
  assert.deepEqual([partly.required, partly.max], [true, 0.5]);
});

it('the pattern for a typed address accepts exactly the base58 alphabet', () => {
  const { required, pattern } = addressParameter() as { required: boolean; pattern: string };
  assert.equal(required, true);
  const fits = (text: string) => new RegExp(pattern).test(text);
  assert.ok(fits('7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2') && fits('1'.repeat(32)));
  for (const text of [
    '1'.repeat(31),
    '1'.repeat(45),
    `${'1'.repeat(31)}0`,
    `${'1'.repeat(31)}l`,
    ` ${'1'.repeat(32)}`,
    '',
  ])
    assert.ok(!fits(text), text);
});

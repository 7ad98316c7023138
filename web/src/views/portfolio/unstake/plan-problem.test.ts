// Tests that an amount that cannot be unstaked gets a reason and possible amounts.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { planProblem } from './plan-problem.ts';

const refused = (errorCode: string, near: object = {}, params?: { readonly excludedSol: string }) =>
  planProblem({
    asked: { amountSol: 5, isReachable: false, nearestBelowSol: null, nearestAboveSol: null, ...near },
    refusal: {
      errorCode,
      message: 'In the words of the service.',
      suggestedAction: null,
      ...(params && { params }),
    },
  })!;

it('for an amount between two possible ones, both possible amounts are offered', () => {
  const { text, nearby } = refused('AMOUNT_NOT_REACHABLE', { nearestBelowSol: 4.99, nearestAboveSol: 6 });
  assert.match(text, /at least 1 SOL/);
  assert.deepEqual(nearby, [4_990_000_000n, 6_000_000_000n]);
});

it('for an amount that is too large, the largest possible amount is offered', () => {
  const { text, nearby } = refused('AMOUNT_NOT_REACHABLE', { nearestBelowSol: 14, nearestAboveSol: null });
  assert.match(text, /more than you have staked/);
  assert.deepEqual(nearby, [14_000_000_000n]);
  assert.deepEqual(refused('AMOUNT_NOT_REACHABLE', { nearestBelowSol: 0, nearestAboveSol: 1 }).nearby, [
    1_000_000_000n,
  ]);
});

it('other reasons are shown in the service’s words', () => {
  assert.equal(refused('INSUFFICIENT_BALANCE').text, 'In the words of the service.');
});

it('stake that another address controls is named instead of being counted as not staked', () => {
  const near = { nearestBelowSol: 1.5, nearestAboveSol: null };
  const { text, nearby } = refused('AMOUNT_NOT_REACHABLE', near, { excludedSol: '3' });
  assert.equal(text, 'In the words of the service.');
  assert.deepEqual(nearby, [1_500_000_000n]);
});

it('the amount itself is not offered as its own alternative', () => {
  assert.deepEqual(refused('INSUFFICIENT_BALANCE', { nearestBelowSol: 5, nearestAboveSol: 5 }).nearby, []);
});

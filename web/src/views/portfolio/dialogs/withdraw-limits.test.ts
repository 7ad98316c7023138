// Tests the allowed withdrawals: the whole account or a part of it, to the lamport, with the reason for a
// refusal.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPart, withdrawLimits } from './withdraw-limits.ts';

const cooled = withdrawLimits({
  lamports: 12_532_755_401,
  withdrawReady: true,
  partialWithdrawMaxSol: 12.531089161,
  rentReserveSol: 0.00166624,
});
const active = withdrawLimits({
  lamports: 30_078_619_086,
  withdrawReady: false,
  partialWithdrawMaxSol: 0.004204227,
  rentReserveSol: 0.00166624,
});

describe('a part of an inactive account', () => {
  it('is any amount that leaves the rent-exempt minimum, to the lamport', () => {
    assert.deepEqual(readPart('12.531089161', cooled), { lamports: 12_531_089_161n, problem: null });
    assert.deepEqual(readPart('.5', cooled), { lamports: 500_000_000n, problem: null });
    const { lamports, problem } = readPart('12.531089162', cooled);
    assert.equal(lamports, null);
    assert.match(problem!, /up to 12\.531089161 SOL: 0\.00166624 SOL of rent/);
  });

  it('is not more than its balance', () => {
    assert.match(readPart('12.6', cooled).problem!, /holds 12\.532755401 SOL/);
  });
});

it('the excess of a stake can be withdrawn, and the stake itself only after it is unstaked', () => {
  assert.equal(active.allLamports, null);
  assert.equal(readPart('0.004204227', active).lamports, 4_204_227n);
  assert.match(readPart('1', active).problem!, /Only 0\.004204227 SOL is not staked\. Unstake/);
});

it('an empty field is not reported as a mistake, while an invalid amount is', () => {
  assert.deepEqual(readPart('', cooled), { lamports: null, problem: null });
  assert.equal(readPart('0', cooled).problem, 'Enter more than 0.');
  assert.match(readPart('0.0000000001', cooled).problem!, /9 decimals/);
  assert.equal(readPart('1.2.3', cooled).problem, 'Enter a valid amount.');
});

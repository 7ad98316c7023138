// Tests that the page predicts offers with the autopilot's own rules, and explains each reason for no offer.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SweepFacts } from '../../../../../src/domain/autopilot/decide-autopilot-offer.ts';
import { previewWords, skipWords } from './policy-words.ts';

const SOL = 1_000_000_000n;
const facts: SweepFacts = {
  balanceLamports: 100n * SOL,
  canPay: true,
  feeReserveLamports: 5_000_000n,
  minimumStakeLamports: SOL,
  validatorFailing: false,
  epochRewardsActive: false,
};
const figures = { keepLiquidLamports: SOL, minSweepLamports: 2n * SOL };

describe('the amount that would be offered now', () => {
  it("is the balance above the policy's liquid amount, minus the fee of the stake", () => {
    assert.equal(
      previewWords(figures, facts),
      'The wallet holds 100 SOL. 98.99999 SOL would be offered now.',
    );
  });

  it('is replaced by the reason if a rule forbids an offer', () => {
    const cases: readonly [Partial<SweepFacts>, RegExp][] = [
      [{ balanceLamports: SOL }, /holds 1 SOL\. Nothing.*not hold more than its liquid amount/],
      [{ balanceLamports: 3n * SOL }, /holds 3 SOL\. Nothing.*below your threshold/],
      [{ minimumStakeLamports: 200n * SOL }, /below Solana’s minimum/],
      [{ validatorFailing: true }, /critical notice about the validator/],
      [{ epochRewardsActive: true }, /rewards are being paid/],
    ];
    for (const [more, words] of cases) assert.match(previewWords(figures, { ...facts, ...more }), words);
  });
});

describe('the reason for no offer', () => {
  it('has the page’s words, or the service’s for a reason unknown to the page', () => {
    const message = 'The amount above the liquid amount is too small for an offer.';
    assert.equal(
      skipWords({ reason: 'BELOW_MIN_SWEEP', message }),
      'the amount above that is below your threshold',
    );
    assert.equal(skipWords({ reason: 'A_NEW_ONE', message }), message);
    assert.equal(skipWords({ reason: 'toString', message }), message);
  });
});

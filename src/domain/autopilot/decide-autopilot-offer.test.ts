// Tests when the autopilot makes an offer, why it makes none, the exact amount, and the amount left in the
// wallet.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { decideAutopilotAmount, type SweepFacts } from './decide-autopilot-offer.ts';

const SOL = 1_000_000_000n;
const FEE = 10_000n;
const policy = { keepLiquidLamports: 2n * SOL, minSweepLamports: SOL };
const facts = (more: Partial<SweepFacts> = {}): SweepFacts => ({
  balanceLamports: 10n * SOL,
  canPay: true,
  feeReserveLamports: 5_000_000n,
  minimumStakeLamports: SOL + 2_282_880n,
  validatorFailing: false,
  epochRewardsActive: false,
  ...more,
});
const reasonOf = (more: Partial<SweepFacts>, own = policy) => {
  const decision = decideAutopilotAmount(own, facts(more));
  return decision.kind === 'skip' ? decision.reason : decision.lamports;
};

it('the autopilot offers everything above the liquid reserve, minus the fee of the stake itself', () => {
  assert.equal(reasonOf({}), 8n * SOL - FEE);
});

it('the autopilot offers a surplus one lamport above the smallest sweep, but not one that equals it', () => {
  const own = { keepLiquidLamports: 2n * SOL, minSweepLamports: 3n * SOL };
  assert.equal(reasonOf({ balanceLamports: 5n * SOL }, own), 'BELOW_MIN_SWEEP');
  assert.equal(reasonOf({ balanceLamports: 5n * SOL + 1n }, own), 3n * SOL + 1n - FEE);
});

it('the autopilot reports a shortfall if the balance is at most the liquid reserve', () => {
  assert.equal(reasonOf({ balanceLamports: 2n * SOL }), 'WALLET_SHORT');
  assert.equal(reasonOf({ balanceLamports: 0n }), 'WALLET_SHORT');
});

it("an amount below the chain's minimum stake is not offered", () => {
  const own = { keepLiquidLamports: 0n, minSweepLamports: 0n };
  const least = facts().minimumStakeLamports + facts().feeReserveLamports;
  assert.equal(reasonOf({ balanceLamports: least - 1n }, own), 'BELOW_MINIMUM_STAKE');
  assert.equal(reasonOf({ balanceLamports: least }, own), facts().minimumStakeLamports);
});

it('the autopilot makes no offer while rewards are being paid, and none to a wallet that cannot pay', () => {
  assert.equal(reasonOf({ epochRewardsActive: true }), 'EPOCH_REWARDS_ACTIVE');
  assert.equal(reasonOf({ epochRewardsActive: true, balanceLamports: SOL }), 'WALLET_SHORT');
  assert.equal(reasonOf({ canPay: false }), 'WALLET_CANNOT_PAY');
});

it('the autopilot offers nothing while the validator is failing', () => {
  assert.equal(reasonOf({ validatorFailing: true }), 'VALIDATOR_FAILING');
  assert.equal(reasonOf({ validatorFailing: true, epochRewardsActive: true }), 'VALIDATOR_FAILING');
  assert.equal(reasonOf({ validatorFailing: true, balanceLamports: SOL }), 'WALLET_SHORT');
});

it('a balance equal to the liquid reserve is a shortfall, and one lamport more is below the smallest sweep', () => {
  const own = { keepLiquidLamports: 2n * SOL, minSweepLamports: 1n };
  assert.equal(reasonOf({ balanceLamports: 2n * SOL }, own), 'WALLET_SHORT');
  assert.equal(reasonOf({ balanceLamports: 2n * SOL + 1n }, own), 'BELOW_MIN_SWEEP');
});

it('the autopilot offers at most the largest amount that one request accepts', () => {
  assert.equal(reasonOf({ balanceLamports: 20_000_000n * SOL }), 9_000_000n * SOL);
});

it('after any sweep, the wallet still holds its liquid reserve and the fee reserve, and the stake is at least the minimum', () => {
  const amount = fc.bigInt({ min: 0n, max: 30n * SOL });
  fc.assert(
    fc.property(amount, amount, amount, (balanceLamports, keepLiquidLamports, minSweepLamports) => {
      const decision = decideAutopilotAmount(
        { keepLiquidLamports, minSweepLamports },
        facts({ balanceLamports }),
      );
      if (decision.kind === 'skip') return;
      const left = balanceLamports - decision.lamports;
      assert.ok(left - FEE >= keepLiquidLamports);
      assert.ok(left >= facts().feeReserveLamports);
      assert.ok(decision.lamports >= facts().minimumStakeLamports);
      assert.ok(balanceLamports - keepLiquidLamports > minSweepLamports);
    }),
    { numRuns: 2_000 },
  );
});

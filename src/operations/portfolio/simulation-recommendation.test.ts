import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentence, textOf } from '../../kernel/sentence.ts';
import { recommendStake as recommend, type SimulationFacts } from './simulation-recommendation.ts';

const SOL = 1_000_000_000n;

const facts = (overrides: Partial<SimulationFacts> = {}): SimulationFacts => ({
  amountLamports: 100n * SOL,
  minimumLamports: SOL,
  feeReserveLamports: 5_000_000n,
  durationDays: 365,
  projection: {
    annual: { rewardLamports: 6n * SOL, balanceLamports: 106n * SOL },
    total: { rewardLamports: 6n * SOL, balanceLamports: 106n * SOL },
    activation: {
      epochsUntilActive: 1,
      estimatedActiveAt: '2026-12-01T00:00:00.000Z',
      firstRewardEpoch: 801n,
      estimatedFirstRewardAt: '2026-12-03T00:00:00.000Z',
    },
  },
  criticalNotice: null,
  ...overrides,
});

const recommendStake = (given: SimulationFacts): string => textOf(recommend(given));

test('the recommendation states the expected earnings, the period, and the amount to keep in the wallet', () => {
  assert.equal(
    recommendStake(facts()),
    '100 SOL would earn about 6 SOL in 365 days at current rates. Keep 0.005 SOL in the wallet for later fees.',
  );
});

test('an amount that cannot be staked is reported first, with the missing amount', () => {
  const text = recommendStake(
    facts({ amountLamports: SOL - 1n, criticalNotice: sentence('NOTICE', 'It does not vote.') }),
  );
  assert.match(text, /below the minimum stake/);
  assert.match(text, /0\.000000001 SOL is missing/);
  assert.doesNotMatch(text, /earn/);
  assert.doesNotMatch(recommendStake(facts({ amountLamports: SOL })), /below/);
});

test('a critical notice is shown alone, without amounts', () => {
  const text = recommendStake(facts({ criticalNotice: sentence('NOTICE', 'The validator is delinquent.') }));
  assert.equal(text, 'Wait before you stake. The validator is delinquent.');
});

test('an unknown yield is not reported as zero', () => {
  const text = recommendStake(facts({ projection: null }));
  assert.match(text, /currently unavailable/);
  assert.doesNotMatch(text, /about 0 SOL/);
});

test('if the period is too short for the first reward, the text says when that reward is expected', () => {
  const { projection } = facts();
  const none = { ...projection!, total: { rewardLamports: 0n, balanceLamports: 100n * SOL } };
  const text = recommendStake(facts({ durationDays: 1, projection: none }));
  assert.match(text, /not earn anything within 1 day: .*2026-12-03/);
});

test('on a cluster whose epochs last only seconds, the text says that rewards cannot be projected, and contains no amount', () => {
  const { projection } = facts();
  const absurd = { rewardLamports: 10n ** 43n, balanceLamports: 10n ** 43n + 100n * SOL };
  const text = recommendStake(facts({ projection: { ...projection!, annual: absurd, total: absurd } }));
  assert.match(text, /more than 100% per year/);
  assert.doesNotMatch(text, /\d{12}/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creditsEarned, obtainableCredits, rankingOf, rankOf, voteSuccessRate } from './validator-score.ts';

test('the maximum is 16 credits per slot, and the vote rate is the share of it that was earned', () => {
  assert.equal(obtainableCredits(432_000n), 6_912_000n);
  assert.equal(voteSuccessRate(6_912_000n, 432_000n), 100);
  assert.equal(voteSuccessRate(6_808_320n, 432_000n), 98.5);
  assert.equal(voteSuccessRate(0n, 432_000n), 0);
});

test('credits that the tower pays out at the start of an epoch do not raise the vote rate above 100 %', () => {
  assert.equal(voteSuccessRate(1_500n, 90n), 100);
});

test('an epoch that has just begun has no vote rate', () => {
  assert.equal(voteSuccessRate(0n, 0n), null);
  assert.equal(voteSuccessRate(900n, 63n), null);
  assert.equal(voteSuccessRate(512n, 64n), 50);
});

test('a rank counts the strictly better validators, and equal validators share the better rank', () => {
  assert.deepEqual(rankOf(5n, [9n, 5n, 5n, 1n]), { rank: 2, total: 4 });
  assert.deepEqual(rankOf(9n, [9n, 5n]), { rank: 1, total: 2 });
  assert.deepEqual(rankOf(2n ** 60n, [2n ** 60n + 1n, 2n ** 60n]), { rank: 2, total: 2 });
});

test('the credits of an epoch are the difference between the cumulative sums, and unknown outside the list', () => {
  const list = [
    { epoch: 7n, credits: 300n, previousCredits: 100n },
    { epoch: 8n, credits: 350n, previousCredits: 300n },
  ];
  assert.equal(creditsEarned(list, 7n), 200n);
  assert.equal(creditsEarned(list, 8n), 50n);
  assert.equal(creditsEarned(list, 6n), null);
});

const validator = (voteAccount: string, stake: bigint, credits: bigint | null) => ({
  voteAccount,
  activatedStakeLamports: stake,
  epochCredits: credits === null ? [] : [{ epoch: 8n, credits: credits + 50n, previousCredits: 50n }],
});

test('a validator is ranked by its stake and by its credits, each among the eligible validators', () => {
  const own = validator('own', 20n, 300n);
  const others = [validator('large', 90n, 310n), validator('small', 5n, 290n), validator('new', 30n, null)];
  const expected = {
    stakeRank: { rank: 3, total: 4 },
    creditRank: { rank: 2, total: 3, epoch: 8n, credits: 300n },
  };
  assert.deepEqual(rankingOf(own, [...others, own], 8n), expected);
  assert.deepEqual(
    rankingOf(own, others, 8n),
    expected,
    'our validator is included even if the list omits it',
  );
});

test('a validator without credits in the epoch has no credit rank rather than the last one', () => {
  const own = validator('own', 0n, null);
  assert.deepEqual(rankingOf(own, [validator('other', 5n, 300n)], 8n), {
    stakeRank: { rank: 2, total: 2 },
    creditRank: null,
  });
  assert.equal(rankingOf(validator('own', 1n, 5n), [], 9n).creditRank, null);
});

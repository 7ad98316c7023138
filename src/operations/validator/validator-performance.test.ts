import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { patience } from '../../../test/support/patience.ts';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import type { ValidatorStatistic } from '../../upstream/network-statistics.ts';
import type { Context } from '../context.ts';
import { performanceBody } from './validator-performance.ts';

const signal = patience();
const away = async (): Promise<never> => {
  throw new AppError('UPSTREAM_UNAVAILABLE', 'away');
};

/**
 * Chain data in epoch 40: 1,000 credits for 100 blocks, 8 leader slots of which 1 was skipped, and rank 3 of 9.
 */
const CHAIN = {
  own: async () => ({
    listed: {
      delinquent: false,
      activatedStakeLamports: 1_500_000_000n,
      epochCredits: [{ epoch: 40n, credits: 9_000n, previousCredits: 8_000n }],
    },
  }),
  ranking: async () => ({ creditRank: { rank: 3, total: 9 } }),
  blocks: async () => ({ slots: 100n, blocks: 100n, firstSlot: 0n }),
  leader: async () => ({ assigned: 20, passed: 8, produced: 7 }),
};
const STATISTIC: Partial<ValidatorStatistic> = {
  voteSuccessPct: 91,
  skipRatePct: 2,
  creditsThisEpoch: 7,
  activatedStakeSol: 8.5,
  delinquent: true,
};

const ask = async (
  t: TestContext,
  {
    epoch = 40n as bigint | 'away',
    chain = {},
    provider = STATISTIC as Partial<ValidatorStatistic> | null,
    seen = [] as readonly (readonly [epoch: bigint, isDelinquent: boolean])[],
  },
) => {
  const { samples } = await openTestStore(t);
  for (const [of, isDelinquent] of seen) await samples.recordDelinquency({ epoch: of, isDelinquent });
  let providerCalls = 0;
  const validator = async () => {
    providerCalls += 1;
    return { value: provider, fetchedAtMs: 0, stale: false, warnings: [] };
  };
  const sources = {
    samples,
    cluster: { recentEpochPosition: epoch === 'away' ? away : async () => ({ epoch }) },
    network: provider && { validator },
  };
  const ctx = {
    validator: { facts: { sources, chain: { ...CHAIN, ...chain } } },
  } as unknown as Context;
  const { warnings, notices: _, ...body } = await performanceBody(ctx, signal);
  return { body, warnings, providerCalls };
};

const silent = { own: away, ranking: away, blocks: away, leader: away };

test('only the chain is queried as long as it responds', async (t) => {
  const { body, warnings, providerCalls } = await ask(t, {});
  assert.deepEqual(body, {
    voteSuccessRate: 62.5,
    uptimePercentage: null,
    uptimeSamples: 0,
    skipRate: 12.5,
    epochCredits: 1_000,
    epochCreditsRank: 3,
    totalActiveStake: 1.5,
    delinquent: false,
  });
  assert.deepEqual([warnings, providerCalls], [[], 0]);
});

test('the provider’s values are used if the chain fails, and each failure is reported', async (t) => {
  const { body, warnings } = await ask(t, { epoch: 'away', chain: silent });
  assert.deepEqual(
    [body.voteSuccessRate, body.skipRate, body.epochCredits, body.totalActiveStake, body.delinquent],
    [91, 2, 7, 8.5, true],
  );
  assert.deepEqual([body.epochCreditsRank, warnings.length], [null, 5]);
  assert.doesNotMatch(warnings.join(), /(vote success|skip) rate is unavailable/, 'shown from the provider');
});

test('the request fails if chain and provider both fail, however long the record is', async (t) => {
  const asked = ask(t, { epoch: 'away', chain: silent, provider: null, seen: [[40n, false]] });
  await assert.rejects(asked, (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
});

test('a validator without a vote in this epoch has zero credits instead of unknown ones', async (t) => {
  const listed = { delinquent: true, activatedStakeLamports: 0n, epochCredits: [] };
  const { body } = await ask(t, {
    chain: { own: async () => ({ listed }), ranking: async () => ({ creditRank: null }) },
  });
  assert.deepEqual(
    [body.epochCredits, body.voteSuccessRate, body.epochCreditsRank, body.totalActiveStake],
    [0, 0, null, 0],
  );
});

test('every null has a warning, even if its source responded', async (t) => {
  const { body, warnings } = await ask(t, {
    chain: {
      ranking: async () => ({ creditRank: null }),
      blocks: async () => ({ slots: 10n, blocks: 10n, firstSlot: 0n }),
      leader: async () => ({ assigned: 20, passed: 7, produced: 7 }),
    },
  });
  assert.deepEqual([body.epochCreditsRank, body.skipRate, body.voteSuccessRate], [null, null, null]);
  assert.match(warnings.join('|'), /credit rank.*skip rate.*vote success rate/);
});

test('the provider’s rate is not substituted if only the chain’s block count is unknown', async (t) => {
  const { body, warnings, providerCalls } = await ask(t, { chain: { blocks: away } });
  assert.deepEqual([body.voteSuccessRate, body.epochCredits, providerCalls], [null, 1_000, 0]);
  assert.match(warnings.join(), /counts this epoch’s blocks/);
});

for (const [blocks, expected] of [
  [63n, null],
  [64n, 97.66],
  [62n, null],
] as const)
  test(`after ${blocks} blocks the vote rate is ${expected}`, async (t) => {
    assert.equal(
      (await ask(t, { chain: { blocks: async () => ({ slots: blocks, blocks, firstSlot: 0n }) } })).body
        .voteSuccessRate,
      expected,
    );
  });

test('uptime covers the last thirty epochs including the current one, with two decimals', async (t) => {
  const seen = [
    [10n, true],
    [11n, true],
    [40n, false],
    [40n, false],
  ] as const;
  const { body } = await ask(t, { seen });
  assert.deepEqual([body.uptimePercentage, body.uptimeSamples], [66.67, 3]);
  const young = await ask(t, {
    epoch: 29n,
    seen: [
      [0n, true],
      [29n, false],
    ],
  });
  assert.deepEqual([young.body.uptimePercentage, young.body.uptimeSamples], [50, 2]);
});

test('while the validator is delinquent, its uptime is below 100 % even before the next sample', async (t) => {
  const listed = { ...(await CHAIN.own()).listed, delinquent: true };
  const seen = [
    [40n, false],
    [40n, false],
    [40n, false],
  ] as const;
  const { body } = await ask(t, { seen, chain: { own: async () => ({ listed }) } });
  assert.deepEqual([body.delinquent, body.uptimePercentage, body.uptimeSamples], [true, 75, 4]);
});

test('an unexpected error is thrown instead of being reported as an unknown value', async (t) => {
  const leader = async () => {
    throw new TypeError('broken');
  };
  await assert.rejects(ask(t, { chain: { leader } }), TypeError);
});

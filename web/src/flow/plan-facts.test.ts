// Tests that the page's figures of a plan add up: available now, available later, and already deactivating.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { PlannedAccount, StakePlan } from '../../../client/generated/shared-types.ts';
import { boundedTime } from '../text/epoch-boundary.ts';
import { planFacts, whenSentence } from './plan-facts.ts';

const RENT = 0.00166624;
const account = (state: PlannedAccount['state'], sol: number): PlannedAccount => ({
  state,
  sol,
  stakedSol: Number((sol - RENT).toFixed(9)),
  stakeAuthority: 'W',
});
const times = { epoch: 8, estimatedAt: 'T', earliestAt: 'E', latestAt: 'L' };
const plan: StakePlan = {
  accounts: [
    {
      stakeAccountAddress: 'A',
      voteAccount: 'V',
      before: account('active', 10),
      after: account('active', 7),
    },
    {
      stakeAccountAddress: 'B',
      voteAccount: 'V',
      before: null,
      after: account('deactivating', 3.00166624),
    },
    { stakeAccountAddress: 'C', voteAccount: 'V', before: account('inactive', 1.2), after: null },
    {
      stakeAccountAddress: 'D',
      voteAccount: 'V',
      before: account('deactivating', 0.8),
      after: account('deactivating', 0.8),
    },
    { stakeAccountAddress: 'E', voteAccount: 'V', before: account('active', 2), after: account('active', 2) },
  ],
  wallet: {
    beforeSol: 1,
    afterSol: 2.19832376,
    later: [
      { stakeAccountAddress: 'B', sol: 3.00166624, ...times },
      { stakeAccountAddress: 'D', sol: 0.8, ...times },
    ],
  },
  cost: { feesSol: 0.00001, rentLockedSol: 0, forgoneSol: null },
  cancelsActivationOf: [],
  laterSteps: [{ stakeAccountAddress: 'D', action: 'withdraw', epoch: 8 }],
  blocked: [],
};

it('the rents of a closed account and a new account are listed separately', () => {
  const { nowLamports, rentLamports, feesLamports } = planFacts(plan);
  assert.deepEqual([nowLamports, rentLamports, feesLamports], [1_200_000_000n, 1_666_240n, 10_000n]);
});

it('SOL that is already deactivating is listed separately, if it is part of the amount', () => {
  const { later, countedLamports } = planFacts(plan);
  assert.deepEqual(later, [{ lamports: 3_001_666_240n, ...times }]);
  assert.equal(countedLamports, 800_000_000n);
  assert.equal(planFacts({ ...plan, laterSteps: [] }).countedLamports, 0n);
});

it('unchanged accounts are counted, not listed', () => {
  const { changed, unchangedCount } = planFacts(plan);
  assert.deepEqual(
    [changed.map(({ stakeAccountAddress }) => stakeAccountAddress), unchangedCount],
    [['A', 'B', 'C'], 2],
  );
});

it('one sentence says how much is available now and when the rest can be withdrawn', () => {
  const nowMs = Date.parse('2026-11-24T12:00:00Z');
  const at = {
    epoch: 8,
    estimatedAt: '2026-11-24T14:10:00Z',
    earliestAt: '2026-11-24T13:55:00Z',
    latestAt: '2026-11-24T14:30:00Z',
  };
  const time = boundedTime(at.estimatedAt, [at.earliestAt, at.latestAt], nowMs);
  const some = [{ lamports: 3_800_000_000n, ...at }];
  const sentence = (nowLamports: bigint, later: typeof some, stakedLater: typeof some = []) =>
    whenSentence({ nowLamports, freedLamports: 0n, later, stakedLater }, null, nowMs);
  assert.equal(sentence(1_200_000_000n, some), `You get 1.2 SOL now and can withdraw 3.8 SOL from ${time}.`);
  assert.equal(sentence(1_200_000_000n, []), 'You get 1.2 SOL now.');
  assert.equal(sentence(0n, some), `You can withdraw 3.8 SOL from ${time}.`);
  assert.equal(sentence(0n, [], some), `You can stake 3.8 SOL from ${time}.`);
  assert.equal(sentence(0n, []), null);
  const freed = { nowLamports: 0n, freedLamports: 2_000_000_000n, later: some, stakedLater: [] };
  assert.equal(
    whenSentence(freed, null, nowMs),
    `You can withdraw 2 SOL right away and 3.8 SOL from ${time}.`,
  );
});

it('the end of the current epoch has the time that the page shows elsewhere, and a later time is the plan’s', () => {
  const [planned, shown] = ['2026-11-24T14:10:00Z', '2026-11-24T14:16:00Z'] as const;
  const part = { lamports: 1_000_000_000n, estimatedAt: planned, earliestAt: planned, latestAt: planned };
  const current = {
    currentEpoch: 7,
    estimatedEpochEnd: shown,
    earliestEpochEnd: shown,
    latestEpochEnd: shown,
  };
  const nowMs = Date.parse('2026-11-24T12:00:00Z');
  const sentence = (epoch: number) =>
    whenSentence(
      { nowLamports: 0n, freedLamports: 0n, later: [], stakedLater: [{ ...part, epoch }] },
      current,
      nowMs,
    );
  assert.equal(sentence(8), `You can stake 1 SOL from ${boundedTime(shown, [shown, shown], nowMs)}.`);
  assert.equal(sentence(9), `You can stake 1 SOL from ${boundedTime(planned, [planned, planned], nowMs)}.`);
});

it('the balances of the accounts to unstake include their rent, which the deactivated stake excludes', () => {
  const { unstakingLamports, deactivatedLamports } = planFacts(plan);
  assert.deepEqual([unstakingLamports, deactivatedLamports], [3_001_666_240n, 3_000_000_000n]);
  const [whole] = plan.accounts;
  const neverActive = { ...plan, accounts: [{ ...whole!, after: account('inactive', 10) }] };
  assert.equal(planFacts(neverActive).freedLamports, 10_000_000_000n);
});

it('stake moved from another validator is staked once it is inactive, and is not shown as a withdrawal', () => {
  const later = [{ stakeAccountAddress: 'A', sol: 10, ...times }];
  const { later: withdrawn, stakedLater } = planFacts({
    ...plan,
    wallet: { beforeSol: 1, afterSol: 1, later },
    laterSteps: [{ stakeAccountAddress: 'A', action: 'delegate', epoch: 8 }],
  });
  assert.deepEqual(withdrawn, []);
  assert.equal(stakedLater[0]?.lamports, 10_000_000_000n);
});

it('idle SOL that is staked again does not arrive in the wallet', () => {
  const { nowLamports, rentLamports } = planFacts({
    ...plan,
    accounts: [
      {
        stakeAccountAddress: 'A',
        voteAccount: 'V',
        before: account('active', 7),
        after: account('active', 5),
      },
      { stakeAccountAddress: 'B', voteAccount: 'V', before: null, after: account('activating', 2) },
    ],
    wallet: { beforeSol: 1, afterSol: 1 - plan.cost.feesSol, later: [] },
    laterSteps: [],
  });
  assert.deepEqual([nowLamports, rentLamports], [0n, 1_666_240n]);
});

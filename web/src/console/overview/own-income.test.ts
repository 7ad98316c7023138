// Tests that the income is the sum of its known parts, and that unknown parts are named and never counted as
// zero.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OwnValidator } from '../operator-api.ts';
import { incomeNote, incomeOf, missingIncome } from './own-income.ts';

const epoch = (parts: Partial<OwnValidator['epochs'][number]>): OwnValidator['epochs'][number] => ({
  epoch: 800,
  commissionSol: 0.1,
  tipsSol: 0.2,
  blockRewardsSol: 0.3,
  leaderSlotsUnread: 0,
  stakeRank: null,
  validators: null,
  skipRate: null,
  clusterSkipRate: null,
  ...parts,
});

const own = (commission: number, blockRewardsOffered = true) =>
  ({ apy: { commission }, blockRewardsOffered }) as OwnValidator;

it('the income is the sum of its parts, exact to the lamport', () => {
  assert.deepEqual(incomeOf(epoch({})), { lamports: 600_000_000n, unknown: [], isUnknown: false });
});

it('the income omits and names unknown parts, including block rewards that are not read completely', () => {
  assert.deepEqual(incomeOf(epoch({ tipsSol: null, leaderSlotsUnread: 4 })), {
    lamports: 100_000_000n,
    unknown: ['tips', 'block rewards'],
    isUnknown: false,
  });
});

it('the income is unknown if no part is known, or if a part is unknown and the known parts are zero', () => {
  const none = { commissionSol: null, tipsSol: null, blockRewardsSol: null, leaderSlotsUnread: null };
  assert.equal(incomeOf(epoch(none)).isUnknown, true);
  assert.equal(incomeOf(epoch({ commissionSol: 0, tipsSol: 0, blockRewardsSol: null })).isUnknown, true);
  assert.equal(incomeOf(epoch({ commissionSol: 0, tipsSol: 0, blockRewardsSol: 0 })).isUnknown, false);
});

it('with a commission of 0%, the text explains what the validator earns instead', () => {
  const unread = epoch({ commissionSol: 0, tipsSol: 0, blockRewardsSol: null });
  assert.equal(
    incomeNote(incomeOf(unread), own(0)),
    'Currently unavailable: block rewards. Your commission is 0%, so you earn block rewards and tips',
  );
  assert.equal(incomeNote(incomeOf(epoch({})), own(5)), undefined);
  assert.deepEqual(missingIncome([unread], own(0)), {
    title: 'No known income',
    text: 'Your commission is 0%, so you earn block rewards and tips. Currently unavailable: block rewards.',
  });
  const nothing = epoch({ commissionSol: 0, tipsSol: 0, blockRewardsSol: 0 });
  assert.equal(missingIncome([nothing], own(0))?.title, 'No income in these epochs');
  assert.equal(missingIncome([], own(0))?.title, 'No income yet');
  assert.equal(missingIncome([nothing, epoch({})], own(5)), null);
});

it('block rewards that the RPC node does not serve are not announced for later', () => {
  const unread = epoch({ tipsSol: null, blockRewardsSol: null });
  assert.equal(
    incomeNote(incomeOf(unread), own(5, false)),
    'Currently unavailable: tips. Block rewards are unknown, because your RPC node does not serve them',
  );
});

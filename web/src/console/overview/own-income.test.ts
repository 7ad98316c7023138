// The income is the sum of its known parts. An unknown part is named and never counted as zero.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OwnValidator } from '../operator-api.ts';
import { incomeOf } from './own-income.ts';

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

it('adds the parts to the lamport', () => {
  assert.deepEqual(incomeOf(epoch({})), { lamports: 600_000_000n, unknown: [] });
});

it('leaves out and names unknown parts, and blocks that are not completely read', () => {
  assert.deepEqual(incomeOf(epoch({ tipsSol: null, leaderSlotsUnread: 4 })), {
    lamports: 100_000_000n,
    unknown: ['tips', 'block rewards'],
  });
  assert.deepEqual(incomeOf(epoch({ commissionSol: 0, tipsSol: null, blockRewardsSol: 0 })), {
    lamports: 0n,
    unknown: ['tips'],
  });
});

it('the income is unknown if no part is known', () => {
  const none = { commissionSol: null, tipsSol: null, blockRewardsSol: null, leaderSlotsUnread: null };
  assert.equal(incomeOf(epoch(none)).lamports, null);
});

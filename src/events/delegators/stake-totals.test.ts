// Tests that the rewards of an epoch include the rewards of stake that leaves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DelegatorEpoch } from '../../store/delegators.ts';
import { epochRewards } from './stake-totals.ts';

const epochOf = (epoch: bigint, figures: Partial<DelegatorEpoch>): DelegatorEpoch =>
  ({
    epoch,
    activeLamports: 0n,
    activatingLamports: 0n,
    deactivatingLamports: 0n,
    ...figures,
  }) as DelegatorEpoch;

const ended = epochOf(7n, { activeLamports: 7_000n, activatingLamports: 50n, deactivatingLamports: 5_050n });

test('rewards are the growth that joining and leaving do not explain, with the rewards of stake that left', () => {
  // 2,000 stayed and earned 20; the 5,000 that left earned 50.
  assert.equal(epochRewards(ended, epochOf(8n, { activeLamports: 2_070n })), 70n);
});

test('rewards are unknown if the next epoch or the flows are unknown, or if they would be negative', () => {
  assert.equal(epochRewards(ended, undefined), null);
  assert.equal(epochRewards(ended, epochOf(9n, { activeLamports: 2_070n })), null);
  assert.equal(epochRewards(ended, epochOf(8n, { activeLamports: 1_999n })), null);
  const unknown = { ...ended, deactivatingLamports: null };
  assert.equal(epochRewards(unknown, epochOf(8n, { activeLamports: 2_070n })), null);
});

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

test('rewards are the growth of the stake that stayed, scaled to all stake that was active', () => {
  const ended = epochOf(7n, {
    activeLamports: 7_000n,
    activatingLamports: 50n,
    deactivatingLamports: 5_000n,
  });
  // 2,000 stayed and earned 20; the 5,000 that left earned 50.
  assert.equal(epochRewards(ended, epochOf(8n, { activeLamports: 2_070n })), 70n);
  const none = epochOf(7n, { activeLamports: 7_000n, activatingLamports: 50n });
  assert.equal(
    epochRewards(none, epochOf(8n, { activeLamports: 7_120n })),
    70n,
    'rewards are exact if no stake left',
  );
});

test('rewards are unknown if the next epoch is unknown or if all stake left', () => {
  const ended = epochOf(7n, { activeLamports: 7_000n });
  assert.equal(epochRewards(ended, undefined), null);
  assert.equal(epochRewards(ended, epochOf(9n, { activeLamports: 7_100n })), null);
  const allLeft = epochOf(7n, { activeLamports: 7_000n, deactivatingLamports: 7_000n });
  assert.equal(epochRewards(allLeft, epochOf(8n, {})), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CUSTODIAN, delegatedStake, initializedStake } from '../../../test/support/stake-account-examples.ts';
import { EPOCH_ABSENT } from './stake-account.ts';
import { estimateWithdrawable } from './stake-state-estimate.ts';

const NOW = Date.parse('2026-11-21T00:00:00Z');
const position = {
  epoch: 20n,
  slotIndex: 250n,
  slotsInEpoch: 1_000n,
  readAtMs: NOW,
  slotDurationMs: 400,
  fastestSlotMs: 390,
  slowestSlotMs: 410,
  epochRewardsActive: false,
  unixTimestamp: 1_900_000_000n,
};
const waiting = (withdrawableAtEpoch: bigint | null) => ({ withdrawReady: false, withdrawableAtEpoch });

test('inactive stake is ready now, and stake that is not being unstaked has no date', () => {
  const ready = { withdrawReady: true, withdrawableAtEpoch: null };
  assert.deepEqual(estimateWithdrawable(initializedStake(), ready, position, NOW), {
    secondsRemaining: 0,
    at: '2026-11-21T00:00:00.000Z',
  });
  assert.equal(estimateWithdrawable(delegatedStake(), waiting(null), position, NOW), null);
});

test('a cooldown ends at the end of its epoch', () => {
  assert.equal(estimateWithdrawable(delegatedStake(), waiting(21n), position, NOW)?.secondsRemaining, 300);
  assert.equal(estimateWithdrawable(delegatedStake(), waiting(23n), position, NOW)?.secondsRemaining, 1_100);
});

test('a later lockup date takes precedence, and is measured by the cluster’s clock instead of this machine’s', () => {
  const lockedFor = (seconds: bigint) =>
    delegatedStake({ lockup: { unixTimestamp: 1_900_000_000n + seconds, epoch: 0n, custodian: CUSTODIAN } });
  assert.deepEqual(estimateWithdrawable(lockedFor(1_000n), waiting(21n), position, NOW), {
    secondsRemaining: 1_000,
    at: '2026-11-21T00:16:40.000Z',
  });
  assert.equal(estimateWithdrawable(lockedFor(299n), waiting(21n), position, NOW)?.secondsRemaining, 300);
  assert.equal(estimateWithdrawable(lockedFor(2n ** 62n), waiting(21n), position, NOW), null);
  assert.equal(estimateWithdrawable(lockedFor(300_000_000_000n), waiting(21n), position, NOW), null);
});

test('an epoch after the year 9999 has no date', () => {
  for (const epoch of [EPOCH_ABSENT - 1n, 10n ** 9n]) {
    assert.equal(estimateWithdrawable(delegatedStake(), waiting(epoch), position, NOW), null);
  }
});

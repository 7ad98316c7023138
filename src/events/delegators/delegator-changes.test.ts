import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { type DelegatedStake, delegatorChanges } from './delegator-changes.ts';

const [WALLET, OTHER] = ['wallet', 'other'] as Address[];
const staked: DelegatedStake = {
  wallet: WALLET!,
  staker: WALLET!,
  stakeLamports: 100n,
  credits: 5n,
  activationEpoch: 700n,
  deactivationEpoch: null,
};

test('every change is recorded with its stake, even several in one transaction, and rewards alone are not a change', () => {
  const cases: readonly [DelegatedStake | null, DelegatedStake | null, readonly string[]][] = [
    [null, null, []],
    [staked, staked, []],
    [null, staked, ['joined 100']],
    [null, { ...staked, deactivationEpoch: 701n }, ['joined 100', 'leaving 100']],
    [staked, null, ['left 100']],
    [staked, { ...staked, stakeLamports: 101n, credits: 6n }, []],
    // In the first case, stake was moved in although no credits were earned. In the second, stake left although
    // credits grew.
    [staked, { ...staked, stakeLamports: 101n }, ['stake_changed 1']],
    [staked, { ...staked, stakeLamports: 99n, credits: 6n }, ['stake_changed -1']],
    [staked, { ...staked, deactivationEpoch: 701n }, ['leaving 100']],
    [{ ...staked, deactivationEpoch: 701n }, staked, ['stayed 100']],
    [{ ...staked, deactivationEpoch: 701n }, { ...staked, activationEpoch: 702n }, ['delegated 100']],
    [{ ...staked, deactivationEpoch: 701n }, { ...staked, deactivationEpoch: 702n }, ['leaving 100']],
    [
      staked,
      { ...staked, wallet: OTHER!, staker: OTHER!, stakeLamports: 40n },
      ['withdrawer_changed 40', 'staker_changed 40', 'stake_changed -60'],
    ],
  ];
  for (const [before, after, expected] of cases)
    assert.deepEqual(
      delegatorChanges(before, after).map(({ kind, lamports }) => `${kind} ${lamports}`),
      expected,
    );
});

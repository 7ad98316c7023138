// Tests that the changes of one transaction form one row, with the title that the wallet's history uses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Change, groupChanges } from './group-changes.ts';

const change = (stakeAccountAddress: string, kind: string, more: Partial<Change> = {}): Change => ({
  at: '2026-11-27T06:00:00Z',
  epoch: 800,
  stakeAccountAddress,
  walletAddress: 'wallet',
  walletLabel: null,
  kind,
  stakeSol: 4,
  slot: 7,
  signature: null,
  title: null,
  ...more,
});

const textsOf = (changes: readonly Change[]): readonly string[] =>
  groupChanges(changes).map(
    ({ title, lamports, changes: { length } }) => `${title}, ${Number(lamports) / 1e9} SOL, ${length}`,
  );

test('splitting off a part and deactivating it is shown as one unstake of that part', () => {
  const unstake = [
    change('a', 'stake_changed', { stakeSol: -4 }),
    change('b', 'joined'),
    change('b', 'leaving'),
  ];
  assert.deepEqual(textsOf(unstake), ['Unstake, 4 SOL, 3']);
});

test('changes with the same signature are grouped under its title, and others are grouped by wallet and slot', () => {
  const signed = { signature: 'one', title: 'Undo unstake' };
  assert.deepEqual(
    textsOf([
      change('a', 'stayed', signed),
      change('b', 'stayed', { ...signed, slot: 8 }),
      change('c', 'joined'),
      change('d', 'joined', { slot: 8 }),
      change('e', 'joined', { walletAddress: 'other' }),
    ]),
    ['Undo unstake, 8 SOL, 2', 'Stake, 4 SOL, 1', 'Stake, 4 SOL, 1', 'Stake, 4 SOL, 1'],
  );
});

test('actions in the console have the same names as in the wallet’s history', () => {
  const titles = ['leaving', 'stayed', 'delegated', 'joined'].map((kind) => change('a', kind));
  assert.deepEqual(
    titles.map((one) => groupChanges([one])[0]!.title),
    ['Unstake', 'Undo unstake', 'Stake again', 'Stake'],
  );
});

// Tests that splits and merges do not count as stake that joined or left.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import type { DelegatorChange } from '../../store/delegators.ts';
import { withoutMovedStake } from './exclude-moved-stake.ts';

const SOL = 1_000_000_000n;
const change = (
  kind: DelegatorChange['kind'],
  address: string,
  sol: bigint,
  more: Partial<DelegatorChange> = {},
): DelegatorChange => ({
  address: address as Address,
  slot: 7n,
  kind,
  wallet: 'wallet' as Address,
  epoch: 5n,
  atMs: 1,
  lamports: sol * SOL,
  ...more,
});
const left = (changes: readonly DelegatorChange[]) =>
  withoutMovedStake(changes).map(({ kind, address }) => `${kind} ${address}`);

test('a split-off account does not count as joined, but counts as leaving if it is unstaked', () => {
  const split = [
    change('joined', 'part', 4n),
    change('leaving', 'part', 4n),
    change('stake_changed', 'whole', -4n),
  ];
  assert.deepEqual(left(split), ['leaving part', 'stake_changed whole']);
});

test('an account merged into another one does not count as left', () => {
  const merge = [change('left', 'source', 3n), change('stake_changed', 'into', 3n)];
  assert.deepEqual(left(merge), ['stake_changed into']);
});

test('stake beyond the moved amount, in a different slot or of a different wallet, counts as joined or left', () => {
  assert.deepEqual(left([change('joined', 'new', 5n), change('stake_changed', 'whole', -4n)]).length, 2);
  for (const more of [{ slot: 8n }, { wallet: 'other' as Address }])
    assert.deepEqual(
      left([change('joined', 'new', 4n, more), change('stake_changed', 'whole', -4n)]).length,
      2,
    );
  const two = [change('joined', 'a', 4n), change('joined', 'b', 4n), change('stake_changed', 'whole', -4n)];
  assert.deepEqual(left(two), ['joined b', 'stake_changed whole']);
});

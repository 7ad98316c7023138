// Tests the description of an epoch's changes: every change once, and none if nothing changed.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compareSummaries, type Position, stillTrue } from './compare-summaries.ts';

const account = (more: object) => ({
  address: 'AAAAxxxxBBBB',
  lamports: 10_000_000_000,
  sol: 10,
  state: 'active',
  ...more,
});
const texts = (before: Position, now: Position) => compareSummaries(before, now).map(({ text }) => text);
const position = (...accounts: object[]) => ({ accounts, portfolio: {} }) as unknown as Position;

it('a stake that became active, was paid, or became inactive is reported', () => {
  const tell = (before: object, now: object) => texts(position(account(before)), position(account(now)));
  assert.deepEqual(tell({ state: 'activating' }, {}), ['AAAA…BBBB is active and earning']);
  assert.deepEqual(tell({}, { lamports: 10_000_003_540 }), ['AAAA…BBBB received 0.00000354 SOL of rewards']);
  assert.deepEqual(tell({ state: 'deactivating' }, { state: 'inactive', lamports: 10_000_000_100 }), [
    'AAAA…BBBB is inactive and can be withdrawn',
    'AAAA…BBBB received 0.0000001 SOL',
  ]);
});

it('new and closed accounts are reported', () => {
  assert.deepEqual(texts(position(), position(account({}))), ['AAAA…BBBB is new: 10 SOL']);
  assert.deepEqual(texts(position(account({})), position()), ['AAAA…BBBB is closed']);
});

it('without changes no change is reported, and a withdrawal is not a reward', () => {
  assert.deepEqual(texts(position(account({})), position(account({}))), []);
  assert.deepEqual(texts(position(account({})), position(account({ lamports: 9_000_000_000 }))), []);
});

it('a stake that was withdrawn since is not said to be withdrawable, and what was paid stays true', () => {
  const inactive = position(account({ state: 'inactive', lamports: 10_000_000_100 }));
  const changes = compareSummaries(position(account({ state: 'deactivating' })), inactive);
  assert.deepEqual(stillTrue(changes, inactive), changes);
  assert.deepEqual(
    stillTrue(changes, position()).map(({ text }) => text),
    ['AAAA…BBBB received 0.0000001 SOL'],
  );
});

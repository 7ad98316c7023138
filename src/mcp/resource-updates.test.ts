// Tests that a change of a stake account is reported only to the watchers of that account and its wallets, once
// for several quick changes, and never after a watch has ended.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import type { StakeChange } from '../chain/index/stake-index.ts';
import { encodeBase58 } from '../kernel/base58.ts';
import { systemClock } from '../kernel/clock.ts';
import { createResourceUpdates, ResourceSubscriptions } from './resource-updates.ts';
import { accountUri, CURRENT_EPOCH_URI, MAX_WATCHED, walletUri, watchedIn } from './resource-uris.ts';

const [ONE, TWO, STAKE, OTHER] = [
  '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2',
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarRent111111111111111111111111111111111',
  'Stake11111111111111111111111111111111111111',
] as Address[] as [Address, Address, Address, Address];

const start = () => {
  const onChange: ((change: StakeChange) => void)[] = [];
  const onEpoch: (() => void)[] = [];
  const index = {
    onChange: (listener: (change: StakeChange) => void) => {
      onChange.push(listener);
      return () => {};
    },
    onEpoch: (listener: () => void) => {
      onEpoch.push(listener);
      return () => {};
    },
  };
  let collected: (() => void)[] = [];
  const clock = { ...systemClock, sleep: () => new Promise<void>((resolve) => collected.push(resolve)) };
  const updates = createResourceUpdates(index, clock);
  const heard: string[] = [];
  const settle = async (): Promise<string[]> => {
    for (const resolve of collected) resolve();
    collected = [];
    await new Promise((resolve) => setImmediate(resolve));
    return heard.splice(0);
  };
  /** Creates an account whose withdraw authority changes from the first of `wallets` to the last. */
  const change = (address: Address, ...wallets: readonly Address[]): void => {
    const [before, after] = [wallets[0], wallets.at(-1)].map((wallet) => ({
      withdrawAuthority: wallet,
      stakeAuthority: wallet,
    }));
    for (const listener of onChange) listener({ kind: 'changed', address, slot: 1n, before, after } as never);
  };
  const epoch = (): void => {
    for (const listener of onEpoch) listener();
  };
  const hear = (uri: string): void => void heard.push(uri);
  return { updates, change, epoch, settle, hear };
};

test('watchers of the account and of its wallets before and after a change are notified once, and no others', async () => {
  const { updates, change, settle, hear } = start();
  for (const uri of [walletUri(ONE), walletUri(TWO), walletUri(OTHER), accountUri(ONE, STAKE)])
    updates.watch(uri, hear);
  change(STAKE, ONE);
  change(STAKE, ONE, TWO);
  change(STAKE, TWO);
  assert.deepEqual(await settle(), [walletUri(ONE), accountUri(ONE, STAKE), walletUri(TWO)]);
  change(OTHER, ONE);
  assert.deepEqual(await settle(), [walletUri(ONE)]);
});

test('a new epoch counts as a change of every watched resource, because states change even if the bytes do not', async () => {
  const { updates, epoch, settle, hear } = start();
  updates.watch(walletUri(ONE), hear);
  updates.watch(CURRENT_EPOCH_URI, hear);
  epoch();
  assert.deepEqual(await settle(), [walletUri(ONE), CURRENT_EPOCH_URI]);
});

test('a function with two watches is called once per change until its last watch ends', async () => {
  const { updates, change, settle, hear } = start();
  const ends = [updates.watch(walletUri(ONE), hear), updates.watch(walletUri(ONE), hear)];
  change(STAKE, ONE);
  assert.deepEqual(await settle(), [walletUri(ONE)]);
  ends[0]!();
  change(STAKE, ONE);
  ends[1]!();
  assert.equal(updates.size(), 0);
  assert.deepEqual(await settle(), [], 'a change is not reported if the last watch ends first');
  change(STAKE, ONE);
  assert.deepEqual(await settle(), []);
});

test('a resource without updates cannot be watched, and no resource can be watched without an index', () => {
  const { updates, hear } = start();
  for (const uri of ['holdfast://validator/status', walletUri('1'.repeat(44)), `${walletUri(ONE)}/x`, ''])
    assert.equal(updates.watch(uri, hear), null, uri);
  const without = createResourceUpdates(null, systemClock);
  assert.deepEqual([without.isOn, without.watch(CURRENT_EPOCH_URI, hear)], [false, null]);
});

test('a session can watch a limited number of resources, and ends all its watches when it closes', () => {
  const { updates, hear } = start();
  const session = new ResourceSubscriptions(updates, hear);
  const uris = Array.from({ length: MAX_WATCHED + 1 }, (_, at) =>
    walletUri(encodeBase58(new Uint8Array(32).fill(at + 1))),
  );
  const added = uris.map((uri) => session.add(uri));
  const full = added.filter((result) => result === 'full').length;
  assert.equal(full, 1);
  assert.equal(updates.size(), MAX_WATCHED);
  assert.equal(session.add(uris[0]!), null, 'the resource is already being watched');
  session.remove(uris[0]!);
  assert.equal(session.add('holdfast://validator/status'), 'without updates');
  assert.equal(session.add(uris.at(-1)!), null);
  session.close();
  assert.equal(updates.size(), 0);
});

test('a `subscriptions/listen` request keeps each watched resource once, and all its other fields', () => {
  const message = {
    id: 1,
    params: {
      _meta: { a: 1 },
      notifications: { toolsListChanged: true, resourceSubscriptions: ['a', 'b', 'a', 2] },
    },
  };
  assert.deepEqual(
    watchedIn(message, (uri) => uri === 'a'),
    {
      uris: ['a'],
      message: {
        id: 1,
        params: { _meta: { a: 1 }, notifications: { toolsListChanged: true, resourceSubscriptions: ['a'] } },
      },
    },
  );
  for (const other of [null, 1, [], { params: [] }, { params: { notifications: null } }])
    assert.deepEqual(
      watchedIn(other, () => true),
      { message: other, uris: [] },
    );
});

// Contract tests, run on every engine, for the autopilot's policies: one per wallet, ordered by nonce, and the
// registration follows the policy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import type { SignedPolicy } from '../../src/store/policies.ts';
import type { NewRegistration } from '../../src/store/registration-rows.ts';
import type { Store } from '../../src/store/store.ts';
import { openTestStore } from './store-fixture.ts';
import type { MakeVenue } from './store-venue.ts';

const MOST = 3;
const DAY_MS = 24 * 60 * 60 * 1000;
const wallet = (name: string): Address => `wallet-${name}` as Address;

const policyOf = (name: string, nonce: number, more: Partial<SignedPolicy> = {}): SignedPolicy => ({
  walletAddress: wallet(name),
  keepLiquidLamports: 2n ** 62n,
  minSweepLamports: 1n,
  callbackUrl: `https://hook.example/${nonce}`,
  paused: false,
  nonce,
  signature: 'signature',
  ...more,
});

let ids = 0;
const registrationOf = (policy: SignedPolicy, client = 'client'): NewRegistration => {
  ids += 1;
  return {
    id: `registration-${ids}`,
    kind: 'autopilot',
    walletAddress: policy.walletAddress,
    callbackUrl: policy.callbackUrl,
    events: [],
    createdAtMs: 5,
    createdEpoch: 1n,
    createdSlot: 2n,
    client,
  };
};

const put = (store: Store, policy: SignedPolicy, nowMs = 10, client?: string) =>
  store.policies.put(policy, registrationOf(policy, client), MOST, nowMs);

export const policiesContract = (makeVenue: MakeVenue): void => {
  test('a policy is stored completely, together with its registration', async (t) => {
    const store = await openTestStore(t, (await makeVenue(t)).location);
    assert.equal(await store.policies.find(wallet('a')), null);
    const stored = await put(store, policyOf('a', 7));
    assert.ok(stored.outcome === 'stored' && stored.isNewRegistration);
    assert.deepEqual(stored.record, {
      walletAddress: wallet('a'),
      keepLiquidLamports: 2n ** 62n,
      minSweepLamports: 1n,
      callbackUrl: 'https://hook.example/7',
      paused: false,
      nonce: 7,
      registrationId: stored.record.registrationId,
      createdAtMs: 10,
      updatedAtMs: 10,
      deletedAtMs: null,
      lastSweep: null,
      lastSkip: null,
    });
    assert.deepEqual(await store.policies.find(wallet('a')), stored.record);
    const registration = await store.webhooks.find(stored.record.registrationId);
    assert.equal(registration?.kind, 'autopilot');
    assert.deepEqual(
      await store.webhooks.ofWallet(wallet('a'), { after: null, limit: 9 }),
      [],
      'it is not listed for any other wallet',
    );
  });

  test('only a higher nonce counts, both for setting and for deleting, even after a deletion', async (t) => {
    const { policies, ...store } = await openTestStore(t, (await makeVenue(t)).location);
    await put({ policies, ...store }, policyOf('a', 7));
    for (const nonce of [6, 7])
      assert.deepEqual(await put({ policies, ...store }, policyOf('a', nonce)), {
        outcome: 'stale',
        nonce: 7,
      });
    assert.deepEqual(await policies.delete(wallet('a'), 7, 20), { outcome: 'stale', nonce: 7 });
    assert.deepEqual(await policies.delete(wallet('a'), 8, 20), { outcome: 'deleted' });
    assert.deepEqual(await policies.delete(wallet('a'), 9, 20), { outcome: 'none' });
    assert.deepEqual(await policies.delete(wallet('b'), 9, 20), { outcome: 'none' });
    assert.deepEqual(await put({ policies, ...store }, policyOf('a', 8)), { outcome: 'stale', nonce: 8 });
    assert.equal((await policies.find(wallet('a')))?.deletedAtMs, 20);
    const again = await put({ policies, ...store }, policyOf('a', 9));
    assert.ok(again.outcome === 'stored' && again.isNewRegistration, 'a new policy, a new secret');
  });

  test('a changed policy keeps its registration and updates its callback, and a deletion ends both', async (t) => {
    const store = await openTestStore(t, (await makeVenue(t)).location);
    const first = await put(store, policyOf('a', 1));
    const second = await put(store, policyOf('a', 2, { paused: true }), 30);
    assert.ok(first.outcome === 'stored' && second.outcome === 'stored');
    assert.equal(second.isNewRegistration, false);
    assert.equal(second.record.registrationId, first.record.registrationId);
    assert.deepEqual([second.record.createdAtMs, second.record.updatedAtMs], [10, 30]);
    const registration = () => store.webhooks.find(first.record.registrationId);
    assert.equal((await registration())?.callbackUrl, 'https://hook.example/2');
    assert.equal((await registration())?.lastDeliveryAtMs, null);
    await store.policies.delete(wallet('a'), 3, 40);
    assert.equal((await registration())?.deletedAtMs, 40);
  });

  test('of several concurrent requests, the policy with the highest nonce remains, with exactly one active registration', async (t) => {
    const store = await openTestStore(t, (await makeVenue(t)).location);
    const nonces = Array.from({ length: 20 }, (_, at) => at + 1);
    const stored = await Promise.all(
      nonces.map((nonce) => put(store, policyOf('a', nonce), 10, `client-${nonce}`)),
    );
    const record = await store.policies.find(wallet('a'));
    assert.equal(record?.nonce, 20);
    assert.equal(stored.filter((one) => one.outcome === 'stored' && one.isNewRegistration).length, 1);
    assert.equal((await store.webhooks.find(record!.registrationId))?.callbackUrl, record?.callbackUrl);
  });

  test('a client cannot exceed its number of policies, which includes deleted ones for 24 hours, but can change existing policies', async (t) => {
    const store = await openTestStore(t, (await makeVenue(t)).location);
    for (const name of ['a', 'b', 'c']) assert.equal((await put(store, policyOf(name, 1))).outcome, 'stored');
    assert.equal((await put(store, policyOf('d', 1))).outcome, 'limit');
    assert.equal(await store.policies.find(wallet('d')), null);
    assert.equal((await put(store, policyOf('a', 2))).outcome, 'stored');
    assert.equal((await put(store, policyOf('d', 1), 10, 'another')).outcome, 'stored');
    await store.policies.delete(wallet('b'), 2, 20);
    // Created at time 5, like its registration.
    assert.equal((await put(store, policyOf('e', 1), DAY_MS + 4)).outcome, 'limit');
    assert.equal((await put(store, policyOf('e', 1), DAY_MS + 5)).outcome, 'stored');
  });

  test('active policies are listed by wallet, page by page, without paused and deleted ones', async (t) => {
    const store = await openTestStore(t, (await makeVenue(t)).location);
    for (const name of ['c', 'a', 'e', 'b', 'd'])
      await put(store, policyOf(name, 1, { paused: name === 'b' }), 10, name);
    await store.policies.delete(wallet('d'), 2, 20);
    const page = async (after: string | null) =>
      (await store.policies.active(after, 2)).map(({ walletAddress }) => walletAddress);
    assert.deepEqual(await page(null), [wallet('a'), wallet('c')]);
    assert.deepEqual(await page(wallet('c')), [wallet('e')]);
  });

  test('the last offer and the last reason are stored, and an earlier epoch never replaces a later one', async (t) => {
    const store = await openTestStore(t, (await makeVenue(t)).location);
    await put(store, policyOf('a', 1));
    const sweep = (epoch: bigint) => ({
      epoch,
      lamports: 2n ** 60n,
      eventId: `event-${epoch}`,
      atMs: 50,
    });
    const skip = { epoch: 5n, reason: 'WALLET_SHORT', atMs: 60 } as const;
    await store.policies.noteSweep(wallet('a'), sweep(5n));
    await store.policies.noteSweep(wallet('a'), sweep(4n));
    await store.policies.noteSkip(wallet('a'), skip);
    const record = await store.policies.find(wallet('a'));
    assert.deepEqual([record?.lastSweep, record?.lastSkip], [sweep(5n), skip]);
    await store.policies.delete(wallet('a'), 2, 70);
    await put(store, policyOf('a', 3));
    assert.deepEqual(
      (await store.policies.find(wallet('a')))?.lastSweep,
      sweep(5n),
      'one per epoch, whatever the policy',
    );
  });
};

// Contract tests, run on every engine, for the watcher's stored accounts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import type { WatchedAccount } from '../../src/store/watched-accounts.ts';
import { openTestStore } from './store-fixture.ts';
import type { MakeVenue } from './store-venue.ts';

const watched = (number: number, overrides: Partial<WatchedAccount> = {}): WatchedAccount => ({
  address: `account-${String(number).padStart(4, '0')}` as Address,
  wallet: 'wallet' as Address,
  slot: 2n ** 40n,
  lamports: 2n ** 62n + 1n,
  data: Uint8Array.from({ length: 200 }, (_, i) => (i * number) & 255),
  delegatedEpoch: 800n,
  ...overrides,
});

export const watchedAccountsContract = (makeVenue: MakeVenue): void => {
  test('watched accounts are read back byte for byte, in pages without gaps or repetitions, when the store is next opened', async (t) => {
    const { location } = await makeVenue(t);
    const accounts = Array.from({ length: 250 }, (_, number) =>
      watched(number, number % 2 === 0 ? {} : { delegatedEpoch: null }),
    );
    const first = await openTestStore(t, location);
    await first.watched.save(accounts.toReversed(), []);
    await first.close();
    const { watched: stored } = await openTestStore(t, location);
    const found: WatchedAccount[] = [];
    for (let after: string | null = null; ; after = found.at(-1)!.address) {
      const page: readonly WatchedAccount[] = await stored.page(after, 100);
      found.push(...page);
      if (page.length < 100) break;
    }
    assert.deepEqual(found, accounts);
  });

  test('a later poll replaces an earlier one but never the reverse, and closed accounts are deleted', async (t) => {
    const { location } = await makeVenue(t);
    const { watched: stored } = await openTestStore(t, location);
    await stored.save([watched(1, { slot: 10n }), watched(2)], []);
    await stored.save([watched(1, { slot: 12n, lamports: 5n })], []);
    await stored.save([watched(1, { slot: 11n, lamports: 4n })], []);
    assert.deepEqual(await stored.page(null, 10), [watched(1, { slot: 12n, lamports: 5n }), watched(2)]);
    await stored.save([watched(3)], [watched(1).address, watched(9).address]);
    assert.deepEqual(await stored.page(null, 10), [watched(2), watched(3)]);
    await stored.save([], []);
  });
};

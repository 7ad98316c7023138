// Tests that all registrations of a wallet are found, however many there are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address, Signature } from '@solana/kit';
import { numbered } from '../../../test/support/scripted-watch.ts';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import { exampleId, exampleRegistration, NO_CAPS } from '../../../test/support/webhook-examples.ts';
import type { HistoryOptions } from './account-history.ts';
import { readWatchedWallets, searchWallet } from './search-wallet.ts';

test('registrations are read to the last page, including deleted ones but not those of the autopilot', async (t) => {
  const { webhooks } = await openTestStore(t);
  assert.deepEqual(await readWatchedWallets(webhooks), { byWallet: new Map(), ids: new Set() });
  for (let number = 0; number < 500; number += 1)
    await webhooks.register(exampleRegistration(number, { walletAddress: `wallet ${number % 3}` }), NO_CAPS);
  const exactlyOnePage = await readWatchedWallets(webhooks);
  assert.equal(exactlyOnePage.ids.size, 500);
  await webhooks.register(exampleRegistration(500, { walletAddress: 'wallet 0' }), NO_CAPS);
  await webhooks.register(exampleRegistration(501, { kind: 'autopilot', events: [] }), NO_CAPS);
  await webhooks.delete(exampleId(1), 1);
  const { byWallet, ids } = await readWatchedWallets(webhooks);
  const counts = Object.fromEntries([...byWallet].map(([wallet, its]) => [wallet, its.length]));
  assert.deepEqual(counts, { 'wallet 0': 168, 'wallet 1': 167, 'wallet 2': 166 });
  assert.equal(ids.size, 501);
  assert.deepEqual(
    [ids.has(exampleId(500)), ids.has(exampleId(1)), ids.has(exampleId(501))],
    [true, true, false],
  );
});

test('if there are too many transactions, the newest are read and a gap reports that older ones are missing', async () => {
  const account = (slot: bigint): Address => numbered(100 + Number(slot));
  const options = {
    reads: {
      // Newest first, as a node returns them.
      signaturesFor: async () =>
        [5n, 4n, 3n, 2n, 1n].map((slot) => ({ signature: `${slot}` as Signature, slot, succeeded: true })),
    },
    transactions: {
      read: async (signature: Signature) => ({
        operations: [{ type: 'deactivate', account: account(BigInt(signature)) }],
      }),
    },
    signal: new AbortController().signal,
    minSlot: 5n,
  } as unknown as HistoryOptions;
  const range = { after: 0n, through: 5n };
  const found = await searchWallet(options, numbered(1), range, 2);
  assert.deepEqual(found.accounts, [account(4n), account(5n)]);
  assert.equal(found.gap?.reason, 'too-many-transactions');
  assert.equal((await searchWallet(options, numbered(1), range, 5)).gap, null);
});

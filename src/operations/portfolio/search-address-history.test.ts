import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Address, Signature } from '@solana/kit';
import { patience } from '../../../test/support/patience.ts';
import { exampleKey, PLAN } from '../../../test/support/plan-context.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { exampleSignature } from '../../../test/support/store-examples.ts';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import type { AddressSignature, SolanaReads } from '../../chain/ports.ts';
import { createSearchBudget } from '../../chain/rpc/search-budget.ts';
import { buildTransaction, encodeWire } from '../../chain/transactions/transaction.ts';
import type { Context } from '../context.ts';
import { searchAddress } from './search-address-history.ts';

const donationAddress = exampleKey(7);
const settings = { voteAccount: PLAN.voteAccount, memo: PLAN.memo, donationAddress };
const OURS = `[16] ${PLAN.memo}`;

/** Returns the history row of slot `slot`, whose transaction donates `slot` lamports to us. */
const row = (slot: number, overrides: Partial<AddressSignature> = {}): AddressSignature => ({
  signature: exampleSignature(slot) as Signature,
  slot: BigInt(slot),
  succeeded: true,
  memo: OURS,
  blockTimeSeconds: 1_700_000_000 + slot,
  ...overrides,
});

/** Returns the rows of the slots from `newest` down to 1. */
const rowsDownFrom = (newest: number, overrides: Partial<AddressSignature> = {}): AddressSignature[] =>
  Array.from({ length: newest }, (_, i) => row(newest - i, overrides));

/** Opens a real store and a chain that contains `rows`, newest first. */
const open = async (t: TestContext, rows: AddressSignature[]) => {
  const { transactions } = await openTestStore(t);
  const clock = createManualClock();
  const read: number[] = [];
  const pages: Parameters<SolanaReads['signaturesFor']>[1][] = [];
  const reads: Pick<SolanaReads, 'signaturesFor' | 'transaction'> = {
    signaturesFor: async (_address, options) => {
      pages.push(options);
      const from = rows.findIndex(({ signature }) => signature === options.before) + 1;
      return rows.slice(from, from + options.limit);
    },
    transaction: async (signature) => {
      const found = rows.find((one) => one.signature === signature);
      if (found === undefined) return null;
      read.push(Number(found.slot));
      const lamports = found.slot;
      const plain = { wallet: PLAN.wallet, blockhash: exampleKey(9), donationAddress, lamports };
      const wireBytes = encodeWire(buildTransaction.donate({ ...plain, memo: PLAN.memo }));
      return { slot: found.slot, wireBytes, error: null, blockTimeSeconds: found.blockTimeSeconds };
    },
  };
  const position = {
    epoch: 20n,
    absoluteSlot: 10_000n,
    slotIndex: 0n,
    slotsInEpoch: 1_000n,
    slotDurationMs: 400,
  };
  const ctx = {
    store: { transactions },
    chain: { reads, cluster: { recentEpochPosition: async () => position } },
    service: { settings },
    clock,
  };
  return {
    rows,
    read,
    pages,
    clock,
    transactions,
    search: (finalizedSlot: number, calls = 10_000, address: Address = PLAN.wallet) =>
      searchAddress(
        {
          ctx: ctx as unknown as Context,
          budget: createSearchBudget(() => 0, { burst: calls, perSecond: 0 }),
          finalizedSlot: BigInt(finalizedSlot),
          signal: patience(),
        },
        address,
      ),
    history: async () =>
      (await transactions.pageWalletHistory(PLAN.wallet)).entries.map(({ slot }) => Number(slot)),
  };
};

test('a search of an address without signatures covers its whole history', async (t) => {
  const { search } = await open(t, []);
  const mark = await search(50);
  assert.deepEqual([mark?.fromSlot, mark?.toSlot, mark?.reachesStart], [0n, 50n, true]);
  assert.deepEqual([mark?.fromSignature, mark?.toSignature], [null, null]);
});

test('a transaction is read only if it succeeded and has our memo, and is stored with its amount and times', async (t) => {
  const { search, read, transactions } = await open(t, [
    row(4, { memo: null }),
    row(3, { succeeded: false }),
    row(2),
    row(1, { memo: '[5] other' }),
  ]);
  await search(50);
  assert.deepEqual(read, [2]);
  const [recorded, ...more] = (await transactions.pageWalletHistory(PLAN.wallet)).entries;
  assert.deepEqual(more, []);
  assert.deepEqual(
    [recorded?.type, recorded?.amountLamports, recorded?.epoch, recorded?.confirmedAtMs, recorded?.source],
    ['donate', 2n, 10n, 1_700_000_002_000, 'chain'],
  );
});

test('a missing block time is estimated from the distance to the finalized slot', async (t) => {
  const { search, clock, transactions } = await open(t, [row(10, { blockTimeSeconds: null })]);
  await search(60);
  const [recorded] = (await transactions.pageWalletHistory(PLAN.wallet)).entries;
  assert.equal(recorded?.confirmedAtMs, clock.now() - 50 * 400);
});

test('transactions that are not finalized are left for the next search, which reads none of them twice', async (t) => {
  const { search, history, read } = await open(t, rowsDownFrom(3));
  assert.equal((await search(2))?.toSlot, 2n);
  assert.deepEqual(await history(), [2, 1]);
  const mark = await search(3);
  assert.deepEqual(await history(), [3, 2, 1]);
  assert.deepEqual([mark?.fromSlot, mark?.reachesStart], [0n, true]);
  assert.deepEqual(
    read.toSorted((a, b) => a - b),
    [1, 2, 3],
  );
});

test('a node behind the finalized slot is not queried, because it cannot have seen all slots that the checkpoint covers', async (t) => {
  const { search, pages } = await open(t, [row(1)]);
  await search(44);
  assert.deepEqual(
    pages.map(({ minContextSlot, commitment }) => [minContextSlot, commitment]),
    [[44n, 'finalized']],
  );
});

test('the checkpoint ends where the budget ran out, and the next search continues from there', async (t) => {
  const { search, history, read } = await open(t, rowsDownFrom(6));
  const first = await search(50, 4);
  assert.deepEqual([first?.fromSlot, first?.toSlot, first?.reachesStart], [4n, 50n, false]);
  assert.equal(first?.fromSignature, exampleSignature(4));
  assert.deepEqual(await history(), [6, 5, 4]);
  assert.equal((await search(50))?.reachesStart, true);
  assert.deepEqual(await history(), [6, 5, 4, 3, 2, 1]);
  assert.equal(read.length, 6);
});

test('without any budget the checkpoint stays unchanged', async (t) => {
  const { search } = await open(t, rowsDownFrom(2));
  assert.equal(await search(50, 0), null);
  // The only call lists the signatures. None is left to read a transaction, so the search covers nothing.
  assert.equal(await search(50, 1), null);
  const mark = await search(50, 2);
  assert.deepEqual([mark?.fromSlot, mark?.reachesStart], [2n, false]);
  assert.deepEqual(await search(50, 0), mark);
});

test('a busy address is searched three pages at a time in each direction, from the newest transaction to the first', async (t) => {
  const { search, pages } = await open(t, rowsDownFrom(6_500, { memo: null }));
  const first = await search(9_000);
  assert.deepEqual([first?.fromSlot, first?.toSlot, first?.reachesStart], [501n, 9_000n, false]);
  assert.equal(pages.length, 6);
  const second = await search(9_000);
  assert.deepEqual([second?.fromSlot, second?.reachesStart], [0n, true]);
  assert.equal(pages.length, 7);
});

test('if the budget ends on the second page, the checkpoint keeps the newest signature of the first page', async (t) => {
  const rows = [...rowsDownFrom(2_000, { memo: null }).slice(0, 1_000), row(1_000), row(999)];
  const { search } = await open(t, rows);
  const mark = await search(5_000, 2);
  assert.deepEqual([mark?.fromSlot, mark?.toSignature], [1_001n, exampleSignature(2_000)]);
});

test('the search does not claim to cover a gap that it did not close', async (t) => {
  const { search, rows } = await open(t, [row(1, { memo: null })]);
  assert.equal((await search(5))?.reachesStart, true);
  rows.unshift(...rowsDownFrom(4_200, { memo: null }).slice(0, 4_000));
  // Three pages of new signatures use up the budget, so no call is left for older ones.
  const mark = await search(9_000, 3);
  assert.deepEqual([mark?.fromSlot, mark?.reachesStart], [1_201n, false]);
});

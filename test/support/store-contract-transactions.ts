// Contract tests, run on every engine, for records of landed transactions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAppError } from '../../src/kernel/app-error.ts';
import type { Coverage, TransactionRecords } from '../../src/store/transaction-records.ts';
import { seededRandom } from './seeded-random.ts';
import { exampleSignature, exampleTransaction } from './store-examples.ts';
import { openTestStore } from './store-fixture.ts';
import type { MakeVenue } from './store-venue.ts';
import type { Scope } from './temporary-folder.ts';

const NOW_MS = 1_800_000_000_000;
const HOUR_MS = 60 * 60 * 1000;

export const transactionRecordsContract = (makeVenue: MakeVenue): void => {
  const open = async (t: Scope): Promise<TransactionRecords> =>
    (await openTestStore(t, (await makeVenue(t)).location)).transactions;

  test('a record is read back completely, exact to the lamport, when the store is next opened', async (t) => {
    const { location } = await makeVenue(t);
    const store = await openTestStore(t, location);
    const records = [
      exampleTransaction(3, { amountLamports: 2n ** 63n - 1n, slot: 2n ** 60n, source: 'mcp' }),
      exampleTransaction(2, { amountLamports: 9_007_199_254_740_993n, type: 'withdraw' }),
      exampleTransaction(1, { amountLamports: 0n, type: 'donate', stakeAccountAddress: null }),
    ];
    assert.equal(await store.transactions.record(records), 3);
    await store.close();
    const { transactions } = await openTestStore(t, location);
    assert.deepEqual(await transactions.pageWalletHistory('wallet'), { entries: records, nextCursor: null });
    const found = await transactions.find([exampleSignature(2), exampleSignature(9)]);
    assert.deepEqual([...found.values()], [records[1]]);
    assert.equal((await transactions.find([])).size, 0);
  });

  test('the legs of a transaction are read back in order, and the legs recorded first remain', async (t) => {
    const transactions = await open(t);
    const leg = { type: 'merge', stakeAccount: 'one', counterAccount: 'two', lamports: null } as const;
    const record = exampleTransaction(1, {
      legs: Array.from({ length: 250 }, (_, index) => ({ ...leg, lamports: BigInt(index) })),
    });
    const bare = exampleTransaction(2, { legs: [{ ...leg, stakeAccount: null, counterAccount: null }] });
    await transactions.record([bare, record]);
    await transactions.record([{ ...record, legs: [{ ...leg, lamports: 9n }] }]);
    const { entries } = await transactions.pageWalletHistory('wallet');
    assert.deepEqual(entries, [bare, record]);
    const found = await transactions.find([exampleSignature(1), exampleSignature(2)]);
    assert.deepEqual(found.get(exampleSignature(1)), record);
    await transactions.record([
      exampleTransaction(3, { legs: [{ ...leg, type: 'moveStake', stakeAccount: 'three' }] }),
      exampleTransaction(4, { legs: [{ ...leg, type: 'moveStake', stakeAccount: 'three' }] }),
      exampleTransaction(5, { legs: [{ ...leg, type: 'moveLamports', stakeAccount: 'four' }] }),
    ]);
    const moved = await transactions.movedOutOf();
    assert.deepEqual(
      moved.toSorted((one, other) => (one.account < other.account ? -1 : 1)),
      [
        { account: 'four', wallet: 'wallet' },
        { account: 'three', wallet: 'wallet' },
      ],
    );
    const { recent } = await transactions.statistics(NOW_MS, 5);
    assert.deepEqual(new Set(recent.slice(3)), new Set([bare, record]));
  });

  test('a delegation after a deactivation in the same epoch is an undo, whichever is recorded first', async (t) => {
    const transactions = await open(t);
    const done = (
      number: number,
      type: 'create' | 'delegate' | 'deactivate',
      epoch: bigint,
      account = 'one',
    ) =>
      exampleTransaction(number, {
        epoch,
        legs: [{ type, stakeAccount: account, counterAccount: null, lamports: 5n }],
      });
    await transactions.record([
      ...[done(9, 'delegate', 6n), done(8, 'delegate', 5n), done(7, 'delegate', 4n)],
      ...[done(6, 'deactivate', 4n, 'two'), done(5, 'delegate', 4n), done(4, 'deactivate', 4n)],
    ]);
    await transactions.record([done(3, 'deactivate', 5n, 'two'), done(2, 'delegate', 4n)]);
    const { entries } = await transactions.pageWalletHistory('wallet');
    assert.deepEqual(
      entries.map(({ slot, legs }) => [Number(slot), legs[0]!.type]),
      [
        ...[
          [9, 'delegate'],
          [8, 'delegate'],
          [7, 'delegate'],
        ],
        ...[
          [6, 'deactivate'],
          [5, 'undo'],
          [4, 'deactivate'],
          [3, 'deactivate'],
          [2, 'delegate'],
        ],
      ],
    );
    const page = await transactions.pageWalletHistory('wallet', { throughSlot: 5n, limit: 1 });
    assert.equal(page.entries[0]!.legs[0]!.type, 'undo', 'its deactivation is on another page');
  });

  test('a transaction is stored once, however often and by however many processes it is recorded', async (t) => {
    const transactions = await open(t);
    const records = Array.from({ length: 250 }, (_, index) => exampleTransaction(index + 1));
    const added = await Promise.all([
      transactions.record(records),
      transactions.record(records.toReversed()),
      transactions.record(records.slice(100)),
    ]);
    assert.equal(
      added.reduce((sum, count) => sum + count),
      250,
    );
    assert.equal(await transactions.record(records), 0);
    assert.equal((await transactions.statistics(NOW_MS)).byType.stake.count, 250);
  });

  test('the first record remains, and only the interface that submitted the transaction can still be added', async (t) => {
    const transactions = await open(t);
    await transactions.record([exampleTransaction(1, { source: 'chain' })]);
    await transactions.record([exampleTransaction(1, { source: 'mcp', amountLamports: 5n })]);
    await transactions.record([exampleTransaction(1, { source: 'rest' })]);
    await transactions.record([exampleTransaction(1, { source: 'chain' })]);
    const { entries } = await transactions.pageWalletHistory('wallet');
    assert.deepEqual(entries, [exampleTransaction(1, { source: 'mcp' })]);
  });

  test('an amount beyond 63 bits is refused instead of changed', async (t) => {
    const transactions = await open(t);
    for (const amountLamports of [-1n, 2n ** 63n])
      await assert.rejects(
        async () => transactions.record([exampleTransaction(1, { amountLamports })]),
        RangeError,
      );
    assert.equal((await transactions.statistics(NOW_MS)).byType.stake.count, 0);
  });

  test('pages contain each entry of exactly one wallet’s whole history once, newest first', async (t) => {
    const transactions = await open(t);
    const random = seededRandom(7);
    const records = Array.from({ length: 330 }, (_, index) =>
      // Several per slot, so the order within a slot is also tested.
      exampleTransaction(index + 1, { slot: BigInt(Math.floor(random() * 40)) }),
    );
    await transactions.record(records);
    await transactions.record([exampleTransaction(1_000, { wallet: 'other', slot: 20n })]);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await transactions.pageWalletHistory('wallet', { limit: 70, cursor });
      seen.push(...page.entries.map(({ signature }) => signature));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    const expected = records
      .toSorted((a, b) =>
        a.slot === b.slot ? (a.signature < b.signature ? 1 : -1) : a.slot < b.slot ? 1 : -1,
      )
      .map(({ signature }) => signature);
    assert.deepEqual(seen, expected);
  });

  test('a page that ends exactly at the end has no next page', async (t) => {
    const transactions = await open(t);
    await transactions.record([exampleTransaction(1), exampleTransaction(2)]);
    assert.ok((await transactions.pageWalletHistory('wallet', { limit: 1 })).nextCursor);
    assert.equal((await transactions.pageWalletHistory('wallet', { limit: 2 })).nextCursor, null);
    assert.deepEqual(await transactions.pageWalletHistory('nobody'), { entries: [], nextCursor: null });
  });

  test('entries that arrive between two pages are neither repeated nor hidden', async (t) => {
    const transactions = await open(t);
    await transactions.record([10, 20, 30, 40].map((slot) => exampleTransaction(slot)));
    const first = await transactions.pageWalletHistory('wallet', { limit: 2 });
    await transactions.record([50, 35, 15].map((slot) => exampleTransaction(slot)));
    const second = await transactions.pageWalletHistory('wallet', { limit: 9, cursor: first.nextCursor! });
    assert.deepEqual(
      [...first.entries, ...second.entries].map(({ slot }) => Number(slot)),
      [40, 30, 20, 15, 10],
    );
  });

  test('the history can end at a slot, so nothing unfinished is reported', async (t) => {
    const transactions = await open(t);
    await transactions.record([10, 20, 30].map((slot) => exampleTransaction(slot)));
    const { entries } = await transactions.pageWalletHistory('wallet', { throughSlot: 20n });
    assert.deepEqual(
      entries.map(({ slot }) => slot),
      [20n, 10n],
    );
  });

  test('an invalid limit or cursor causes a validation error, never a query', async (t) => {
    const transactions = await open(t);
    const forged = ['', 'x', '!', Buffer.from("1.x' OR 1=1").toString('base64url'), `${2n ** 64n}`];
    for (const page of [
      ...[0, 201, 1.5, Number.NaN].map((limit) => ({ limit })),
      ...forged.map((cursor) => ({ cursor })),
    ])
      await assert.rejects(
        transactions.pageWalletHistory('wallet', page),
        (error: unknown) => isAppError(error, 'VALIDATION_ERROR'),
        JSON.stringify(page),
      );
  });

  const stretch = (fromSlot: number, toSlot: number, overrides: Partial<Coverage> = {}): Coverage => ({
    address: 'address',
    fromSlot: BigInt(fromSlot),
    fromSignature: `at ${fromSlot}`,
    toSlot: BigInt(toSlot),
    toSignature: `at ${toSlot}`,
    reachesStart: false,
    ...overrides,
  });

  test('the searched range is stored by address', async (t) => {
    const { location } = await makeVenue(t);
    const { transactions } = await openTestStore(t, location);
    assert.equal(await transactions.coverage('address'), null);
    const mark = stretch(10, 20, { fromSignature: null, toSignature: null, reachesStart: true });
    assert.deepEqual(await transactions.extendCoverage(mark), mark);
    assert.deepEqual(await (await openTestStore(t, location)).transactions.coverage('address'), mark);
    assert.equal(await transactions.coverage('another'), null);
  });

  test('adjacent ranges are joined, in any order', async (t) => {
    const transactions = await open(t);
    for (const [name, marks] of Object.entries({
      forwards: [stretch(10, 20), stretch(20, 30), stretch(5, 10, { reachesStart: true })],
      backwards: [stretch(5, 10, { reachesStart: true }), stretch(20, 30), stretch(10, 20), stretch(20, 30)],
    })) {
      for (const mark of marks) await transactions.extendCoverage({ ...mark, address: name });
      assert.deepEqual(
        await transactions.coverage(name),
        name === 'forwards'
          ? stretch(5, 30, { address: name, reachesStart: true })
          : // The newer range was separate before, so the search started again at its older end.
            stretch(10, 30, { address: name }),
      );
    }
  });

  test('a checkpoint never covers a gap: of two separate ranges, the newer one remains', async (t) => {
    const transactions = await open(t);
    await transactions.extendCoverage(stretch(10, 20, { reachesStart: true }));
    assert.deepEqual(await transactions.extendCoverage(stretch(30, 40)), stretch(30, 40));
    assert.deepEqual(await transactions.extendCoverage(stretch(1, 20)), stretch(30, 40));
  });

  test('ranges extended concurrently by several processes all count', async (t) => {
    const transactions = await open(t);
    await transactions.extendCoverage(stretch(100, 110));
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => [
        transactions.extendCoverage(stretch(100, 111 + index)),
        transactions.extendCoverage(stretch(99 - index, 110)),
      ]).flat(),
    );
    assert.deepEqual(await transactions.coverage('address'), stretch(90, 120));
  });

  /** Expected counts, in the order of the figures below. */
  const KINDS = ['stake', 'unstake', 'withdraw', 'donate', 'restake', 'rearrange'] as const;

  const noSources = { rest: 0, page: 0, client: 0, cli: 0, 'mcp-stdio': 0, mcp: 0, actions: 0, chain: 0 };

  test('statistics without transactions are zero', async (t) => {
    const nothing = {
      byType: Object.fromEntries(KINDS.map((type) => [type, { count: 0, lamports: 0n }])),
      uniqueWallets: 0,
    };
    assert.deepEqual(await (await open(t)).statistics(NOW_MS), {
      ...nothing,
      bySource: noSources,
      last24h: nothing,
      last7d: nothing,
      last30d: nothing,
      recent: [],
    });
  });

  test('statistics count every transaction once in each window that contains it, by type, source and wallet', async (t) => {
    const transactions = await open(t);
    const aged = [
      { hours: 1, type: 'stake', wallet: 'a', source: 'rest', amountLamports: 1n },
      { hours: 24, type: 'stake', wallet: 'a', source: 'mcp', amountLamports: 10n },
      { hours: 24.01, type: 'withdraw', wallet: 'b', source: 'chain', amountLamports: 100n },
      { hours: 7 * 24, type: 'donate', wallet: 'c', source: 'rest', amountLamports: 1_000n },
      { hours: 30 * 24, type: 'unstake', wallet: 'a', source: 'rest', amountLamports: 10_000n },
      { hours: 31 * 24, type: 'stake', wallet: 'd', source: 'chain', amountLamports: 100_000n },
      { hours: 31 * 24, type: 'restake', wallet: 'd', source: 'chain', amountLamports: 1_000_000n },
      { hours: 25, type: 'rearrange', wallet: 'a', source: 'cli', amountLamports: 0n },
    ] as const;
    await transactions.record(
      aged.map(({ hours, ...record }, index) =>
        exampleTransaction(index + 1, { ...record, confirmedAtMs: NOW_MS - Math.round(hours * HOUR_MS) }),
      ),
    );
    const statistics = await transactions.statistics(NOW_MS, 2);
    const shown = ({ byType, uniqueWallets }: typeof statistics.last24h) => [
      ...KINDS.flatMap((kind) => [byType[kind].count, Number(byType[kind].lamports)]),
      uniqueWallets,
    ];
    // Count and amount per kind, then the wallets.
    assert.deepEqual(shown(statistics), [3, 100_011, 1, 10_000, 1, 100, 1, 1_000, 1, 1_000_000, 1, 0, 4]);
    assert.deepEqual(shown(statistics.last30d), [2, 11, 1, 10_000, 1, 100, 1, 1_000, 0, 0, 1, 0, 3]);
    assert.deepEqual(shown(statistics.last7d), [2, 11, 0, 0, 1, 100, 1, 1_000, 0, 0, 1, 0, 3]);
    assert.deepEqual(shown(statistics.last24h), [2, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert.deepEqual(statistics.bySource, { ...noSources, rest: 3, cli: 1, mcp: 1, chain: 3 });
    assert.deepEqual(
      statistics.recent.map(({ signature }) => signature),
      [exampleSignature(1), exampleSignature(2)],
    );
  });

  test('sums stay exact beyond 64 bits', async (t) => {
    const transactions = await open(t);
    const most = 2n ** 63n - 1n;
    await transactions.record(
      [1, 2, 3].map((number) => exampleTransaction(number, { amountLamports: most })),
    );
    assert.equal((await transactions.statistics(NOW_MS)).byType.stake.lamports, 3n * most);
  });
};

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { until } from '../../../test/support/index-fixture.ts';
import { patience } from '../../../test/support/patience.ts';
import { exampleKey, PLAN } from '../../../test/support/plan-context.ts';
import { exampleSignature, exampleTransaction } from '../../../test/support/store-examples.ts';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import { createSearchBudget } from '../../chain/rpc/search-budget.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import type { Context } from '../context.ts';
import { walletHistory } from './wallet-history.ts';

const { wallet } = PLAN;
const donationAddress = exampleKey(7);
const manyKeys = (index: number): Address =>
  encodeBase58(new Uint8Array(32).fill(100).fill(index, 0, 1)) as Address;

/**
 * Opens a wallet with `recorded` entries in slots 1, 2, …, on a chain that is finalized up to slot 40 and lists
 * `rowsOf` for each address.
 */
const open = async (
  t: TestContext,
  {
    recorded = 0,
    rowsOf = () => 0,
    calls = 1_000,
    seenEver = [],
  }: {
    recorded?: number;
    rowsOf?: (address: Address) => number;
    calls?: number;
    seenEver?: readonly Address[];
  } = {},
) => {
  const { transactions } = await openTestStore(t);
  await transactions.record(
    Array.from({ length: recorded }, (_, i) => {
      const stakeAccountAddress = i === 0 ? null : exampleKey(60 + i);
      return exampleTransaction(i + 1, { wallet, stakeAccountAddress, amountLamports: BigInt(i) });
    }),
  );
  const searched: Address[] = [];
  const chain = { away: false };
  const delayed = async <T>(value: T): Promise<T> => {
    if (chain.away) throw new AppError('UPSTREAM_UNAVAILABLE', 'away');
    return value;
  };
  const ctx = {
    store: { transactions },
    service: {
      settings: {
        donationAddress,
        memo: PLAN.memo,
        explorerUrl: 'https://explorer.example',
        explorerQuery: '?x',
      },
      lifetime: new AbortController().signal,
    },
    chain: {
      index: { seenEver: () => seenEver },
      searchBudget: createSearchBudget(() => 0, { burst: calls, perSecond: 0 }),
      reads: {
        accounts: () => delayed({ slot: 40n, accounts: [null] }),
        signaturesFor: (address: Address) => {
          searched.push(address);
          const row = (i: number) => ({
            signature: exampleSignature(900 - i),
            slot: 30n,
            succeeded: true,
            memo: null,
          });
          return delayed(Array.from({ length: rowsOf(address) }, (_, i) => row(i)));
        },
      },
    },
  } as unknown as Context;
  const ask = async (input: { limit?: number; cursor?: string } = {}, signal = patience()) => {
    const parsed = walletHistory.input.parse({ walletAddress: wallet, ...input });
    const { body } = await walletHistory.run({ ctx, input: parsed, signal, source: 'rest', client: 'test' });
    return body;
  };
  return { ask, searched, chain, transactions };
};

test('a wallet without transactions is searched to the beginning and reported as covered without a warning', async (t) => {
  const { ask, searched } = await open(t);
  assert.deepEqual(await ask(), {
    walletAddress: wallet,
    history: [],
    nextCursor: null,
    coverageFromSlot: 0,
    complete: true,
    warnings: [],
    notices: [],
  });
  assert.deepEqual(searched, [wallet], 'only the wallet itself has to be searched');
});

test('an entry contains explorer links, and that of a donation omits the account link', async (t) => {
  const { ask } = await open(t, { recorded: 2 });
  const [stake, donation] = (await ask()).history;
  assert.equal(stake?.explorerUrl, `https://explorer.example/tx/${exampleSignature(2)}?x`);
  assert.equal(stake?.accountUrl, `https://explorer.example/address/${exampleKey(61)}?x`);
  assert.deepEqual([stake?.amountSol, stake?.slot, stake?.epoch], [1e-9, 2, 3]);
  assert.deepEqual([donation?.stakeAccountAddress, donation?.accountUrl], [null, null]);
});

test('the background search of a busy wallet also covers its stake accounts and finally the donation address', async (t) => {
  const { ask, searched } = await open(t, {
    recorded: 3,
    seenEver: [exampleKey(61), exampleKey(80)],
    rowsOf: (address) => (address === wallet ? 1_000 : 0),
  });
  const { coverageFromSlot, complete, warnings } = await ask();
  assert.deepEqual([coverageFromSlot, complete], [40, false]);
  assert.match(warnings.join(), /[Ss]till searching for older transactions/);
  assert.doesNotMatch(warnings.join(), /[a-z][A-Z]/, 'a human-readable sentence contains no field name');
  await until(() => searched.at(-1) === donationAddress, 'the end of the search');
  assert.deepEqual(
    [...new Set(searched.filter((address) => address !== wallet))],
    [exampleKey(61), exampleKey(80), exampleKey(62), donationAddress],
  );
});

test('a wallet is not reported as covered to the beginning while one of its accounts is not', async (t) => {
  const [account, calls] = [exampleKey(61), 2];
  const rowsOf = (address: Address) => (address === account ? 3 : 0);
  const { ask, searched } = await open(t, { seenEver: [account], rowsOf, calls });
  const { coverageFromSlot, warnings } = await ask();
  assert.deepEqual(searched, [wallet, account]);
  assert.deepEqual([coverageFromSlot, warnings.length], [40, 1]);
});

test('one request makes at most eight calls for pages and transactions, and searches at most two hundred accounts in the background', async (t) => {
  const seenEver = Array.from({ length: 230 }, (_, i) => manyKeys(i));
  const { ask, searched } = await open(t, {
    seenEver,
    rowsOf: (address) => (address === wallet ? 1_000 : 0),
  });
  await ask();
  const donationAt = () => searched.indexOf(donationAddress);
  await until(() => donationAt() >= 0, 'the end of the search');
  // Three pages of new transactions of the wallet, three of older ones, then two accounts. After that, in the
  // background: the wallet, two hundred accounts and the donation address.
  assert.deepEqual(searched.slice(0, 6), Array(6).fill(wallet));
  assert.equal(searched.slice(6, 8).includes(wallet), false);
  assert.equal(searched[8], wallet);
  assert.equal(new Set(searched.slice(8)).size, 202);
});

test('the second request for a wallet with a hundred accounts is complete', async (t) => {
  const { ask, searched } = await open(t, {
    seenEver: Array.from({ length: 100 }, (_, i) => manyKeys(i)),
  });
  assert.equal((await ask()).complete, false);
  await until(() => new Set(searched).size === 101, 'the search of every account');
  await until(async () => (await ask()).complete, 'a complete history');
});

test('a request for a later page does not search and reports the coverage of the first page', async (t) => {
  const busy = (address: Address) => (address === wallet ? 1_000 : 0);
  const { ask, searched } = await open(t, { recorded: 3, rowsOf: busy });
  const first = await ask({ limit: 2 });
  assert.deepEqual([first.history.length, typeof first.nextCursor], [2, 'string']);
  const asked = searched.length;
  const last = await ask({ limit: 2, cursor: first.nextCursor! });
  assert.deepEqual([last.history.length, last.nextCursor, last.coverageFromSlot], [1, null, 30]);
  assert.deepEqual([searched.length, last.warnings], [asked, first.warnings]);
});

test('if the chain is unreachable, only entries that an earlier search proved to be final are shown', async (t) => {
  const { ask, chain, transactions } = await open(t, { recorded: 2 });
  chain.away = true;
  const never = await ask();
  assert.deepEqual([never.history, never.coverageFromSlot], [[], null]);
  assert.match(never.warnings.join(), /cannot be searched right now/);
  chain.away = false;
  await ask();
  chain.away = true;
  await transactions.record([exampleTransaction(41, { wallet })]);
  const later = await ask();
  assert.deepEqual(
    later.history.map(({ slot }) => slot),
    [2, 1],
  );
  assert.deepEqual([later.coverageFromSlot, later.warnings.length], [0, 1]);
});

test('without a search budget no coverage is reported', async (t) => {
  const { ask } = await open(t, { calls: 0, recorded: 1 });
  const { history, coverageFromSlot, warnings } = await ask();
  assert.deepEqual([history.length, coverageFromSlot, warnings.length], [1, null, 1]);
});

test('an invalid cursor is the caller’s error, and a disconnected caller gets no response', async (t) => {
  const { ask, chain } = await open(t);
  await assert.rejects(ask({ cursor: 'x' }), (error) => isAppError(error, 'VALIDATION_ERROR'));
  chain.away = true;
  const gone = new Error('gone');
  await assert.rejects(ask({}, AbortSignal.abort(gone)), (error) => error === gone);
});

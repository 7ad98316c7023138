// Tests which accounts a poll reads and what is already known about each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { type CandidateSources, chooseAccountsToRead } from './choose-accounts-to-read.ts';

const [a, b, c, w, x] = ['a', 'b', 'c', 'w', 'x'] as [Address, Address, Address, Address, Address];

const memoryOf = (more: object = {}) =>
  ({
    byWallet: () => new Map<Address, readonly Address[]>(),
    isForeign: () => false,
    known: new Map(),
    locked: new Map(),
    ...more,
  }) as unknown as Parameters<typeof chooseAccountsToRead>[0];

const gather = (memory: ReturnType<typeof memoryOf>, sources: Partial<CandidateSources>) =>
  Object.fromEntries(
    chooseAccountsToRead(memory, {
      listed: new Map(),
      fresh: new Map(),
      searched: new Map(),
      due: [],
      round: [],
      seconds: 0n,
      ...sources,
    }),
  );

test('without sources, no account is read', () => {
  assert.deepEqual(gather(memoryOf(), {}), {});
});

test('a listed wallet yields its known and its listed accounts, each of them once', () => {
  const memory = memoryOf({
    byWallet: () => new Map([[w, [a, b]]]),
    isForeign: (address: Address) => address === c,
  });
  const plain = { wallet: w, freshFrom: null, isSuspect: false, tries: 0 };
  assert.deepEqual(gather(memory, { listed: new Map([[w, [b, c]]]) }), {
    a: plain,
    b: plain,
    c: { ...plain, isSuspect: true },
  });
});

test('known accounts of unlisted wallets are not read', () => {
  const memory = memoryOf({ byWallet: () => new Map([[x, [a]]]) });
  assert.deepEqual(gather(memory, { listed: new Map([[w, []]]) }), {});
});

test('a wallet watched for the first time has its own first slot', () => {
  const { a: of } = gather(memoryOf(), { listed: new Map([[w, [a]]]), fresh: new Map([[w, 7n]]) });
  assert.deepEqual(of, { wallet: w, freshFrom: 7n, isSuspect: false, tries: 0 });
});

test('suspicions from several sources are merged with the highest number of attempts, whatever their order', () => {
  const suspicion = { wallet: w, slot: 5n, tries: 3 };
  const memory = memoryOf({ known: new Map([[a, { wallet: w }]]), locked: new Map([[a, 10n]]) });
  const sources = {
    listed: new Map([[w, [a]]]),
    searched: new Map([[a, w]]),
    due: [[a, suspicion]],
    seconds: 10n,
  } as const;
  const expected = { a: { wallet: w, freshFrom: null, isSuspect: true, tries: 3 } };
  assert.deepEqual(gather(memory, sources), expected);
  assert.deepEqual(gather(memory, { ...sources, searched: new Map() }), expected);
  assert.deepEqual(gather(memory, { searched: sources.searched }), {
    a: { wallet: w, freshFrom: null, isSuspect: true, tries: 0 },
  });
});

test('an account is read when its lockup has ended, unless the account is unknown', () => {
  const memory = memoryOf({
    known: new Map([
      [a, { wallet: w }],
      [b, { wallet: x }],
    ]),
    locked: new Map([
      [a, 10n],
      [b, 11n],
      [c, 1n],
    ]),
  });
  assert.deepEqual(gather(memory, { seconds: 10n }), {
    a: { wallet: w, freshFrom: null, isSuspect: false, tries: 0 },
  });
});

test('a known account is read when it is due, but a forgotten account is not', () => {
  const memory = memoryOf({ known: new Map([[a, { wallet: w }]]) as never });
  assert.deepEqual(gather(memory, { round: [a, b] }), {
    [a]: { wallet: w, freshFrom: null, isSuspect: false, tries: 0 },
  });
});

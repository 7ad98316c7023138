// Shows that the packed table says at every moment what a plain map of the same news says, and that older news never win.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Address } from '@solana/kit';
import { seededRandom } from '../../../test/support/seeded-random.ts';
import { decodeStakeAccount, EPOCH_ABSENT, type StakeAccount } from '../../domain/stake/stake-account.ts';
import { STAKE_PROGRAM } from '../../domain/transaction/instruction-programs.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { KeyTable } from './index-keys.ts';
import { IndexTable, type TableChange } from './index-table.ts';

const keyOf = (tag: number, group = 0): Uint8Array => {
  const key = new Uint8Array(32).fill(9);
  new DataView(key.buffer).setUint32(4, tag);
  key[31] = group;
  return key;
};
const textOf = (key: Uint8Array) => encodeBase58(key) as Address;
const VOTER = keyOf(1, 200);
const SOL = 1_000_000_000n;

interface Fields {
  readonly staker: Uint8Array;
  readonly withdrawer: Uint8Array;
  readonly stake: bigint;
  readonly deactivation?: bigint;
  readonly lockup?: bigint;
  readonly credits?: bigint;
}

/** The 200 bytes of a delegated account. */
const dataOf = ({
  staker,
  withdrawer,
  stake,
  deactivation = EPOCH_ABSENT,
  lockup = 0n,
  credits = 5n,
}: Fields) => {
  const data = new Uint8Array(200);
  const view = new DataView(data.buffer);
  view.setUint32(0, 2, true);
  data.set(staker, 12);
  data.set(withdrawer, 44);
  view.setBigInt64(76, -lockup, true);
  view.setBigUint64(84, lockup, true);
  data.set(VOTER, 124);
  view.setBigUint64(156, stake, true);
  view.setBigUint64(164, 700n, true);
  view.setBigUint64(172, deactivation, true);
  view.setBigUint64(188, credits, true);
  return data;
};

const decoded = (address: Uint8Array, lamports: bigint, data: Uint8Array): StakeAccount =>
  decodeStakeAccount({ address: textOf(address), owner: STAKE_PROGRAM, lamports, data })!;

const sorted = <T>(items: Iterable<T>, by: (item: T) => string): T[] =>
  [...items].sort((a, b) => (by(a) < by(b) ? -1 : 1));

describe('KeyTable', () => {
  it('finds each of 20,000 keys and no other, through every growth', () => {
    const table = new KeyTable(40);
    for (let tag = 0; tag < 20_000; tag += 1) {
      assert.equal(table.findOrAdd(keyOf(tag)), tag);
      assert.equal(table.findOrAdd(keyOf(tag >> 1)), tag >> 1);
    }
    for (let tag = 0; tag < 20_000; tag += 1) assert.equal(table.find(keyOf(tag)), tag);
    for (let tag = 0; tag < 5_000; tag += 1) assert.equal(table.find(keyOf(tag, 1)), -1);
    assert.equal(table.size, 20_000);
  });

  it('a hidden record has its key and is not found by it', () => {
    const table = new KeyTable(32);
    const hidden = table.addHidden(keyOf(5));
    assert.equal(table.find(keyOf(5)), -1);
    assert.equal(table.findOrAdd(keyOf(5)), hidden + 1);
  });

  it('reads a key from the middle of other bytes', () => {
    const table = new KeyTable(32);
    const bytes = new Uint8Array(100);
    bytes.set(keyOf(77), 44);
    assert.equal(table.findOrAdd(bytes, 44), 0);
    assert.equal(table.find(keyOf(77)), 0);
  });
});

describe('IndexTable', () => {
  it('keeps every field that a decoded account has, extremes included', () => {
    const table = new IndexTable(textOf(VOTER));
    const most = 2n ** 64n - 1n;
    const data = dataOf({
      staker: keyOf(1),
      withdrawer: keyOf(2),
      stake: most,
      deactivation: 3n,
      lockup: 2n ** 62n,
      credits: most,
    });
    table.put({ address: keyOf(9), slot: 2 ** 53 - 1, readAtSeconds: 4_000_000, lamports: most, data });
    const row = table.find(keyOf(9));
    assert.deepEqual(table.accountOf(row), decoded(keyOf(9), most, data));
    assert.equal(table.slotOf(row), 2 ** 53 - 1);
    assert.equal(table.readAtSecondsOf(row), 4_000_000);
  });

  it('news of an earlier slot change nothing, not even bring back what left', () => {
    const table = new IndexTable(textOf(VOTER));
    const data = dataOf({ staker: keyOf(1), withdrawer: keyOf(1), stake: SOL });
    const put = (slot: number, lamports: bigint) =>
      table.put({ address: keyOf(9), slot, readAtSeconds: slot, lamports, data });
    assert.equal(put(10, 5n), 'added');
    assert.equal(put(9, 4n), 'old');
    assert.equal(put(11, 5n), 'same');
    assert.equal(table.leave(keyOf(9), 10, 10), 'old');
    assert.equal(table.leave(keyOf(9), 12, 12), 'left');
    assert.equal(put(11, 5n), 'old');
    assert.deepEqual(table.rowsOf(keyOf(1)), []);
    assert.equal(table.leave(keyOf(9), 13, 13), 'same');
    assert.equal(put(14, 5n), 'added');
    assert.equal(table.leave(keyOf(8), 1, 1), 'same');
  });

  it('an account of an earlier process is remembered for its wallet, listed for nobody, and taken in when it comes back', () => {
    const table = new IndexTable(textOf(VOTER));
    table.remember(keyOf(9), keyOf(1));
    assert.deepEqual([table.rowsOf(keyOf(1)), table.totals.accounts], [[], 0]);
    assert.deepEqual(table.everOwnedBy(keyOf(1)), [textOf(keyOf(9))]);
    const data = dataOf({ staker: keyOf(2), withdrawer: keyOf(2), stake: SOL });
    assert.equal(table.put({ address: keyOf(9), slot: 1, readAtSeconds: 1, lamports: 5n, data }), 'added');
    table.remember(keyOf(9), keyOf(3));
    assert.deepEqual(table.everOwnedBy(keyOf(1)), [textOf(keyOf(9))]);
    assert.deepEqual(table.everOwnedBy(keyOf(2)), [textOf(keyOf(9))]);
    assert.deepEqual(table.everOwnedBy(keyOf(3)), []);
  });

  it('an authority that goes to and fro is remembered once on either side', () => {
    const table = new IndexTable(textOf(VOTER));
    for (let slot = 1; slot <= 50; slot += 1) {
      const data = dataOf({ staker: keyOf(1), withdrawer: keyOf(1 + (slot % 2)), stake: SOL });
      table.put({ address: keyOf(9), slot, readAtSeconds: 0, lamports: 5n, data });
    }
    assert.ok(table.rowCount <= 3, `${table.rowCount} rows for one account of two wallets`);
    for (const wallet of [keyOf(1), keyOf(2)])
      assert.deepEqual(table.everOwnedBy(wallet), [textOf(keyOf(9))]);
  });

  for (const seed of [1, 2, 3, 4]) {
    it(`after each of 6,000 random pieces of news it equals a plain map (seed ${seed})`, () => {
      const random = seededRandom(seed);
      const pick = (below: number) => Math.floor(random() * below);
      const table = new IndexTable(textOf(VOTER));
      const model = new Map<string, { account: StakeAccount | null; slot: number }>();
      const ever = new Map<string, Set<string>>();
      const wallets = Array.from({ length: 12 }, (_, i) => keyOf(i, 1));
      for (let step = 0; step < 6_000; step += 1) {
        const address = keyOf(pick(60));
        const slot = Math.max(1, Math.floor(step / 4) - pick(12));
        const known = model.get(textOf(address));
        const old = known !== undefined && slot < known.slot;
        let expected: TableChange = 'old';
        let change: TableChange;
        if (random() < 0.7) {
          const withdrawer = wallets[pick(12)]!;
          const data = dataOf({
            withdrawer,
            staker: random() < 0.7 ? withdrawer : wallets[pick(12)]!,
            stake: BigInt(1 + pick(3)) * SOL,
            deactivation: random() < 0.3 ? BigInt(pick(3)) : EPOCH_ABSENT,
            lockup: random() < 0.2 ? BigInt(pick(3)) : 0n,
          });
          const lamports = BigInt(pick(3));
          const account = decoded(address, lamports, data);
          if (!old) {
            const same = isDeepStrictEqual(known?.account, account);
            expected = same ? 'same' : known?.account ? 'changed' : 'added';
            model.set(textOf(address), { account, slot });
            const seen = ever.get(textOf(withdrawer)) ?? new Set();
            ever.set(textOf(withdrawer), seen.add(textOf(address)));
          }
          change = table.put({ address, slot, readAtSeconds: step, lamports, data });
        } else {
          if (known === undefined) expected = 'same';
          else if (!old) {
            expected = known.account ? 'left' : 'same';
            model.set(textOf(address), { account: null, slot });
          }
          change = table.leave(address, slot, step);
        }
        assert.equal(change, expected, `step ${step}`);
        if (step % 100 === 99) assertEqual(table, model, ever, wallets);
      }
    });
  }
});

const assertEqual = (
  table: IndexTable,
  model: ReadonlyMap<string, { account: StakeAccount | null; slot: number }>,
  ever: ReadonlyMap<string, ReadonlySet<string>>,
  wallets: readonly Uint8Array[],
) => {
  const live = [...model.values()].flatMap(({ account }) => account ?? []);
  for (const wallet of wallets) {
    const name = textOf(wallet);
    const listed = table.rowsOf(wallet).map(({ row, role }) => ({ account: table.accountOf(row), role }));
    const expected = live.flatMap((account): { account: StakeAccount; role: 'owner' | 'staker' }[] => {
      if (account.withdrawAuthority === name) return [{ account, role: 'owner' }];
      return account.stakeAuthority === name ? [{ account, role: 'staker' }] : [];
    });
    const byAddress = (item: { account: StakeAccount }) => item.account.address;
    assert.deepEqual(sorted(listed, byAddress), sorted(expected, byAddress));
    assert.deepEqual(new Set(table.everOwnedBy(wallet)), ever.get(name) ?? new Set());
    assert.equal(table.everOwnedBy(wallet).length, ever.get(name)?.size ?? 0);
  }
  const earning = live.filter(({ delegation }) => delegation?.deactivationEpoch === EPOCH_ABSENT);
  const sum = (accounts: readonly StakeAccount[]) =>
    accounts.reduce((total, it) => total + it.delegation!.stakeLamports, 0n);
  assert.deepEqual(table.totals, {
    accounts: live.length,
    delegators: new Set(earning.map((it) => it.withdrawAuthority)).size,
    delegatedLamports: sum(earning),
    deactivatedLamports: sum(live) - sum(earning),
  });
};

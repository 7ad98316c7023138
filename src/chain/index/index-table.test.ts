// The table always equals a plain list built from the same updates, and older updates never replace newer
// ones.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Address } from '@solana/kit';
import { seededRandom } from '../../../test/support/seeded-random.ts';
import { EPOCH_ABSENT, type StakeAccount } from '../../domain/stake/stake-account.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import { type DelegatedAccount, IndexTable } from './index-table.ts';

const addressOf = (tag: number, group = 0): Address => {
  const key = new Uint8Array(32).fill(9);
  new DataView(key.buffer).setUint32(4, tag);
  key[31] = group;
  return encodeBase58(key) as Address;
};
const VOTER = addressOf(1, 200);
const SOL = 1_000_000_000n;

interface Fields {
  readonly address?: Address;
  readonly lamports?: bigint;
  readonly staker: Address;
  readonly withdrawer: Address;
  readonly stake: bigint;
  readonly deactivation?: bigint;
  readonly lockup?: bigint;
  readonly credits?: bigint;
}

/** A delegated account, with fresh objects and numbers as a decoder creates them. */
const accountOf = ({
  address = addressOf(9),
  lamports = 5n,
  staker,
  withdrawer,
  stake,
  deactivation = EPOCH_ABSENT,
  lockup = 0n,
  credits = 5n,
}: Fields): DelegatedAccount => ({
  address,
  lamports,
  kind: 'delegated',
  stakeAuthority: staker,
  withdrawAuthority: withdrawer,
  lockup: { unixTimestamp: -lockup, epoch: lockup, custodian: addressOf(0, 7) },
  delegation: {
    voteAccount: VOTER,
    stakeLamports: stake,
    activationEpoch: 700n,
    deactivationEpoch: deactivation,
    creditsObserved: credits,
  },
});

const sorted = <T>(items: Iterable<T>, by: (item: T) => string): T[] =>
  [...items].sort((a, b) => (by(a) < by(b) ? -1 : 1));

describe('IndexTable', () => {
  it('keeps every field of an account, including extreme values', () => {
    const table = new IndexTable(VOTER);
    const most = 2n ** 64n - 1n;
    const account = accountOf({
      lamports: most,
      staker: addressOf(1),
      withdrawer: addressOf(2),
      stake: most,
      deactivation: 3n,
      lockup: 2n ** 62n,
      credits: most,
    });
    table.put(account, 2 ** 53 - 1, 4_000_000);
    const entry = table.get(addressOf(9))!;
    assert.deepEqual(table.accountOf(entry), account);
    assert.deepEqual([entry.slot, entry.readAtSeconds], [2 ** 53 - 1, 4_000_000]);
  });

  it('updates from an earlier slot are ignored and do not restore an account that left', () => {
    const table = new IndexTable(VOTER);
    const put = (slot: number, lamports: bigint) =>
      table.put(
        accountOf({ lamports, staker: addressOf(1), withdrawer: addressOf(1), stake: SOL }),
        slot,
        slot,
      );
    const nine = addressOf(9);
    assert.equal(put(10, 5n), 'added');
    assert.equal(put(9, 4n), 'old');
    assert.equal(put(11, 5n), 'same');
    assert.equal(table.leave(nine, 10, 10), 'old');
    assert.equal(table.leave(nine, 12, 12), 'left');
    assert.equal(put(11, 5n), 'old');
    assert.deepEqual(table.entriesOf(addressOf(1)), []);
    assert.equal(table.leave(nine, 13, 13), 'same');
    assert.equal(put(14, 5n), 'added');
    assert.equal(table.leave(addressOf(8), 1, 1), 'same');
  });

  it('an account from an earlier process is remembered for its wallet but not listed until it is seen again', () => {
    const table = new IndexTable(VOTER);
    const nine = addressOf(9);
    table.remember(nine, addressOf(1));
    assert.deepEqual([table.entriesOf(addressOf(1)), table.totals.accounts], [[], 0]);
    assert.deepEqual(table.everOwnedBy(addressOf(1)), [nine]);
    const account = accountOf({ staker: addressOf(2), withdrawer: addressOf(2), stake: SOL });
    assert.equal(table.put(account, 1, 1), 'added');
    table.remember(nine, addressOf(3));
    assert.deepEqual(table.everOwnedBy(addressOf(1)), [nine]);
    assert.deepEqual(table.everOwnedBy(addressOf(2)), [nine]);
    assert.deepEqual(table.everOwnedBy(addressOf(3)), []);
  });

  it('an account whose authority changes back and forth is listed once for each wallet', () => {
    const table = new IndexTable(VOTER);
    const wallets = [addressOf(1), addressOf(2)] as const;
    for (let slot = 1; slot <= 50; slot += 1) {
      const withdrawer = wallets[slot % 2]!;
      table.put(accountOf({ staker: wallets[0], withdrawer, stake: SOL }), slot, 0);
      const listed = wallets.map((wallet) => table.entriesOf(wallet).map(({ role }) => role));
      assert.deepEqual(listed, slot % 2 === 0 ? [['owner'], []] : [['staker'], ['owner']]);
    }
    for (const wallet of wallets) assert.deepEqual(table.everOwnedBy(wallet), [addressOf(9)]);
  });

  for (const seed of [1, 2, 3, 4]) {
    it(`equals a plain map after each of 6,000 random updates (seed ${seed})`, () => {
      const random = seededRandom(seed);
      const pick = (below: number) => Math.floor(random() * below);
      const table = new IndexTable(VOTER);
      const model = new Map<string, { account: StakeAccount | null; slot: number }>();
      const ever = new Map<string, Set<string>>();
      const wallets = Array.from({ length: 12 }, (_, i) => addressOf(i, 1));
      for (let step = 0; step < 6_000; step += 1) {
        const address = addressOf(pick(60));
        const slot = Math.max(1, Math.floor(step / 4) - pick(12));
        const known = model.get(address);
        const old = known !== undefined && slot < known.slot;
        let expected = 'old';
        let change: string;
        if (random() < 0.7) {
          const withdrawer = wallets[pick(12)]!;
          const account = accountOf({
            address,
            lamports: BigInt(pick(3)),
            withdrawer,
            staker: random() < 0.7 ? withdrawer : wallets[pick(12)]!,
            stake: BigInt(1 + pick(3)) * SOL,
            deactivation: random() < 0.3 ? BigInt(pick(3)) : EPOCH_ABSENT,
            lockup: random() < 0.2 ? BigInt(pick(3)) : 0n,
          });
          if (!old) {
            const same = isDeepStrictEqual(known?.account, account);
            expected = same ? 'same' : known?.account ? 'changed' : 'added';
            model.set(address, { account, slot });
            const seen = ever.get(withdrawer) ?? new Set();
            ever.set(withdrawer, seen.add(address));
          }
          change = table.put(account, slot, step);
        } else {
          if (known === undefined) expected = 'same';
          else if (!old) {
            expected = known.account ? 'left' : 'same';
            model.set(address, { account: null, slot });
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
  wallets: readonly Address[],
) => {
  const live = [...model.values()].flatMap(({ account }) => account ?? []);
  for (const wallet of wallets) {
    const listed = table
      .entriesOf(wallet)
      .map(({ entry, role }) => ({ account: table.accountOf(entry), role }));
    const expected = live.flatMap((account): { account: StakeAccount; role: 'owner' | 'staker' }[] => {
      if (account.withdrawAuthority === wallet) return [{ account, role: 'owner' }];
      return account.stakeAuthority === wallet ? [{ account, role: 'staker' }] : [];
    });
    const byAddress = (item: { account: StakeAccount }) => item.account.address;
    assert.deepEqual(sorted(listed, byAddress), sorted(expected, byAddress));
    assert.deepEqual(new Set(table.everOwnedBy(wallet)), ever.get(wallet) ?? new Set());
    assert.equal(table.everOwnedBy(wallet).length, ever.get(wallet)?.size ?? 0);
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

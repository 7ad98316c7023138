// Tests which accounts a watcher considers suspect and from which slots it searches. Too many suspects cost
// reads; too few lose events permanently.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { numbered } from '../../../test/support/scripted-watch.ts';
import { type StakeAccountFields, stakeAccountBytes } from '../../../test/support/stake-account-bytes.ts';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import { exampleId, exampleRegistration } from '../../../test/support/webhook-examples.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { decodeStakeAccount } from '../../domain/stake/stake-account.ts';
import type { Registration } from '../../store/registration-rows.ts';
import type { WatchedAccount } from '../../store/watched-accounts.ts';
import type { WatchedWallets } from './search-wallet.ts';
import { WatcherMemory } from './watcher-memory.ts';

const [STAKE, OTHER_STAKE, ALICE, BOB, OUTSIDER, VOTE] = [1, 2, 3, 4, 5, 6].map(numbered) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const MARK = { epoch: 20n, slot: 1_000n, seconds: 5_000n, lastEventAtMs: 0 };
const INDEX_SLOT = 1_200n;

/** Registrations by number, each with its wallet and the slot in which it was created. */
const wallets = (...made: readonly (readonly [number, Address, bigint])[]): WatchedWallets => {
  const all = made.map(
    ([number, wallet, createdSlot]): Registration => ({
      ...exampleRegistration(number, { walletAddress: wallet, createdSlot }),
      secretGeneration: 0,
      rotatedAtMs: null,
      lastDeliveryAtMs: null,
      failingSinceMs: null,
      disabledReason: null,
      deletedAtMs: null,
      awaitsAnswer: false,
      secretDeletes: false,
    }),
  );
  const byWallet = Map.groupBy(all, ({ walletAddress }) => walletAddress as Address);
  return { byWallet, ids: new Set(all.map(({ id }) => id)) };
};

const row = (wallet: Address, fields: Partial<StakeAccountFields> = {}, address = STAKE): WatchedAccount => ({
  address,
  wallet,
  slot: 900n,
  lamports: 5n,
  data: stakeAccountBytes({ wallet, delegation: { voteAccount: VOTE, stakeLamports: 5n }, ...fields }),
  delegatedEpoch: null,
});
const account = (wallet: Address, fields: Partial<StakeAccountFields> = {}, lamports = 5n) =>
  decodeStakeAccount({ ...row(wallet, fields), lamports, owner: STAKE_PROGRAM });

const memoryOf = (watched: WatchedWallets) => new WatcherMemory(MARK, watched, INDEX_SLOT);

test('a new leader searches already registered wallets from the checkpoint onwards, and treats registrations after it as new', () => {
  const watched = wallets([1, ALICE, 1_000n], [2, ALICE, 1_001n], [3, BOB, 1_001n]);
  const memory = memoryOf(watched);
  assert.deepEqual([...memory.adopted], [exampleId(1)]);
  assert.deepEqual([...memory.searches], [[ALICE, 1_000n]]);
  assert.deepEqual([...memory.rechecks], [[ALICE, { after: 1_000n, indexSlot: INDEX_SLOT }]]);
  const fresh = memory.meet(watched, 1_300n);
  assert.deepEqual(
    [...fresh],
    [
      [ALICE, 1_001n],
      [BOB, 1_001n],
    ],
  );
  assert.deepEqual(
    [...memory.searches],
    [
      [ALICE, 1_000n],
      [BOB, 1_001n],
    ],
  );
  assert.deepEqual(
    memory.rechecks.get(ALICE),
    { after: 1_000n, indexSlot: 1_300n },
    'the earlier start slot is kept',
  );
  assert.deepEqual(memory.rechecks.get(BOB), { after: 1_001n, indexSlot: 1_300n });
});

test('the oldest of several new registrations of a wallet determines its first slot, whatever their order', () => {
  for (const slots of [
    [1_005n, 1_003n],
    [1_003n, 1_005n],
  ] as const) {
    const memory = memoryOf(wallets());
    const fresh = memory.meet(wallets([1, ALICE, slots[0]], [2, ALICE, slots[1]]), INDEX_SLOT);
    assert.deepEqual([fresh.get(ALICE), memory.searches.get(ALICE)], [1_003n, 1_003n]);
  }
});

test('an adopted registration is not new again, and a removed one is forgotten and new when it returns', () => {
  const memory = memoryOf(wallets([1, ALICE, 900n]));
  assert.equal(memory.meet(wallets([1, ALICE, 900n]), INDEX_SLOT).size, 0);
  assert.equal(memory.meet(wallets(), INDEX_SLOT).size, 0);
  assert.equal(memory.adopted.size, 0);
  assert.deepEqual([...memory.meet(wallets([1, ALICE, 900n]), INDEX_SLOT)], [[ALICE, 900n]]);
});

test('rewards and transfers are ignored; a changed authority, delegation or lockup, or a lower balance, makes an account suspect', () => {
  const before = account(ALICE);
  const changes: readonly [string, ReturnType<typeof account>, boolean][] = [
    ['lamports', account(ALICE, {}, 6n), false],
    ['stake authority', account(ALICE, { stakeAuthority: BOB }), true],
    ['more stake', account(ALICE, { delegation: { voteAccount: VOTE, stakeLamports: 6n } }), false],
    ['fewer lamports', account(ALICE, {}, 4n), true],
    ['withdraw authority', account(ALICE, { withdrawAuthority: OUTSIDER }), true],
    ['validator', account(ALICE, { delegation: { voteAccount: BOB, stakeLamports: 5n } }), true],
    ['lockup', account(ALICE, { lockup: { epoch: 1n } }), true],
    ['closed', null, true],
  ];
  for (const [what, after, isSuspect] of changes) {
    const memory = memoryOf(wallets([1, ALICE, 900n]));
    memory.noteChange({ kind: 'changed', address: STAKE, slot: 1_100n, before, after });
    assert.equal(memory.suspects.has(STAKE), isSuspect, what);
  }
});

test('a change is assigned to the account’s known wallet, or else to its new owner, or else to its old owner', () => {
  const watched = wallets([1, ALICE, 900n], [2, BOB, 900n]);
  const suspected = (known: Address | null, before: Address | null, after: Address | null) => {
    const memory = memoryOf(watched);
    if (known !== null) memory.remember(row(known));
    memory.noteChange({
      kind: 'changed',
      address: STAKE,
      slot: 1_100n,
      before: before && account(before),
      after: after && account(after, { lockup: { epoch: 1n } }),
    });
    return memory.suspects.get(STAKE)?.wallet;
  };
  assert.equal(suspected(ALICE, ALICE, BOB), ALICE);
  assert.equal(suspected(null, ALICE, BOB), BOB);
  assert.equal(suspected(null, ALICE, OUTSIDER), ALICE);
  assert.equal(suspected(null, BOB, null), BOB);
  assert.equal(suspected(null, null, ALICE), ALICE);
  assert.equal(suspected(null, OUTSIDER, OUTSIDER), undefined);
});

test('repeated suspicions about an account keep the newest slot, and each new one starts with zero attempts', () => {
  const memory = memoryOf(wallets([1, ALICE, 900n]));
  memory.suspect(STAKE, ALICE, 1_100n, 7);
  memory.suspect(STAKE, ALICE, 1_050n);
  assert.deepEqual(memory.suspects.get(STAKE), { wallet: ALICE, slot: 1_100n, tries: 0 });
});

test('a lockup is tracked only while its end is after the checkpoint', () => {
  const memory = memoryOf(wallets([1, ALICE, 900n]));
  const lockedUntil = (unixTimestamp: bigint) => memory.remember(row(ALICE, { lockup: { unixTimestamp } }));
  lockedUntil(5_001n);
  assert.deepEqual([...memory.locked], [[STAKE, 5_001n]]);
  lockedUntil(2n ** 63n - 1n);
  assert.equal(memory.locked.get(STAKE), 2n ** 63n - 1n);
  for (const past of [5_000n, -1n, 0n]) {
    lockedUntil(5_001n);
    lockedUntil(past);
    assert.equal(memory.locked.size, 0, String(past));
  }
  lockedUntil(5_001n);
  memory.forget(STAKE);
  assert.deepEqual([memory.locked.size, memory.known.size], [0, 0]);
});

test('unwatched accounts and invalid stake accounts are not remembered, even if they were known', () => {
  const memory = memoryOf(wallets([1, ALICE, 900n]));
  assert.equal(memory.remember(row(ALICE)), true);
  assert.equal(memory.remember({ ...row(ALICE), data: new Uint8Array(200) }), false);
  assert.equal(memory.known.size, 0);
  assert.equal(memory.remember(row(OUTSIDER)), false);
  memory.remember(row(ALICE, { stakeAuthority: BOB }));
  memory.remember(row(ALICE, {}, OTHER_STAKE));
  assert.deepEqual(
    [STAKE, OTHER_STAKE, ALICE].map((one) => memory.isForeign(one)),
    [true, false, false],
  );
  assert.deepEqual([...memory.byWallet()], [[ALICE, [STAKE, OTHER_STAKE]]]);
});

test("the previous leader's accounts are loaded to the last page, and those no longer watched are returned", async (t) => {
  const { watched } = await openTestStore(t);
  const rows = Array.from({ length: 1_001 }, (_, n) => {
    const address = `${String(n).padStart(4, '0')}` as Address;
    return row(n % 100 === 0 ? OUTSIDER : ALICE, {}, address);
  });
  const memory = memoryOf(wallets([1, ALICE, 900n]));
  assert.deepEqual(await memory.load(watched), []);
  await watched.save(rows.slice(0, 500), []);
  assert.equal((await memory.load(watched)).length, 5);
  await watched.save(rows.slice(500), []);
  const foreign = await memory.load(watched);
  assert.deepEqual(
    foreign,
    rows.filter(({ wallet }) => wallet === OUTSIDER).map(({ address }) => address),
  );
  assert.equal(memory.known.size, 990);
});

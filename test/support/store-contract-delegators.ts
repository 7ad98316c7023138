// Contract tests, run on every engine, for the delegator list and the other reads of the operator console.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import type { DelegatorAccount, DelegatorChange } from '../../src/store/delegators.ts';
import { exampleIntent } from './intent-examples.ts';
import { exampleTransaction } from './store-examples.ts';
import { openTestStore } from './store-fixture.ts';
import type { MakeVenue } from './store-venue.ts';

const account = (number: number, overrides: Partial<DelegatorAccount> = {}): DelegatorAccount => ({
  address: `account-${String(number).padStart(4, '0')}` as Address,
  wallet: `wallet ${number % 7}` as Address,
  staker: 'staker' as Address,
  stakeLamports: 2n ** 62n + BigInt(number),
  credits: 5n,
  activationEpoch: number % 2 === 0 ? 700n : null,
  deactivationEpoch: null,
  slot: 100n,
  firstSeenEpoch: 800n,
  // Several entries share one timestamp.
  firstSeenAtMs: 1_000 + Math.floor(number / 50),
  leftAtMs: null,
  ...overrides,
});

const change = (number: number, overrides: Partial<DelegatorChange> = {}): DelegatorChange => ({
  address: account(number).address,
  slot: 100n,
  kind: 'joined',
  wallet: account(number).wallet,
  epoch: 800n,
  atMs: 2_000,
  lamports: -5n,
  ...overrides,
});

export const delegatorsContract = (makeVenue: MakeVenue): void => {
  test('the delegator list is read back exactly, page by page, and never changes when an account was first seen', async (t) => {
    const { location } = await makeVenue(t);
    const { delegators } = await openTestStore(t, location);
    const all = Array.from({ length: 250 }, (_, number) => account(number));
    await delegators.record(all.toReversed(), []);
    const left = account(3, { slot: 101n, firstSeenAtMs: 9_999, leftAtMs: 5_000, deactivationEpoch: 801n });
    await delegators.record([left, account(4, { slot: 99n, wallet: 'an earlier one' as Address })], []);
    const found = await delegators.find([all[3]!.address, all[4]!.address, 'unknown']);
    assert.deepEqual(found.get(left.address), { ...left, firstSeenAtMs: all[3]!.firstSeenAtMs });
    assert.deepEqual(found.get(all[4]!.address), all[4], 'an older poll changes nothing');
    assert.equal(found.size, 2);
    const listed: Address[] = [];
    for (let after: string | null = null; ; after = listed.at(-1)!) {
      const page: readonly Address[] = await delegators.delegated(after, 100);
      listed.push(...page);
      if (page.length < 100) break;
    }
    assert.deepEqual(
      listed,
      all.filter(({ address }) => address !== left.address).map(({ address }) => address),
    );
    const seen: { address: Address; atMs: number }[] = [];
    for (let place: readonly [number, string | null] = [0, null]; ; ) {
      const page = await delegators.seenSince(...place, 60);
      seen.push(...page);
      if (page.length < 60) break;
      place = [page.at(-1)!.atMs, page.at(-1)!.address];
    }
    assert.deepEqual(
      seen.map(({ address }) => address),
      all.map(({ address }) => address),
    );
  });

  test('changes of several kinds in one slot are all stored, even if one is recorded later', async (t) => {
    const { location } = await makeVenue(t);
    const { delegators } = await openTestStore(t, location);
    const kinds = ['withdrawer_changed', 'staker_changed', 'leaving'] as const;
    await delegators.record([account(1)], [change(1, { kind: kinds[0] }), change(1, { kind: kinds[1] })]);
    await delegators.record([account(1)], [change(1, { kind: kinds[2] }), change(1, { kind: kinds[0] })]);
    const kept = await delegators.changes({ address: account(1).address }, 10);
    assert.deepEqual(kept.map(({ kind }) => kind).toSorted(), kinds.toSorted());
  });

  test('changes to the delegator list are stored once each, and read newest first by account and wallet, and oldest first by time', async (t) => {
    const { location } = await makeVenue(t);
    const { delegators } = await openTestStore(t, location);
    const [joined, leaving] = [change(1), change(1, { kind: 'leaving' })];
    const later = change(2, { atMs: 3_000, slot: 200n, kind: 'stake_changed' });
    await delegators.record([account(1)], [joined, leaving]);
    await delegators.record([account(2)], [joined, later]);
    assert.deepEqual(await delegators.changes({}, 10), [later, leaving, joined]);
    assert.deepEqual(await delegators.changes({ address: joined.address }, 1), [leaving]);
    assert.deepEqual(await delegators.changes({ wallet: later.wallet }, 10), [later]);
    assert.deepEqual(await delegators.changesBetween(2_000, 3_000, 10), [joined, leaving]);
    assert.deepEqual(await delegators.changesBetween(2_001, 3_001, 10), [later]);
  });

  test('an epoch of the delegator list is replaced as a whole, and the initial fill is recorded only once', async (t) => {
    const { location } = await makeVenue(t);
    const { delegators } = await openTestStore(t, location);
    const epoch = (number: bigint, activeLamports: bigint) => ({
      epoch: number,
      accounts: 3,
      delegators: 2,
      activeLamports,
      activatingLamports: 1n,
      deactivatingLamports: 2n,
    });
    const unknown = { ...epoch(799n, 1n), activatingLamports: null, deactivatingLamports: null };
    await delegators.recordEpoch(unknown);
    await delegators.recordEpoch(epoch(800n, 1n));
    await delegators.recordEpoch(epoch(801n, 5n));
    await delegators.recordEpoch(epoch(800n, 2n ** 60n));
    assert.deepEqual(await delegators.epochs(5), [epoch(801n, 5n), epoch(800n, 2n ** 60n), unknown]);
    assert.equal(await delegators.isFilled(), false);
    await delegators.setFilled();
    await delegators.setFilled();
    assert.equal(await delegators.isFilled(), true);
  });

  test('a wallet’s label can be replaced and removed, and is read back exactly when the store is next opened', async (t) => {
    const { location } = await makeVenue(t);
    const { delegators } = await openTestStore(t, location);
    const [one, other] = [account(1).wallet, account(2).wallet];
    const label = 'Müller & <b>Söhne</b>, 東京 🙂';
    await delegators.setLabel(one, 'first');
    await delegators.setLabel(one, label);
    await delegators.setLabel(other, 'other');
    await delegators.setLabel(other, null);
    await delegators.setLabel(other, null);
    const next = await openTestStore(t, location);
    assert.deepEqual(await next.delegators.labels([one, one, other]), new Map([[one, label]]));
    assert.deepEqual(await next.delegators.labels([]), new Map());
  });

  test('an account’s source is the first transaction that brought stake into it, even if it was split off', async (t) => {
    const { location } = await makeVenue(t);
    const { transactions } = await openTestStore(t, location);
    const leg = { stakeAccount: 'a', counterAccount: 'child', lamports: 1n };
    await transactions.record([
      exampleTransaction(1, { stakeAccountAddress: 'a', source: 'cli' }),
      exampleTransaction(2, { stakeAccountAddress: 'a', type: 'restake' }),
      exampleTransaction(3, {
        stakeAccountAddress: 'a',
        type: 'rearrange',
        source: 'chain',
        hasMemo: false,
        legs: [{ ...leg, type: 'split' }],
      }),
    ]);
    const ways = await transactions.waysIn(['a', 'child', 'unknown']);
    assert.deepEqual(ways.get('a')?.source, 'cli');
    assert.deepEqual([ways.get('child')?.source, ways.get('child')?.hasMemo], ['chain', false]);
    assert.equal(ways.size, 2);
  });

  test('signed and submitted transactions are paged newest first, without gaps or repetitions', async (t) => {
    const { location } = await makeVenue(t);
    const { intents } = await openTestStore(t, location);
    for (let number = 0; number < 7; number += 1) {
      const intent = exampleIntent(`sig${number}`, { key: `${number}` });
      await intents.recordSigned({ ...intent, createdAtMs: 1_000 + Math.floor(number / 3) }, null);
    }
    const listed: string[] = [];
    let before: { atMs: number; id: string } | null = null;
    for (;;) {
      const page: Awaited<ReturnType<typeof intents.page>> = await intents.page(2, before);
      listed.push(...page.map(({ submission }) => submission.signature));
      const last = page.at(-1);
      if (last === undefined) break;
      before = { atMs: last.createdAtMs, id: last.submission.signature };
    }
    assert.deepEqual(listed, ['sig6', 'sig5', 'sig4', 'sig3', 'sig2', 'sig1', 'sig0']);
  });

  test('a wallet joins with its first stake and leaves with its last, which was deactivated, closed or moved, so the counts of consecutive epochs agree', async (t) => {
    const { location } = await makeVenue(t);
    const { delegators } = await openTestStore(t, location);
    let number = 0;
    /** Builds an account that was delegated in epoch 700 and seen before epoch 801. */
    const of = (wallet: string, more: Partial<DelegatorAccount> = {}) => {
      number += 1;
      return account(number, {
        ...{ wallet: wallet as Address, activationEpoch: 700n, firstSeenEpoch: 700n },
        ...more,
      });
    };
    const fresh = { firstSeenEpoch: 801n, activationEpoch: 801n };
    const [off, gone] = [{ deactivationEpoch: 801n }, { leftAtMs: 5_000 }];
    const moved = [of('moved', gone), of('moved', gone), of('moved in part', gone)];
    const closed = of('closed after the deactivation', { ...off, ...gone });
    const closedLate = of('long inactive', { deactivationEpoch: 750n, ...gone });
    await delegators.record(
      [
        ...[of('stays'), of('genesis', { activationEpoch: null }), of('moved in part')],
        ...[of('new', fresh), of('new', fresh), of('new and undone', { ...fresh, ...off })],
        ...[of('inactive', off), of('inactive', off), of('inactive in part', off), of('inactive in part')],
        ...[of('long inactive', { deactivationEpoch: 750n }), closedLate],
        ...[of('back', { deactivationEpoch: 750n, ...gone }), of('back', fresh)],
        of('redelegated', { activationEpoch: 801n }),
        of('leaves in the next epoch', { deactivationEpoch: 802n }),
        of('joins in the next epoch', { firstSeenEpoch: 802n, activationEpoch: 802n }),
        of('joins in this epoch and was found in the next', { firstSeenEpoch: 802n, activationEpoch: 801n }),
        ...[...moved, closed],
      ],
      [
        ...[...moved, closedLate].map(({ address, wallet }) =>
          change(0, { address, wallet, epoch: 801n, kind: 'left' }),
        ),
        change(0, { address: closed.address, wallet: closed.wallet, epoch: 802n, kind: 'left' }),
      ],
    );
    // Before: stays, genesis, moved, moved in part, inactive, inactive in part, closed, leaves in the next epoch.
    assert.deepEqual(await delegators.countWallets(800n), { staked: 8, joined: 0, gone: 0 });
    // new, back, redelegated and the one found late joined; moved, inactive and closed left.
    assert.deepEqual(await delegators.countWallets(801n), { staked: 9, joined: 4, gone: 3 });
    assert.deepEqual(await delegators.countWallets(802n), { staked: 9, joined: 1, gone: 1 });
  });
};

// Tests that accounts that join, change, leave and return are recorded, whatever was recorded before.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { wholeFilePatience } from '../../../test/support/patience.ts';
import { delegatedStake, SOL } from '../../../test/support/stake-account-examples.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import type { StakeChange, StakeIndex } from '../../chain/index/stake-index.ts';
import type { StakeAccount } from '../../domain/stake/stake-account.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import type { Delegators } from '../../store/delegators.ts';
import { DelegatorRecorder, leftAtEnd } from './record-delegators.ts';
import { epochRewards } from './stake-totals.ts';

const patience = wholeFilePatience();
const { address } = delegatedStake();

const staked = (stakeLamports: bigint): StakeAccount =>
  delegatedStake({ delegation: { stakeLamports, activationEpoch: 1n } });

const entryOf = ({ delegation, ...one }: StakeAccount, slot: number, live: boolean) => ({
  address,
  live,
  slot,
  withdrawer: { address: one.withdrawAuthority },
  staker: { address: one.stakeAuthority },
  ...delegation!,
});

/**
 * Runs one leader's term with an index that contains this entry. `duringTerm` may change the entry before
 * pending changes are recorded.
 */
const lead = async (
  delegators: Delegators,
  account: StakeAccount,
  { slot, live = true }: { readonly slot: number; readonly live?: boolean },
  duringTerm: ((emit: (before: StakeAccount, after: StakeAccount) => void) => void) | null = null,
): Promise<void> => {
  const ended = new AbortController();
  let entry = entryOf(account, slot, live);
  let listener: (change: StakeChange) => void = () => undefined;
  const index = {
    totals: () => ({}),
    health: () => ({ ready: true }),
    scannedEpoch: () => 0n,
    entries: () => [entry],
    entry: (asked: Address) => (asked === address ? entry : undefined),
    onChange: (one: typeof listener) => {
      listener = one;
      return () => undefined;
    },
  } as unknown as StakeIndex;
  const emit = (before: StakeAccount, after: StakeAccount): void => {
    entry = entryOf(after, entry.slot + 1, true);
    listener({ kind: 'changed', address, slot: BigInt(entry.slot), before, after });
  };
  let isCompared = false;
  const keeper = new DelegatorRecorder({
    index,
    delegators,
    clock: createManualClock(),
    cluster: {
      epochPosition: async () => ({ epoch: 5n, epochRewardsActive: false }),
      lastEpochPosition: () => ({ epoch: 5n }),
    } as never,
    logger: {
      info: () => {
        isCompared = true;
        if (duringTerm === null) ended.abort();
        else duringTerm(emit);
      },
      error: ({ err }: { readonly err: unknown }) => assert.fail(String(err)),
    } as unknown as Logger,
    onRecorded: () => isCompared && ended.abort(),
  });
  const signal = AbortSignal.any([ended.signal, patience]);
  keeper.listen(signal);
  while (!signal.aborted) await keeper.poll(signal).catch(() => undefined);
};

const opened = async (t: TestContext) => {
  const { delegators } = await openTestStore(t);
  await lead(delegators, staked(10n * SOL), { slot: 100 });
  const recorded = async () =>
    (await delegators.changes({}, 10)).toReversed().map(({ kind, lamports }) => [kind, lamports]);
  assert.deepEqual(await recorded(), [], 'the initial fill is not a change');
  return { delegators, recorded };
};

test('an account that left and returns is recorded as joined again', async (t) => {
  const { delegators, recorded } = await opened(t);
  await lead(delegators, staked(10n * SOL), { slot: 110, live: false });
  await lead(delegators, staked(10n * SOL), { slot: 120 });
  assert.deepEqual(await recorded(), [
    ['left', 10n * SOL],
    ['joined', 10n * SOL],
  ]);
});

test('a change is filed in the epoch that the chain recorded for it, also if it was found after that epoch', async (t) => {
  const { delegators } = await openTestStore(t);
  const previous = delegatedStake({ delegation: { stakeLamports: SOL, activationEpoch: 4n } });
  await delegators.setFilled();
  await lead(delegators, previous, { slot: 100 });
  const left = delegatedStake({
    delegation: { stakeLamports: SOL, activationEpoch: 2n, deactivationEpoch: 3n },
  });
  await lead(delegators, left, { slot: 110 });
  assert.deepEqual((await delegators.changes({}, 9)).map(({ kind, epoch }) => [kind, epoch]).toSorted(), [
    ['delegated', 2n],
    ['joined', 4n],
    ['leaving', 3n],
  ]);
});

test('an index that lags behind the previous leader’s records does not change them', async (t) => {
  const { delegators, recorded } = await opened(t);
  await lead(delegators, staked(7n * SOL), { slot: 90 });
  assert.deepEqual(await recorded(), []);
});

test('two changes before the delegator list is written are recorded as one, starting from the stake before the first change', async (t) => {
  const { delegators, recorded } = await opened(t);
  await lead(delegators, staked(10n * SOL), { slot: 100 }, (emit) => {
    emit(staked(10n * SOL), staked(12n * SOL));
    emit(staked(12n * SOL), staked(15n * SOL));
  });
  assert.deepEqual(await recorded(), [['stake_changed', 5n * SOL]]);
});

test('the chain is not read repeatedly while the index has not been scanned in a new epoch', async (t) => {
  const { delegators } = await openTestStore(t);
  const clock = createManualClock();
  let [epoch, scannedEpoch, reads] = [5n, 5n, 0];
  const recorder = new DelegatorRecorder({
    index: {
      totals: () => ({}),
      health: () => ({ ready: true }),
      scannedEpoch: () => scannedEpoch,
      entries: () => [],
    } as unknown as StakeIndex,
    delegators,
    clock,
    cluster: {
      epochPosition: async () => {
        reads += 1;
        return { epoch, epochRewardsActive: false };
      },
      lastEpochPosition: () => ({ epoch }),
      stakeHistory: async () => new Map(),
    } as never,
    logger: { info: () => undefined } as unknown as Logger,
  });
  const readsOf = async (polls: number): Promise<number> => {
    const before = reads;
    for (let poll = 0; poll < polls; poll += 1) await recorder.poll(patience);
    return reads - before;
  };
  await readsOf(10);
  epoch = 6n;
  clock.advance(60_000);
  assert.equal(await readsOf(60), 0);
  scannedEpoch = 6n;
  assert.equal(await readsOf(60), 1, 'one sum');
});

test('stake that left counts once, with its rewards, also if it was split or withdrawn since, and not if it was undone', () => {
  const [whole, part, late] = ['whole', 'part', 'late'] as Address[];
  const leaving = new Map([[whole!, 40n * SOL]]);
  const left = (wentOut: readonly (readonly [Address, bigint])[], undone?: Address) =>
    leftAtEnd(leaving, new Map(wentOut), (address) => address === undone);
  assert.equal(left([[whole!, 40n * SOL + 3n]]), 40n * SOL + 3n);
  const split = [
    [whole!, 38n * SOL + 3n],
    [part!, 2n * SOL + 3n],
  ] as const;
  assert.equal(left([...split, [late!, 5n * SOL]]), 45n * SOL + 6n);
  assert.equal(left([], whole), 0n);
  assert.equal(left([]), 40n * SOL, 'an account that was withdrawn after the boundary');
});

/** Records epoch 5, then epoch 6 after `account` changed to `later`; null if it was closed. Returns epoch 5. */
const flowsAfter = async (
  t: TestContext,
  later: StakeAccount | null,
  happens: 'restart' | 'outage' | 'nothing',
) => {
  const { delegators } = await openTestStore(t);
  const clock = createManualClock();
  let [epoch, ready] = [5n, true];
  const stays = { ...entryOf(staked(10n * SOL), 1, true), address: 'stays' as Address };
  let entries = [entryOf(staked(20n * SOL), 1, true), stays];
  let listener: (change: StakeChange) => void = () => undefined;
  const recorder = () => {
    const one = new DelegatorRecorder({
      index: {
        totals: () => ({}),
        health: () => ({ ready }),
        scannedEpoch: () => epoch,
        entries: () => entries,
        entry: (asked: Address) => entries.find((entry) => entry.address === asked),
        onChange: (told: typeof listener) => {
          listener = told;
          return () => undefined;
        },
      } as unknown as StakeIndex,
      delegators,
      clock,
      cluster: {
        epochPosition: async () => ({ epoch, epochRewardsActive: false }),
        lastEpochPosition: () => ({ epoch }),
        stakeHistory: async () => new Map(),
      } as never,
      logger: { info: () => undefined } as unknown as Logger,
    });
    one.listen(patience);
    return one;
  };
  let current = recorder();
  await current.poll(patience);
  if (happens === 'restart') current = recorder();
  if (happens === 'outage') {
    ready = false;
    await current.poll(patience);
    ready = true;
  }
  epoch = 6n;
  const before = staked(20n * SOL);
  entries = [entryOf(later ?? before, 2, later !== null), { ...stays, stakeLamports: 10n * SOL + 1n }];
  listener({ kind: 'changed', address, slot: 2n, before, after: later } as StakeChange);
  clock.advance(60_000);
  await current.poll(patience);
  const [now, ended] = await delegators.epochs(2);
  // A restart later in the epoch changes nothing.
  await recorder().poll(patience);
  assert.deepEqual((await delegators.epochs(2))[1], ended);
  return [ended!.activatingLamports, ended!.deactivatingLamports, epochRewards(ended!, now)];
};

test('stake that left while no one watched counts with its rewards, and an epoch whose end cannot be computed is unknown', async (t) => {
  const left = delegatedStake({
    delegation: { stakeLamports: 20n * SOL + 2n, activationEpoch: 1n, deactivationEpoch: 5n },
  });
  for (const happens of ['restart', 'outage', 'nothing'] as const)
    assert.deepEqual(await flowsAfter(t, left, happens), [0n, 20n * SOL + 2n, 3n], happens);
  for (const happens of ['restart', 'outage'] as const)
    assert.deepEqual(await flowsAfter(t, null, happens), [null, null, null], happens);
  assert.deepEqual(await flowsAfter(t, null, 'nothing'), [0n, 0n, null], 'the figures do not add up');
});

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
import { DelegatorRecorder, leftAfterSum } from './record-delegators.ts';

const patience = wholeFilePatience();
const { address } = delegatedStake();

const staked = (stakeLamports: bigint): StakeAccount => delegatedStake({ delegation: { stakeLamports } });

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
  assert.deepEqual(
    (await delegators.changes({}, 9)).map(({ kind, epoch }) => [kind, epoch]).toSorted(),
    [
      ['delegated', 2n],
      ['joined', 4n],
      ['leaving', 3n],
    ],
  );
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

test('stake that was split, deactivated or reactivated after the last sum of its epoch counts as leaving at most once', () => {
  const [whole, part, late] = ['whole', 'part', 'late'] as Address[];
  const counted = new Map([[whole!, 40n * SOL]]);
  const reward = 3n;
  const left = (wentOut: readonly (readonly [Address, bigint])[], undone?: Address) =>
    leftAfterSum(counted, new Map(wentOut), (address) => address === undone);
  assert.equal(left([[whole!, 40n * SOL + reward]]), 0n);
  const split = [
    [whole!, 38n * SOL + reward],
    [part!, 2n * SOL + reward],
  ] as const;
  assert.equal(left(split), 2n * reward);
  assert.equal(left([...split, [late!, 5n * SOL]]), 5n * SOL + 2n * reward);
  assert.equal(left([], whole), -40n * SOL);
  assert.equal(left([]), 0n, 'an account that was withdrawn after the boundary still counts as having left');
});

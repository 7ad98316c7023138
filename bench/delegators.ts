// The delegator list of a large validator: the time to record one epoch's changes, and the longest pause of
// the event loop meanwhile.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { type Address, getAddressDecoder } from '@solana/kit';
import type { DelegatedAccount } from '../src/chain/index/index-table.ts';
import { IndexUpdates } from '../src/chain/index/index-updates.ts';
import type { StakeIndex } from '../src/chain/index/stake-index.ts';
import { EPOCH_ABSENT } from '../src/domain/stake/stake-account.ts';
import { DELEGATORS_POLL_MS, DelegatorRecorder } from '../src/events/delegators/record-delegators.ts';
import { systemClock as clock } from '../src/kernel/clock.ts';
import { createLogger } from '../src/kernel/log/logger.ts';
import { runRepeatedly } from '../src/kernel/run-repeatedly.ts';
import { openSqliteStore } from '../src/store/engine/sqlite-store.ts';
import { EXAMPLE_OPTIONS, storeOf } from '../test/support/store-fixture.ts';
import type { BenchRow } from './benchmark-row.ts';

const MAX_MS = 5_000;
const MAX_PAUSE_MS = 50;
const SOL = 1_000_000_000n;
const NEWS_AT_ONCE = 200;

const decoder = getAddressDecoder();
const made = new Map<number, Address>();
/** Cache of addresses, because encoding one takes longer than everything measured here. */
const addressOf = (number: number): Address => {
  const known = made.get(number);
  if (known !== undefined) return known;
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, number);
  const address = decoder.decode(bytes);
  made.set(number, address);
  return address;
};

const VOTE = addressOf(0xffff_ffff);
const lockup = { unixTimestamp: 0n, epoch: 0n, custodian: addressOf(0) };

const accountOf = (number: number, epoch: bigint, isLeaving: boolean): DelegatedAccount => {
  const wallet = addressOf(0x8000_0000 + number);
  const stakeLamports = 5n * SOL + BigInt(number) + (epoch - 800n) * 1_000n;
  return {
    address: addressOf(number),
    lamports: stakeLamports + 2_282_880n,
    kind: 'delegated',
    stakeAuthority: wallet,
    withdrawAuthority: wallet,
    lockup,
    delegation: {
      voteAccount: VOTE,
      stakeLamports,
      activationEpoch: 700n,
      deactivationEpoch: isLeaving ? epoch - 1n : EPOCH_ABSENT,
      creditsObserved: epoch * 1_000n,
    },
  };
};

/** Measures a boundary at which all `accounts` were paid, one percent joined, and one percent is leaving. */
export const benchDelegators = async ({ accounts = 200_000 } = {}): Promise<readonly BenchRow[]> => {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const store = storeOf(await openSqliteStore({ path: join(folder, 'store.db'), ...EXAMPLE_OPTIONS }));
  stack.defer(() => store.close());
  const logger = createLogger('silent');
  let epoch = 800n;
  let scannedEpoch = epoch;
  const cluster = {
    epochPosition: async () => ({ epoch, epochRewardsActive: false }) as never,
    lastEpochPosition: () => ({ epoch }) as never,
    recentEpochPosition: async () => ({ epoch, epochRewardsActive: false }) as never,
    stakeHistory: async () => new Map(),
  };
  const news = new IndexUpdates({ voteAccount: VOTE, cluster, clock, logger });
  const index = {
    entries: () => news.table.entries(),
    entry: (address: Address) => news.table.get(address),
    onChange: (listener: Parameters<StakeIndex['onChange']>[0]) => news.onChange(listener),
    scannedEpoch: () => scannedEpoch,
    totals: () => news.table.totals,
    health: () => ({ ready: true }),
  } as unknown as StakeIndex;
  const hear = async (from: number, to: number, isLeaving: (number: number) => boolean): Promise<void> => {
    for (let number = from; number < to; number += 1) {
      news.scanned(accountOf(number, epoch, isLeaving(number)), Number(epoch) * 1_000, 0);
      if (number % NEWS_AT_ONCE === 0) await setImmediate();
    }
  };
  await hear(0, accounts, () => false);
  news.emitting = true;

  const stop = new AbortController();
  const keeper = new DelegatorRecorder({ index, cluster, delegators: store.delegators, clock, logger });
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    while (!(await isSo())) await delay(20);
  };
  const measured = async (work: () => Promise<void>): Promise<{ ms: number; pauseMs: number }> => {
    const pauses = monitorEventLoopDelay({ resolution: 1 });
    pauses.enable();
    const startedMs = performance.now();
    await work();
    pauses.disable();
    return { ms: performance.now() - startedMs, pauseMs: pauses.max / 1e6 };
  };
  const timers = setInterval(() => undefined, 1_000);
  let running: Promise<void> = Promise.resolve();
  const filling = await measured(async () => {
    keeper.listen(stop.signal);
    const runner = { clock, logger, signal: stop.signal };
    running = runRepeatedly('delegators', DELEGATORS_POLL_MS, (signal) => keeper.poll(signal), runner).ended;
    await until(async () => (await store.delegators.epochs(1))[0]?.epoch === 800n);
  });
  epoch = 801n;
  const joining = accounts / 100;
  for (let number = accounts; number < accounts + joining; number += 1) accountOf(number, epoch, false);
  const boundary = await measured(async () => {
    await hear(0, accounts, (number) => number % 100 === 0);
    await hear(accounts, accounts + joining, () => false);
    // Makes the watched index report a completed scan of the new epoch.
    scannedEpoch = epoch;
    await until(async () => {
      const [last] = await store.delegators.epochs(1);
      const noted = await store.delegators.find([addressOf(accounts + joining - 1)]);
      return last?.epoch === 801n && last.accounts === accounts + joining && noted.size === 1;
    });
  });
  stop.abort();
  await running;
  clearInterval(timers);
  const name = `delegator list of ${accounts.toLocaleString('en')} accounts`;
  const row = (what: string, value: number, most: number | null): BenchRow => ({
    path: `${name}, ${what}`,
    control: most === null ? 'none' : 'what may be',
    value,
    controlValue: most ?? value,
    unit: 'ms',
    goal: most === null ? 'printed' : '≤ 1×',
    met: most === null || value <= most,
  });
  return [
    row('first fill', filling.ms, null),
    row("a boundary's difference", boundary.ms, MAX_MS),
    row('longest pause while filling', filling.pauseMs, MAX_PAUSE_MS),
    row('longest pause at a boundary', boundary.pauseMs, MAX_PAUSE_MS),
  ];
};

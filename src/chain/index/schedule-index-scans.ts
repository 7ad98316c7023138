// Keeps the index complete. Scans every account at startup, after a lost subscription and once per epoch.
// Every ten minutes, scans only the addresses, to find accounts that appeared or left without a notification.
// Announces a new epoch once its rewards have been paid and every account has been read.

import type { Address } from '@solana/kit';
import { pause } from '../../kernel/abort.ts';
import { ageMs, type Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import { createOutageLog } from '../../kernel/log/outage-log.ts';
import type { RpcPool } from '../rpc/rpc-pool.ts';
import type { IndexFeed } from './index-feed.ts';
import type { IndexRereads } from './index-rereads.ts';
import { runIndexScan } from './index-scan.ts';
import type { IndexUpdates } from './index-updates.ts';

/** Intervals in ms. */
export interface IndexIntervals {
  /**
   * The epoch is polled once the last known position, from any reader, has reached this age. The subscription
   * reports a boundary immediately. Default: 10,000.
   */
  readonly pollMs: number;
  /**
   * Interval of address-only scans, which find accounts that appeared or left without a notification. An
   * account that left remains listed at most this long unless it is requested. Default: 600,000.
   */
  readonly keyScanMs: number;
  /** Minimum time between the starts of two full scans after lost subscriptions. Default: 30,000. */
  readonly rescanGapMs: number;
  /** Maximum duration of a scan with one node. Default: 900,000. */
  readonly scanTimeoutMs: number;
  /** Maximum wait of the first scan for the subscription. Default: 3,000. */
  readonly firstFeedMs: number;
  /** Pause after a failed scan. Doubles up to 60,000; the end of an RPC outage ends it. Default: 1,000. */
  readonly retryMs: number;
}

/** Progress of a running scan, for logs and `/ready`. */
export interface IndexProgress {
  readonly phase: 'waiting' | 'scanning' | 'checking' | 'idle';
  /** Number of accounts read by the running scan, or by the last one. */
  readonly accounts: number;
  readonly percent: number | null;
  readonly secondsLeft: number | null;
}

interface ScheduleOptions {
  readonly pool: RpcPool;
  readonly voteAccount: Address;
  readonly updates: IndexUpdates;
  readonly rereads: IndexRereads;
  readonly feed: () => IndexFeed;
  readonly hasFeed: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly intervals: IndexIntervals;
}

const MAX_RETRY_MS = 60_000;
const REWARDS_POLL_MS = 1_000;
/** Interval of checks for the end of an RPC outage, which make no call. */
const OUTAGE_POLL_MS = 500;
const ENTRIES_AT_ONCE = 65_536;
const LOG_EVERY_MS = 10_000;

/** Schedules and runs scans until the signal is aborted. */
export class IndexScanSchedule {
  readonly #options: ScheduleOptions;
  readonly #bornMs: number;
  #wake: (() => void) | undefined;
  #scans = 0;
  #scannedSession = -1;
  #wholeStartedMs = 0;
  #listStartedMs = 0;
  /** Epoch of the last full scan; null before the first. */
  scannedEpoch: bigint | null = null;
  /** Slot of the last scan of either kind. */
  listSlot = 0;
  progress: IndexProgress = { phase: 'waiting', accounts: 0, percent: null, secondsLeft: null };
  failed = false;

  constructor(options: ScheduleOptions) {
    this.#options = options;
    this.#bornMs = options.clock.steadyNow();
  }

  /**
   * Time of the steady clock, in ms, at which the account list last contained every existing account; 0
   * before the first scan. It may still contain accounts that left.
   */
  get completeAtMs(): number {
    const feed = this.#options.feed();
    return feed.live && feed.session === this.#scannedSession ? feed.heardAtMs : this.#listStartedMs;
  }

  /** Checks immediately for due work. */
  wake(): void {
    this.#wake?.();
  }

  async run(): Promise<void> {
    const { signal, logger, intervals, clock } = this.#options;
    const outage = createOutageLog({ clock, logger, context: {}, subject: 'stake index maintenance' });
    let failures = 0;
    while (!signal.aborted) {
      let pauseMs = intervals.pollMs;
      const wasUnreachable = this.#isUnreachable;
      try {
        pauseMs = await this.#step();
        failures = 0;
        outage.succeeded();
      } catch (error) {
        if (signal.aborted) return;
        pauseMs = Math.min(intervals.retryMs * 2 ** failures, MAX_RETRY_MS);
        failures += 1;
        outage.failed(error);
      }
      this.failed = failures > 0;
      const waiting = new AbortController();
      // A wake-up must not shorten the pause after a failure, or a busy service would flood a failing node.
      this.#wake = failures > 0 ? undefined : () => waiting.abort();
      if (failures === 0 || !wasUnreachable) {
        await pause(clock, pauseMs, AbortSignal.any([signal, waiting.signal]));
        continue;
      }
      // The end of an outage ends the pause. A step that began with a usable node pauses in full, so a node
      // that only fails scans is not flooded.
      const dueMs = clock.steadyNow() + pauseMs;
      while (!signal.aborted && clock.steadyNow() < dueMs && this.#isUnreachable)
        await pause(clock, Math.min(pauseMs, OUTAGE_POLL_MS), signal);
      if (!this.#isUnreachable) failures = 0;
    }
  }

  get #isUnreachable(): boolean {
    return this.#options.pool.outage()?.untilMs === null;
  }

  /** Does the work that is due. Returns the time until the next step, in ms. */
  async #step(): Promise<number> {
    const { updates, rereads, clock, intervals, logger, signal } = this.#options;
    await rereads.retry().catch((error: unknown) => {
      signal.throwIfAborted();
      logger.debug({ err: error }, 'stake index: rereading accounts failed');
    });
    const feed = this.#options.feed();
    const startWaitMs = this.#bornMs + intervals.firstFeedMs - clock.steadyNow();
    if (this.scannedEpoch === null && this.#options.hasFeed && !feed.live && startWaitMs > 0)
      return startWaitMs;
    const known = await updates.positionNow(intervals.pollMs, signal);
    const due = this.#due(known.epoch);
    if (due === null) {
      // A position that was read for another purpose makes a poll unnecessary.
      const leftMs = intervals.pollMs - ageMs(known.readAtMs, clock.now());
      return Math.min(Math.max(leftMs, intervals.pollMs / 10), this.#msToNextScan());
    }
    const position = await updates.freshPosition(signal);
    // Accounts change until all rewards have been paid, so a scan now would have to be repeated.
    if (position.epochRewardsActive) {
      this.progress = { ...this.progress, phase: 'waiting' };
      return Math.min(REWARDS_POLL_MS, intervals.pollMs);
    }
    // Notifications from here on are newer than the scan. Earlier changes are part of it.
    const session = feed.live ? feed.session : -1;
    const startedMs = clock.steadyNow();
    if (due === 'whole') {
      this.#wholeStartedMs = startedMs;
      await this.#scan(false);
      const isNewEpoch = this.scannedEpoch !== null && position.epoch > this.scannedEpoch;
      this.scannedEpoch = position.epoch;
      this.#scannedSession = session;
      if (isNewEpoch) updates.announceEpoch();
    } else await this.#scan(true);
    this.#listStartedMs = startedMs;
    // The first scan fills the table without reporting changes; from now on every change is reported.
    updates.emitting = true;
    // The subscription or the epoch may have changed during the scan, so the next step follows immediately.
    return 0;
  }

  #due(epoch: bigint): 'whole' | 'keys' | null {
    const { clock, intervals } = this.#options;
    const feed = this.#options.feed();
    // An epoch before the scanned one comes from a lagging node, which has no newer data.
    if (this.scannedEpoch === null || epoch > this.scannedEpoch) return 'whole';
    const missedUpdates = feed.live && feed.session !== this.#scannedSession;
    if (missedUpdates && clock.steadyNow() >= this.#wholeStartedMs + intervals.rescanGapMs) return 'whole';
    return clock.steadyNow() >= this.#listStartedMs + intervals.keyScanMs ? 'keys' : null;
  }

  #msToNextScan(): number {
    const { clock, intervals } = this.#options;
    const feed = this.#options.feed();
    const missedUpdates = feed.live && feed.session !== this.#scannedSession;
    const nextMs = missedUpdates
      ? this.#wholeStartedMs + intervals.rescanGapMs
      : this.#listStartedMs + intervals.keyScanMs;
    return Math.max(0, nextMs - clock.steadyNow());
  }

  async #scan(keysOnly: boolean): Promise<void> {
    const { pool, voteAccount, updates, rereads, clock, logger, signal, intervals } = this.#options;
    const { table } = updates;
    let scan = 0;
    const unknown: Address[] = [];
    const readAtSeconds = updates.nowSeconds;
    const progress = this.#progressOf(keysOnly, clock.steadyNow());
    let slot = 0;
    const found = await runIndexScan({
      pool,
      voteAccount,
      keysOnly,
      minSlot: Number(rereads.touchedSlot),
      plausible: (it) => updates.plausible(it),
      timeoutMs: intervals.scanTimeoutMs,
      signal,
      onStart: (it) => {
        slot = it;
        // Each response gets its own number, so that rows of a broken earlier response do not count as listed.
        this.#scans += 1;
        scan = this.#scans;
        unknown.length = 0;
        progress.start();
      },
      onRow: (address, account) => {
        progress.row();
        const entry = account === null ? table.get(address) : updates.scanned(account, slot, readAtSeconds);
        // The table lists this account as gone, but based on an older slot than this scan, so the account may
        // have come back.
        if (entry === undefined || (!entry.live && entry.slot < slot)) unknown.push(address);
        if (entry !== undefined) entry.scan = scan;
      },
      onProgress: progress.bytes,
    });
    const missing: Address[] = [];
    let passed = 0;
    for (const entry of table.entries()) {
      passed += 1;
      if (passed % ENTRIES_AT_ONCE === 0) await clock.sleep(0, signal);
      if (entry.live && entry.scan !== scan && entry.slot < slot) missing.push(entry.address);
    }
    // Accounts missing from a scan are read by address before they count as gone, because some nodes are
    // known to omit accounts.
    await rereads.read([...missing, ...unknown], BigInt(slot), signal);
    this.listSlot = slot;
    updates.newestSlot = Math.max(updates.newestSlot, slot);
    this.progress = { phase: 'idle', accounts: found.rows, percent: 100, secondsLeft: 0 };
    const counts = { accounts: found.rows, missing: missing.length, unknown: unknown.length, slot };
    logger.info({ ...counts, ms: clock.steadyNow() - progress.startedMs, keysOnly }, 'stake index: scanned');
  }

  #progressOf(keysOnly: boolean, startedMs: number) {
    const { clock, logger, updates } = this.#options;
    const phase = keysOnly ? 'checking' : 'scanning';
    const expected = updates.table.totals.accounts;
    let [accounts, loggedMs] = [0, startedMs];
    const show = (share: number | null) => {
      const passedMs = clock.steadyNow() - startedMs;
      this.progress = {
        phase,
        accounts,
        percent: share === null ? null : Math.floor(share * 100),
        secondsLeft: share === null || share === 0 ? null : Math.ceil(((1 / share - 1) * passedMs) / 1_000),
      };
      if (clock.steadyNow() - loggedMs < LOG_EVERY_MS) return;
      loggedMs = clock.steadyNow();
      logger.info(this.progress, 'stake index: scan in progress');
    };
    return {
      startedMs,
      start: () => {
        accounts = 0;
      },
      row: () => {
        accounts += 1;
      },
      bytes: (bytes: number, ofBytes: number | null) => {
        if (ofBytes !== null) show(Math.min(1, bytes / ofBytes));
        else show(expected > 0 ? Math.min(1, accounts / expected) : null);
      },
    };
  }
}

// Keeps the index complete: scans at start, after a lost subscription and once an epoch, and finds departed accounts in between.

import type { Address } from '@solana/kit';
import { pause } from '../../kernel/abort.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { RpcPool } from '../rpc/rpc-pool.ts';
import type { IndexFeed } from './index-feed.ts';
import type { IndexRereads } from './index-rereads.ts';
import { runIndexScan } from './index-scan.ts';
import type { IndexUpdates } from './index-updates.ts';

/** How often things are done, ms. */
export interface IndexIntervals {
  /** Between two looks at the epoch; a boundary that the subscription shows is seen at once. Default 10,000. */
  readonly pollMs: number;
  /** Between two scans for leavers and for accounts whose news were lost: the longest that a leaver nobody asks about stays listed. Default 600,000. */
  readonly keyScanMs: number;
  /** Least time between the starts of two whole scans after lost subscriptions. Default 30,000. */
  readonly rescanGapMs: number;
  /** The longest a scan may take with one node. Default 900,000. */
  readonly scanTimeoutMs: number;
  /** How long the first scan waits for the subscription. Default 3,000. */
  readonly firstFeedMs: number;
  /** Pause after a failed scan; doubles up to 60,000. Default 1,000. */
  readonly retryMs: number;
}

/** What a scan under way has done, for logs and `/ready`. */
export interface IndexProgress {
  readonly phase: 'waiting' | 'scanning' | 'checking' | 'idle';
  /** Accounts read by the scan under way, or by the last one. */
  readonly accounts: number;
  readonly percent: number | null;
  readonly secondsLeft: number | null;
}

interface UpkeepOptions {
  readonly pool: RpcPool;
  readonly voteAccount: Address;
  readonly news: IndexUpdates;
  readonly rereads: IndexRereads;
  readonly feed: () => IndexFeed;
  readonly hasFeed: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly intervals: IndexIntervals;
}

const LONGEST_RETRY_MS = 60_000;
const REWARDS_POLL_MS = 1_000;
const ENTRIES_AT_ONCE = 65_536;
const LOG_EVERY_MS = 10_000;

/** The upkeep; `run` ends with the signal. */
export class IndexUpkeep {
  readonly #options: UpkeepOptions;
  readonly #bornMs: number;
  #wake: (() => void) | undefined;
  #scans = 0;
  #scannedSession = -1;
  #wholeStartedMs = 0;
  #listStartedMs = 0;
  /** The epoch of the last whole scan, null before the first. */
  scannedEpoch: bigint | null = null;
  /** The slot of the last scan of either kind. */
  listSlot = 0;
  progress: IndexProgress = { phase: 'waiting', accounts: 0, percent: null, secondsLeft: null };
  failed = false;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#bornMs = options.clock.steadyNow();
  }

  /** As of when the list of accounts is known to be complete but for leavers, ms since the Unix epoch; 0 before the first scan. */
  get completeAtMs(): number {
    const feed = this.#options.feed();
    return feed.live && feed.session === this.#scannedSession ? feed.heardAtMs : this.#listStartedMs;
  }

  /** Looks at once whether something is to do. */
  wake(): void {
    this.#wake?.();
  }

  async run(): Promise<void> {
    const { signal, logger, intervals, clock } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      let pauseMs = intervals.pollMs;
      try {
        pauseMs = await this.#step();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        pauseMs = Math.min(intervals.retryMs * 2 ** failures, LONGEST_RETRY_MS);
        failures += 1;
        logger.warn({ err: error, pauseMs }, 'stake index: the RPC does not serve it; trying again');
      }
      this.failed = failures > 0;
      const waiting = new AbortController();
      this.#wake = failures > 0 ? undefined : () => waiting.abort();
      await pause(clock, pauseMs, AbortSignal.any([signal, waiting.signal]));
    }
  }

  /** Does what is due; how long nothing more will be, ms. */
  async #step(): Promise<number> {
    const { news, rereads, clock, intervals, logger, signal } = this.#options;
    await rereads.retry().catch((error: unknown) => {
      signal.throwIfAborted();
      logger.debug({ err: error }, 'stake index: reading again failed');
    });
    const feed = this.#options.feed();
    const startWaitMs = this.#bornMs + intervals.firstFeedMs - clock.steadyNow();
    if (this.scannedEpoch === null && this.#options.hasFeed && !feed.live && startWaitMs > 0)
      return startWaitMs;
    const due = this.#due((await news.positionNow(signal)).epoch);
    if (due === null) return Math.min(intervals.pollMs, this.#msToNextScan());
    const position = await news.freshPosition(signal);
    if (position.epochRewardsActive) {
      this.progress = { ...this.progress, phase: 'waiting' };
      return Math.min(REWARDS_POLL_MS, intervals.pollMs);
    }
    // Notifications that arrive from here on are newer than the scan; those before are part of it.
    const session = feed.live ? feed.session : -1;
    const startedMs = clock.steadyNow();
    if (due === 'whole') {
      this.#wholeStartedMs = startedMs;
      await this.#scan(false);
      this.scannedEpoch = position.epoch;
      this.#scannedSession = session;
    } else await this.#scan(true);
    this.#listStartedMs = startedMs;
    news.emitting = true;
    return 0;
  }

  #due(epoch: bigint): 'whole' | 'keys' | null {
    const { clock, intervals } = this.#options;
    const feed = this.#options.feed();
    // A node that is still in the epoch before says nothing new.
    if (this.scannedEpoch === null || epoch > this.scannedEpoch) return 'whole';
    const missedNews = feed.live && feed.session !== this.#scannedSession;
    if (missedNews && clock.steadyNow() >= this.#wholeStartedMs + intervals.rescanGapMs) return 'whole';
    return clock.steadyNow() >= this.#listStartedMs + intervals.keyScanMs ? 'keys' : null;
  }

  #msToNextScan(): number {
    const { clock, intervals } = this.#options;
    const feed = this.#options.feed();
    const missedNews = feed.live && feed.session !== this.#scannedSession;
    const nextMs = missedNews
      ? this.#wholeStartedMs + intervals.rescanGapMs
      : this.#listStartedMs + intervals.keyScanMs;
    return Math.max(0, nextMs - clock.steadyNow());
  }

  async #scan(keysOnly: boolean): Promise<void> {
    const { pool, voteAccount, news, rereads, clock, logger, signal, intervals } = this.#options;
    const { table } = news;
    let scan = ++this.#scans;
    const unknown: Address[] = [];
    const readAtSeconds = news.nowSeconds;
    const progress = this.#progressOf(keysOnly, clock.steadyNow());
    let slot = 0;
    const found = await runIndexScan({
      pool,
      voteAccount,
      keysOnly,
      minSlot: Number(rereads.touchedSlot),
      plausible: (it) => news.plausible(it),
      timeoutMs: intervals.scanTimeoutMs,
      signal,
      onStart: (it) => {
        slot = it;
        // What an answer that broke off had listed is not in this one.
        scan = ++this.#scans;
        unknown.length = 0;
        progress.start();
      },
      onRow: (address, account) => {
        progress.row();
        const entry = account === null ? table.get(address) : news.scanned(account, slot, readAtSeconds);
        if (entry === undefined || (!entry.live && entry.slot < slot)) unknown.push(address);
        if (entry !== undefined) entry.scan = scan;
      },
      onProgress: progress.bytes,
    });
    const missing: Address[] = [];
    let passed = 0;
    for (const entry of table.entries()) {
      // Others get their turn in between.
      passed += 1;
      if (passed % ENTRIES_AT_ONCE === 0) await clock.sleep(0, signal);
      if (entry.live && entry.scan !== scan && entry.slot < slot) missing.push(entry.address);
    }
    // What a scan lacks is asked for by name before it counts as gone: nodes have been seen to list too little.
    await rereads.read([...missing, ...unknown], BigInt(slot), signal);
    this.listSlot = slot;
    news.newestSlot = Math.max(news.newestSlot, slot);
    this.progress = { phase: 'idle', accounts: found.rows, percent: 100, secondsLeft: 0 };
    const counts = { accounts: found.rows, missing: missing.length, unknown: unknown.length, slot };
    logger.info({ ...counts, ms: clock.steadyNow() - progress.startedMs, keysOnly }, 'stake index: scanned');
  }

  #progressOf(keysOnly: boolean, startedMs: number) {
    const { clock, logger, news } = this.#options;
    const phase = keysOnly ? 'checking' : 'scanning';
    const expected = news.table.totals.accounts;
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
      logger.info(this.progress, 'stake index: scan under way');
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

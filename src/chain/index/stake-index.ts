// Every wallet's stake accounts from one scan: never older than its last transaction through this service, and always saying how old.
import type { Address } from '@solana/kit';
import type { StakeAccount } from '../../domain/stake/stake-account.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { steadyClock } from '../../kernel/steady-clock.ts';
import type { ClusterState, SolanaReads } from '../ports.ts';
import type { RpcPool } from '../rpc/rpc-pool.ts';
import { createIndexFeed } from './index-feed.ts';
import { IndexNews, keyOf, type StakeChange } from './index-news.ts';
import { IndexRereads } from './index-rereads.ts';
import type { TableTotals } from './index-table.ts';
import { type IndexIntervals, type IndexProgress, IndexUpkeep } from './index-upkeep.ts';

export type { StakeChange } from './index-news.ts';
export type { TableTotals } from './index-table.ts';
export type { IndexProgress } from './index-upkeep.ts';

/** When rows and lists count as old, ms, beside the intervals of the upkeep. */
export interface StakeIndexTimes extends IndexIntervals {
  /** `current` reads a wallet's rows again when one was last known to hold longer ago. Default 30,000. */
  readonly rowAgeMs: number;
  /** Without a live subscription a list older than this is none: wallets are asked for one by one. Default 60,000. */
  readonly listAgeMs: number;
  /** A subscription without any message for this long is opened anew. Default 30,000. */
  readonly silenceMs: number;
}

/** What the index needs. */
export interface StakeIndexOptions {
  readonly pool: RpcPool;
  readonly reads: Pick<SolanaReads, 'accounts'>;
  readonly cluster: Pick<ClusterState, 'epochPosition' | 'recentEpochPosition'>;
  readonly voteAccount: Address;
  /** WebSocket URLs of the same cluster; none: kept current by scans alone. */
  readonly wsUrls: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends everything, as `close` does. */
  readonly signal: AbortSignal;
  /** Accounts that an earlier process saw, for `seenEver`. */
  readonly seenBefore?: Iterable<{ readonly address: Address; readonly withdrawAuthority: Address }>;
  readonly times?: Partial<StakeIndexTimes>;
}

/** One account of a wallet. */
export interface WalletRow {
  readonly account: StakeAccount;
  /** `staker`: the wallet is stake authority only. */
  readonly role: 'owner' | 'staker';
  /** The slot that `account` is known at. */
  readonly slot: bigint;
}

/** A wallet's accounts that are delegated to the vote account. */
export interface WalletRows {
  readonly rows: readonly WalletRow[];
  /** The newest slot that the index heard of; what it did not hear of since `verifiedSlot` it does not know. */
  readonly indexSlot: bigint;
  /** Every row was read, scanned or announced at this slot or later; without rows the slot of the last scan. */
  readonly verifiedSlot: bigint;
}

/** The index as `/ready` shows it. */
export interface StakeIndexHealth {
  readonly ready: boolean;
  readonly slot: bigint;
  /** Age of the list in seconds; null before the first scan. */
  readonly ageSeconds: number | null;
  readonly accounts: number;
  /** True while changes are announced; false: found by scans only. */
  readonly live: boolean;
  readonly error: string | null;
  readonly progress: IndexProgress;
  readonly memoryBytes: number;
}

/** The index. Reads of it never throw; `null` means: ask the chain for this wallet, from `touchedSlot` on. */
export interface StakeIndex {
  /** From memory alone. Null before the first scan, when the list is old, in a new epoch, and while a touch of this wallet is under way. */
  readonly walletRows: (wallet: Address) => WalletRows | null;
  /**
   * As `walletRows`, after touches of this wallet have ended and with old rows read again in one `getMultipleAccounts` (also in a new epoch, and
   * always while rewards are paid). Null also when that fails or there are more than 500 of the last epoch. Rejects only with the signal's reason.
   */
  readonly current: (wallet: Address, signal: AbortSignal) => Promise<WalletRows | null>;
  /**
   * Reads again what a transaction touched that is confirmed at `minSlot`. Give it all accounts of the message: wallets among them tell whose rows
   * wait. Never rejects; false when no node answered in time: the wallets are null until one did.
   */
  readonly touch: (addresses: readonly Address[], minSlot: bigint) => Promise<boolean>;
  /** The newest slot given to `touch`: fallback reads take it as `minContextSlot`. 0 before the first. */
  readonly touchedSlot: () => bigint;
  /** Null before the first scan. */
  readonly totals: () => TableTotals | null;
  /** Addresses of all accounts ever indexed with `wallet` as withdraw authority, also those that left. */
  readonly seenEver: (wallet: Address) => readonly Address[];
  readonly progress: () => IndexProgress;
  readonly health: () => StakeIndexHealth;
  /** Told of each account added, changed or left after the first scan, in the order in which the index learns of it. Returns the end of it. */
  readonly onChange: (listener: (change: StakeChange) => void) => () => void;
  readonly close: () => Promise<void>;
}

const DEFAULT_TIMES: StakeIndexTimes = {
  pollMs: 10_000,
  keyScanMs: 600_000,
  rescanGapMs: 30_000,
  scanTimeoutMs: 900_000,
  firstFeedMs: 3_000,
  retryMs: 1_000,
  rowAgeMs: 30_000,
  listAgeMs: 60_000,
  silenceMs: 30_000,
};
const VERIFY_AT_MOST = 500;

/** Starts the index; it fills by itself. */
export const createStakeIndex = (options: StakeIndexOptions): StakeIndex => {
  const { pool, reads, cluster, voteAccount, wsUrls, clock, logger } = options;
  const times = { ...DEFAULT_TIMES, ...options.times };
  const steady = steadyClock(clock);
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  const news = new IndexNews({ voteAccount, cluster, clock, logger });
  const { table } = news;
  for (const { address, withdrawAuthority } of options.seenBefore ?? [])
    table.remember(keyOf(address), keyOf(withdrawAuthority));
  const rereads = new IndexRereads({ news, reads, clock, logger, signal });
  const upkeep = new IndexUpkeep({
    pool,
    voteAccount,
    news,
    rereads,
    feed: () => feed,
    hasFeed: wsUrls.length > 0,
    clock: steady,
    logger,
    signal,
    intervals: times,
  });
  const feed = createIndexFeed({
    wsUrls,
    voteAccount,
    clock: steady,
    logger,
    silenceMs: times.silenceMs,
    onState: () => upkeep.wake(),
    onAccount: (account, slot) => {
      if (news.notified(account, Number(slot))) return;
      rereads.request(account.address, BigInt(slotOf(account.address)));
    },
    onSlot: (slot) => {
      if (news.heardSlot(slot)) upkeep.wake();
    },
  });
  signal.addEventListener('abort', () => void feed.close(), { once: true });
  const running = upkeep.run();

  const slotOf = (address: Address): number => {
    const row = table.find(keyOf(address));
    return row < 0 ? 0 : table.slotOf(row);
  };

  const isReady = () => upkeep.scannedEpoch !== null && steady.now() - upkeep.completeAtMs <= times.listAgeMs;

  const found = (wallet: Address) => {
    const rows = table.rowsOf(keyOf(wallet));
    // Writing an address takes a microsecond, and a wallet may have hundreds: only where they are asked for.
    return { rows, addresses: () => rows.map(({ row }) => table.addressOf(row)) };
  };

  const isDue = (wallet: Address, { addresses }: ReturnType<typeof found>): boolean =>
    !rereads.isQuiet && rereads.isDue([wallet, ...addresses()]);

  const answer = (rows: ReturnType<typeof found>['rows']): WalletRows => {
    const slots = rows.map(({ row }) => table.slotOf(row));
    return {
      rows: rows.map(({ row, role }, i) => ({
        account: table.accountOf(row),
        role,
        slot: BigInt(slots[i]!),
      })),
      indexSlot: BigInt(news.newestSlot),
      verifiedSlot: BigInt(slots.length > 0 ? slots.reduce((a, b) => Math.min(a, b)) : upkeep.listSlot),
    };
  };

  const walletRows = (wallet: Address): WalletRows | null => {
    if (!isReady() || news.epoch! > upkeep.scannedEpoch!) return null;
    const now = found(wallet);
    return isDue(wallet, now) ? null : answer(now.rows);
  };

  const current = async (wallet: Address, callerSignal: AbortSignal): Promise<WalletRows | null> => {
    callerSignal.throwIfAborted();
    if (!isReady()) return null;
    try {
      const position = await news.positionNow(callerSignal);
      if (!rereads.isQuiet) await rereads.settled(new Set([wallet, ...found(wallet).addresses()]));
      const { rows, addresses } = found(wallet);
      const firstSlot = Number(position.absoluteSlot - position.slotIndex);
      const mostMs = position.epochRewardsActive ? 0 : times.rowAgeMs;
      const old = rows.some(({ row }) => table.slotOf(row) < firstSlot || news.ageMsOf(row) > mostMs);
      if (old && rows.length <= VERIFY_AT_MOST) {
        const minSlot = rereads.touchedSlot > BigInt(firstSlot) ? rereads.touchedSlot : BigInt(firstSlot);
        await rereads.read(addresses(), minSlot, callerSignal);
      } else if (rows.some(({ row }) => table.slotOf(row) < firstSlot)) return null;
      const now = found(wallet);
      return isDue(wallet, now) ? null : answer(now.rows);
    } catch (error) {
      callerSignal.throwIfAborted();
      logger.debug({ err: error }, 'stake index: rows could not be verified');
      return null;
    }
  };

  return {
    walletRows,
    current,
    touch: (addresses, minSlot) => rereads.touch(addresses, minSlot),
    touchedSlot: () => rereads.touchedSlot,
    totals: () => (upkeep.scannedEpoch === null ? null : table.totals),
    seenEver: (wallet) => table.everOwnedBy(keyOf(wallet)),
    progress: () => upkeep.progress,
    health: () => ({
      ready: isReady(),
      slot: BigInt(news.newestSlot),
      ageSeconds:
        upkeep.scannedEpoch === null
          ? null
          : Math.max(0, Math.round((steady.now() - upkeep.completeAtMs) / 1_000)),
      accounts: table.totals.accounts,
      live: feed.live,
      error: isReady() ? null : upkeep.scannedEpoch === null ? 'not scanned yet' : 'no news of the chain',
      progress: upkeep.progress,
      memoryBytes: table.memoryBytes,
    }),
    onChange: (listener) => news.onChange(listener),
    close: async () => {
      closing.abort(new Error('stake index closed'));
      await Promise.all([feed.close(), running]);
    },
  };
};

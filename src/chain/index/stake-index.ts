// The stake index: every wallet's stake accounts in memory, with the slot of the last update.
import type { Address } from '@solana/kit';
import { decodeStakeAccount, type StakeAccount } from '../../domain/stake/stake-account.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import { larger } from '../../kernel/order.ts';
import { MAX_SNAPSHOT_ACCOUNTS } from '../cluster/chain-snapshot.ts';
import type { ChainSnapshot, ClusterState, EpochPosition, SolanaReads } from '../ports.ts';
import type { RpcPool } from '../rpc/rpc-pool.ts';
import { createIndexFeed } from './index-feed.ts';
import { IndexRereads } from './index-rereads.ts';
import type { IndexEntry, TableTotals } from './index-table.ts';
import { IndexUpdates, type StakeChange } from './index-updates.ts';
import { type IndexIntervals, type IndexProgress, IndexScanSchedule } from './schedule-index-scans.ts';

export type { IndexEntry, TableTotals } from './index-table.ts';
export type { StakeChange } from './index-updates.ts';
export type { IndexProgress } from './schedule-index-scans.ts';

/** Intervals of the scans, and maximum ages of rows and lists, in ms. */
export interface StakeIndexTimes extends IndexIntervals {
  /** Maximum age of a row for `current`; older rows of the wallet are read again. Default: 30,000. */
  readonly rowAgeMs: number;
  /**
   * Maximum age of the list without a live subscription. With an older list, wallets are read individually.
   * Default: 60,000.
   */
  readonly listAgeMs: number;
  /** Time without any message after which a subscription is reopened. Default: 30,000. */
  readonly silenceMs: number;
}

interface StakeIndexOptions {
  readonly pool: RpcPool;
  readonly reads: Pick<SolanaReads, 'accounts'>;
  readonly cluster: Pick<ClusterState, 'epochPosition' | 'recentEpochPosition' | 'readChainSnapshot'>;
  readonly voteAccount: Address;
  /** WebSocket URLs of the same cluster. If empty, only scans update the index. */
  readonly wsUrls: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Closes the index when aborted. */
  readonly signal: AbortSignal;
  readonly times?: Partial<StakeIndexTimes>;
}

interface WalletRow {
  readonly account: StakeAccount;
  /** `staker` means that the wallet only has the stake authority. */
  readonly role: 'owner' | 'staker';
  /** Slot of `account`. */
  readonly slot: bigint;
}

/** A wallet's accounts that are delegated to the vote account. */
export interface WalletRows {
  readonly rows: readonly WalletRow[];
  /** Newest slot of any update. Changes after `verifiedSlot` may have been missed. */
  readonly indexSlot: bigint;
  /**
   * Slot at or after which every row was read, scanned or reported by a notification. Without rows, the slot
   * of the last scan.
   */
  readonly verifiedSlot: bigint;
}

/**
 * A wallet's accounts, with a snapshot for evaluating them. The first account in the snapshot is the wallet.
 */
interface CurrentRows extends WalletRows {
  readonly snapshot: ChainSnapshot;
  /**
   * Former delegated accounts of the wallet that no longer have a delegation, because all their stake was
   * moved away. Read at the snapshot's slot.
   */
  readonly emptied: readonly StakeAccount[];
}

/** State of the index for `/ready`. */
interface StakeIndexHealth {
  readonly ready: boolean;
  readonly slot: bigint;
  /** Age of the list in seconds; null before the first scan. */
  readonly ageSeconds: number | null;
  readonly accounts: number;
  /** True while the subscription is live; otherwise only scans find changes. */
  readonly live: boolean;
  readonly error: string | null;
  readonly progress: IndexProgress;
}

/**
 * The index. Reads never throw. If a read returns `null`, the caller must read this wallet from the chain at
 * `touchedSlot` or later.
 */
export interface StakeIndex {
  /**
   * Returns a wallet's rows from memory. Null before the first scan, if the list is too old, in a new epoch,
   * and while this wallet is being touched.
   */
  readonly walletRows: (wallet: Address) => WalletRows | null;
  /**
   * Like `walletRows`, but waits for touches of this wallet and reads its rows again, together with the
   * wallet, because no subscription announces a closed account. If not all rows fit into that call, reads
   * only the old ones (all of them in a new epoch and while rewards are being paid). One more call follows if
   * the first shows a boundary or there are too many. With `reread`, always reads every row again, because a
   * transaction must not name an account that has just been closed. Also null if a read fails, or if more
   * than 500 rows would have to be read again. Rejects only if `signal` is aborted.
   */
  readonly current: (
    wallet: Address,
    signal: AbortSignal,
    options?: { readonly reread?: boolean },
  ) => Promise<CurrentRows | null>;
  /**
   * Reads the accounts of a transaction confirmed at `minSlot` again. Pass all accounts of its message:
   * `walletRows` returns null for the wallets among them until the read is done. Never rejects; returns false
   * if no node responded in time.
   */
  readonly touch: (addresses: readonly Address[], minSlot: bigint) => Promise<boolean>;
  /** Newest slot passed to `touch`; fallback reads use it as `minContextSlot`. 0 before the first touch. */
  readonly touchedSlot: () => bigint;
  /** Null before the first scan. */
  readonly totals: () => TableTotals | null;
  /**
   * Iterates over all accounts, oldest first, including those that left (not `live`) and those added during
   * iteration. Read-only.
   */
  readonly entries: () => Iterable<Readonly<IndexEntry>>;
  readonly entry: (address: Address) => Readonly<IndexEntry> | undefined;
  /** Epoch of the last full scan, which read every account. Null before the first. */
  readonly scannedEpoch: () => bigint | null;
  /**
   * Addresses of all accounts ever indexed with `wallet` as withdraw authority, including those that left.
   */
  readonly seenEver: (wallet: Address) => readonly Address[];
  /** Adds an account that an earlier process saw under `wallet`. It is treated like an account that left. */
  readonly remember: (address: Address, wallet: Address) => void;
  readonly progress: () => IndexProgress;
  readonly health: () => StakeIndexHealth;
  /**
   * Subscribes to each account added, changed or removed after the first scan, in order. Returns the
   * unsubscribe function.
   */
  readonly onChange: (listener: (change: StakeChange) => void) => () => void;
  /**
   * Subscribes to new epochs. The listener is called once the rewards have been paid and every account has
   * been read again. Returns the unsubscribe function.
   */
  readonly onEpoch: (listener: () => void) => () => void;
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

/** Starts the index, which fills in the background. */
export const createStakeIndex = (options: StakeIndexOptions): StakeIndex => {
  const { pool, reads, cluster, voteAccount, wsUrls, clock, logger } = options;
  const times = { ...DEFAULT_TIMES, ...options.times };
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  const updates = new IndexUpdates({ voteAccount, cluster, clock, logger });
  const { table } = updates;
  const rereads = new IndexRereads({ updates, reads, clock, logger, signal });
  const schedule = new IndexScanSchedule({
    pool,
    voteAccount,
    updates,
    rereads,
    feed: () => feed,
    hasFeed: wsUrls.length > 0,
    clock,
    logger,
    signal,
    intervals: times,
  });
  const feed = createIndexFeed({
    wsUrls,
    voteAccount,
    clock,
    logger,
    silenceMs: times.silenceMs,
    onState: () => schedule.wake(),
    onAccount: (account, slot) => {
      if (updates.notified(account, Number(slot))) return;
      rereads.request(account.address, BigInt(table.get(account.address)?.slot ?? 0));
    },
    onSlot: (slot) => {
      if (updates.heardSlot(slot)) schedule.wake();
    },
  });
  signal.addEventListener('abort', () => void feed.close(), { once: true });
  const running = schedule.run();
  /** Accounts that left and are closed, so that no call reads them again. */
  const closed = new Set<Address>();

  const isReady = () =>
    schedule.scannedEpoch !== null && clock.steadyNow() - schedule.completeAtMs <= times.listAgeMs;

  type Found = ReturnType<typeof table.entriesOf>;

  const addressesOf = (found: Found): Address[] => found.map(({ entry }) => entry.address);

  const isDue = (wallet: Address, found: Found): boolean =>
    !rereads.isQuiet && rereads.isDue([wallet, ...addressesOf(found)]);

  const response = (found: Found): WalletRows => ({
    rows: found.map(({ entry, role }) => ({
      account: table.accountOf(entry),
      role,
      slot: BigInt(entry.slot),
    })),
    indexSlot: BigInt(updates.newestSlot),
    verifiedSlot: BigInt(
      found.length > 0
        ? found.reduce((least, { entry }) => Math.min(least, entry.slot), Infinity)
        : schedule.listSlot,
    ),
  });

  const walletRows = (wallet: Address): WalletRows | null => {
    if (!isReady() || updates.position!.epoch > schedule.scannedEpoch!) return null;
    const found = table.entriesOf(wallet);
    return isDue(wallet, found) ? null : response(found);
  };

  const firstSlotOf = (position: EpochPosition): bigint => position.absoluteSlot - position.slotIndex;

  /**
   * Returns the rows that are too old to use at `position`: those from an earlier epoch, and those from
   * before `slot` that are older than `rowAgeMs`. With `reread`, and while rewards are being paid, all rows
   * from before `slot` are too old.
   */
  const oldOf = (found: Found, position: EpochPosition, slot: number, reread: boolean): Address[] => {
    const firstSlot = Number(firstSlotOf(position));
    return addressesOf(
      found.filter(
        ({ entry }) =>
          entry.slot < firstSlot ||
          (entry.slot < slot &&
            (reread || position.epochRewardsActive || updates.ageMsOf(entry) > times.rowAgeMs)),
      ),
    );
  };

  const current: StakeIndex['current'] = async (wallet, callerSignal, { reread = false } = {}) => {
    callerSignal.throwIfAborted();
    if (!isReady()) return null;
    try {
      if (!rereads.isQuiet) await rereads.settled(new Set([wallet, ...addressesOf(table.entriesOf(wallet))]));
      const known = updates.position!;
      const left = table.leftOwnedBy(wallet).filter((address) => !closed.has(address));
      const owned = table.entriesOf(wallet);
      // No subscription announces a closed account, so all rows are read again if they fit into the one call.
      const fits = owned.length + left.length < MAX_SNAPSHOT_ACCOUNTS;
      const asked = [...(fits ? addressesOf(owned) : oldOf(owned, known, Infinity, reread)), ...left].slice(
        0,
        MAX_SNAPSHOT_ACCOUNTS - 1,
      );
      const readAtSeconds = updates.nowSeconds;
      const snapshot = await cluster.readChainSnapshot([wallet, ...asked], {
        signal: callerSignal,
        minContextSlot: larger(rereads.touchedSlot, firstSlotOf(known)),
      });
      const position = updates.notePosition(snapshot.position);
      const accounts = snapshot.accounts.slice(1);
      rereads.take(asked, accounts, position.absoluteSlot, readAtSeconds);
      for (const [i, address] of asked.entries())
        if (accounts[i] === null && table.get(address)?.live === false) closed.add(address);
      const taken = table.entriesOf(wallet);
      const stillOld = oldOf(taken, position, Number(position.absoluteSlot), reread);
      if (stillOld.length > 0 && taken.length <= VERIFY_AT_MOST)
        await rereads.read(stillOld, larger(rereads.touchedSlot, position.absoluteSlot), callerSignal);
      else if (stillOld.length > 0 && reread) return null;
      const found = table.entriesOf(wallet);
      const firstSlot = firstSlotOf(position);
      const isOfThisEpoch = found.every(
        ({ entry }) => entry.slot >= firstSlot && entry.slot < firstSlot + position.slotsInEpoch,
      );
      if (!isOfThisEpoch || isDue(wallet, found)) return null;
      const rows = new Set(addressesOf(found));
      for (const address of rows) closed.delete(address);
      const emptied = accounts.flatMap((account) => {
        const decoded = account && decodeStakeAccount(account);
        const isEmptied = decoded?.delegation === null && decoded.withdrawAuthority === wallet;
        return isEmptied && !rows.has(decoded.address) ? [decoded] : [];
      });
      return { ...response(found), snapshot, emptied };
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
    totals: () => (schedule.scannedEpoch === null ? null : table.totals),
    entries: () => table.entries(),
    entry: (address) => table.get(address),
    scannedEpoch: () => schedule.scannedEpoch,
    seenEver: (wallet) => table.everOwnedBy(wallet),
    remember: (address, wallet) => table.remember(address, wallet),
    progress: () => schedule.progress,
    health: () => ({
      ready: isReady(),
      slot: BigInt(updates.newestSlot),
      ageSeconds:
        schedule.scannedEpoch === null
          ? null
          : Math.max(0, Math.round((clock.steadyNow() - schedule.completeAtMs) / 1_000)),
      accounts: table.totals.accounts,
      live: feed.live,
      error: isReady()
        ? null
        : schedule.scannedEpoch === null
          ? 'not scanned yet'
          : 'no updates from the chain',
      progress: schedule.progress,
    }),
    onChange: (listener) => updates.onChange(listener),
    onEpoch: (listener) => updates.onEpoch(listener),
    close: async () => {
      closing.abort(new Error('stake index closed'));
      await Promise.all([feed.close(), running]);
    },
  };
};

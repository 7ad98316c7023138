// The stake index: every wallet's stake accounts in memory, with the slot they are current for.
import type { Address } from '@solana/kit';
import { decodeStakeAccount, type StakeAccount } from '../../domain/stake/stake-account.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { MOST_SNAPSHOT_ACCOUNTS } from '../cluster/chain-snapshot.ts';
import type { ChainSnapshot, ClusterState, EpochPosition, SolanaReads } from '../ports.ts';
import type { RpcPool } from '../rpc/rpc-pool.ts';
import { createIndexFeed } from './index-feed.ts';
import { IndexRereads } from './index-rereads.ts';
import type { IndexEntry, TableTotals } from './index-table.ts';
import { IndexUpdates, type StakeChange } from './index-updates.ts';
import { type IndexIntervals, type IndexProgress, IndexUpkeep } from './index-upkeep.ts';

export type { IndexEntry, TableTotals } from './index-table.ts';
export type { StakeChange } from './index-updates.ts';
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
interface StakeIndexOptions {
  readonly pool: RpcPool;
  readonly reads: Pick<SolanaReads, 'accounts'>;
  readonly cluster: Pick<ClusterState, 'epochPosition' | 'recentEpochPosition' | 'readChainSnapshot'>;
  readonly voteAccount: Address;
  /** WebSocket URLs of the same cluster; none: updated by scans alone. */
  readonly wsUrls: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends everything, as `close` does. */
  readonly signal: AbortSignal;
  readonly times?: Partial<StakeIndexTimes>;
}

/** One account of a wallet. */
interface WalletRow {
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

/** A wallet's accounts, with the snapshot by which they are to be judged; its first account is the wallet itself. */
interface CurrentRows extends WalletRows {
  readonly snapshot: ChainSnapshot;
  /** The wallet's accounts that were delegated here once and are not delegated at all now: all their stake was moved away. Of `snapshot`'s slot. */
  readonly emptied: readonly StakeAccount[];
}

/** The index as `/ready` shows it. */
interface StakeIndexHealth {
  readonly ready: boolean;
  readonly slot: bigint;
  /** Age of the list in seconds; null before the first scan. */
  readonly ageSeconds: number | null;
  readonly accounts: number;
  /** True while changes are announced; false: found by scans only. */
  readonly live: boolean;
  readonly error: string | null;
  readonly progress: IndexProgress;
}

/** The index. Reads of it never throw; `null` means: ask the chain for this wallet, from `touchedSlot` on. */
export interface StakeIndex {
  /** From memory alone. Null before the first scan, when the list is old, in a new epoch, and while a touch of this wallet is under way. */
  readonly walletRows: (wallet: Address) => WalletRows | null;
  /**
   * As `walletRows`, after touches of this wallet have ended and with old rows read again in the call that reads the wallet (also in a new epoch,
   * and always while rewards are paid); where that call shows a boundary, or there are more rows than it takes, in one more. Null also when that
   * fails or there are more than 500 of the last epoch. Rejects only with the signal's reason.
   */
  readonly current: (wallet: Address, signal: AbortSignal) => Promise<CurrentRows | null>;
  /**
   * Reads again what a transaction touched that is confirmed at `minSlot`. Give it all accounts of the message: wallets among them tell whose rows
   * wait. Never rejects; false when no node answered in time: the wallets are null until one did.
   */
  readonly touch: (addresses: readonly Address[], minSlot: bigint) => Promise<boolean>;
  /** The newest slot given to `touch`: fallback reads take it as `minContextSlot`. 0 before the first. */
  readonly touchedSlot: () => bigint;
  /** Null before the first scan. */
  readonly totals: () => TableTotals | null;
  /** All accounts, also those that left (not `live`), oldest first; those added meanwhile follow. To be read, never written. */
  readonly entries: () => Iterable<Readonly<IndexEntry>>;
  readonly entry: (address: Address) => Readonly<IndexEntry> | undefined;
  /** The epoch of the last whole scan: every account is known as of it. Null before the first. */
  readonly scannedEpoch: () => bigint | null;
  /** Addresses of all accounts ever indexed with `wallet` as withdraw authority, also those that left. */
  readonly seenEver: (wallet: Address) => readonly Address[];
  /** Takes note of an account that an earlier process saw under `wallet`: it counts as one that left. */
  readonly remember: (address: Address, wallet: Address) => void;
  readonly progress: () => IndexProgress;
  readonly health: () => StakeIndexHealth;
  /** Notified of each account added, changed or removed after the first scan, in order. Returns the unsubscribe function. */
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

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Starts the index; it fills by itself. */
export const createStakeIndex = (options: StakeIndexOptions): StakeIndex => {
  const { pool, reads, cluster, voteAccount, wsUrls, clock, logger } = options;
  const times = { ...DEFAULT_TIMES, ...options.times };
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  const news = new IndexUpdates({ voteAccount, cluster, clock, logger });
  const { table } = news;
  const rereads = new IndexRereads({ news, reads, clock, logger, signal });
  const upkeep = new IndexUpkeep({
    pool,
    voteAccount,
    news,
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
    onState: () => upkeep.wake(),
    onAccount: (account, slot) => {
      if (news.notified(account, Number(slot))) return;
      rereads.request(account.address, BigInt(table.get(account.address)?.slot ?? 0));
    },
    onSlot: (slot) => {
      if (news.heardSlot(slot)) upkeep.wake();
    },
  });
  signal.addEventListener('abort', () => void feed.close(), { once: true });
  const running = upkeep.run();
  /** Accounts that left and are closed for good, so that no call reads them again. */
  const closed = new Set<Address>();

  const isReady = () =>
    upkeep.scannedEpoch !== null && clock.steadyNow() - upkeep.completeAtMs <= times.listAgeMs;

  type Found = ReturnType<typeof table.entriesOf>;

  const addressesOf = (found: Found): Address[] => found.map(({ entry }) => entry.address);

  const isDue = (wallet: Address, found: Found): boolean =>
    !rereads.isQuiet && rereads.isDue([wallet, ...addressesOf(found)]);

  const answer = (found: Found): WalletRows => ({
    rows: found.map(({ entry, role }) => ({
      account: table.accountOf(entry),
      role,
      slot: BigInt(entry.slot),
    })),
    indexSlot: BigInt(news.newestSlot),
    verifiedSlot: BigInt(
      found.length > 0
        ? found.reduce((least, { entry }) => Math.min(least, entry.slot), Infinity)
        : upkeep.listSlot,
    ),
  });

  const walletRows = (wallet: Address): WalletRows | null => {
    if (!isReady() || news.position!.epoch > upkeep.scannedEpoch!) return null;
    const found = table.entriesOf(wallet);
    return isDue(wallet, found) ? null : answer(found);
  };

  const firstSlotOf = (position: EpochPosition): bigint => position.absoluteSlot - position.slotIndex;

  /** Those known from before `slot` that `position` does not allow to answer from: of an earlier epoch, unread for long, or any while rewards are paid. */
  const oldOf = (found: Found, position: EpochPosition, slot: number): Address[] => {
    const firstSlot = Number(firstSlotOf(position));
    return addressesOf(
      found.filter(
        ({ entry }) =>
          entry.slot < firstSlot ||
          (entry.slot < slot && (position.epochRewardsActive || news.ageMsOf(entry) > times.rowAgeMs)),
      ),
    );
  };

  const current = async (wallet: Address, callerSignal: AbortSignal): Promise<CurrentRows | null> => {
    callerSignal.throwIfAborted();
    if (!isReady()) return null;
    try {
      if (!rereads.isQuiet) await rereads.settled(new Set([wallet, ...addressesOf(table.entriesOf(wallet))]));
      const known = news.position!;
      const left = table.leftOwnedBy(wallet).filter((address) => !closed.has(address));
      const asked = [...oldOf(table.entriesOf(wallet), known, Infinity), ...left].slice(
        0,
        MOST_SNAPSHOT_ACCOUNTS - 1,
      );
      const readAtSeconds = news.nowSeconds;
      const snapshot = await cluster.readChainSnapshot([wallet, ...asked], {
        signal: callerSignal,
        minContextSlot: max(rereads.touchedSlot, firstSlotOf(known)),
      });
      const position = news.notePosition(snapshot.position);
      const accounts = snapshot.accounts.slice(1);
      rereads.take(asked, accounts, position.absoluteSlot, readAtSeconds);
      for (const [i, address] of asked.entries())
        if (accounts[i] === null && table.get(address)?.live === false) closed.add(address);
      const taken = table.entriesOf(wallet);
      const stillOld = oldOf(taken, position, Number(position.absoluteSlot));
      if (stillOld.length > 0 && taken.length <= VERIFY_AT_MOST)
        await rereads.read(stillOld, max(rereads.touchedSlot, position.absoluteSlot), callerSignal);
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
      return { ...answer(found), snapshot, emptied };
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
    entries: () => table.entries(),
    entry: (address) => table.get(address),
    scannedEpoch: () => upkeep.scannedEpoch,
    seenEver: (wallet) => table.everOwnedBy(wallet),
    remember: (address, wallet) => table.remember(address, wallet),
    progress: () => upkeep.progress,
    health: () => ({
      ready: isReady(),
      slot: BigInt(news.newestSlot),
      ageSeconds:
        upkeep.scannedEpoch === null
          ? null
          : Math.max(0, Math.round((clock.steadyNow() - upkeep.completeAtMs) / 1_000)),
      accounts: table.totals.accounts,
      live: feed.live,
      error: isReady() ? null : upkeep.scannedEpoch === null ? 'not scanned yet' : 'no news of the chain',
      progress: upkeep.progress,
    }),
    onChange: (listener) => news.onChange(listener),
    close: async () => {
      closing.abort(new Error('stake index closed'));
      await Promise.all([feed.close(), running]);
    },
  };
};

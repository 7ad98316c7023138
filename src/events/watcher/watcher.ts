// The watcher: derives events from finalized facts, each fact once per registration, across outages and restarts.

import type { Address } from '@solana/kit';
import { type FinalizedPosition, readFinalizedPosition } from '../../chain/cluster/finalized-position.ts';
import type { StakeIndex } from '../../chain/index/stake-index.ts';
import type { ClusterState, SolanaReads } from '../../chain/ports.ts';
import type { LandedStakeTransactions } from '../../chain/transactions/landed-stake-transactions.ts';
import type { KnownPoint } from '../../domain/stake/stake-event-facts.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Outbox } from '../../store/outbox/outbox.ts';
import type { TransactionRecords } from '../../store/transaction-records.ts';
import type { WatchedAccounts } from '../../store/watched-accounts.ts';
import type { Webhooks } from '../../store/webhooks.ts';
import { epochEvents } from './epoch-events.ts';
import type { Gap } from './event-of-fact.ts';
import { timeEvents } from './event-times.ts';
import {
  candidatesOf,
  type Due,
  gapEventsFor,
  type PassOptions,
  type PassResult,
  pollAccounts,
} from './poll-accounts.ts';
import { readWatchedWallets, searchWallet, type WatchedWallets } from './search-wallet.ts';
import { WalletAccountLists } from './wallet-account-lists.ts';
import { type OwnerChanges, WalletOwners } from './wallet-owners.ts';
import { readCheckpoint, recordAll } from './watcher-checkpoint.ts';
import { WatcherMemory } from './watcher-memory.ts';

/** What the watcher works with. */
export interface WatcherOptions {
  readonly reads: Pick<SolanaReads, 'accounts' | 'signaturesFor' | 'stakeAccountsOf'>;
  readonly cluster: Pick<ClusterState, 'genesisHash' | 'stakeHistory' | 'readChainSnapshot'>;
  readonly index: Pick<StakeIndex, 'walletRows' | 'onChange' | 'health'>;
  readonly transactions: LandedStakeTransactions;
  readonly webhooks: Pick<Webhooks, 'page'>;
  readonly outbox: Pick<Outbox, 'record' | 'checkpoint'>;
  readonly watched: WatchedAccounts;
  /** What was submitted here. */
  readonly records: Pick<TransactionRecords, 'find'>;
  readonly voteAccount: Address;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after new events were recorded. */
  readonly onRecorded: () => void;
  /** Pause between two polls, ms. Default 2,000. */
  readonly passEveryMs?: number;
}

const PASS_EVERY_MS = 2_000;
const MARK_EVERY_MS = 30_000;
/** So many looks after its begin a round over all known accounts may be followed by the next one: 20 s. */
const ROUND_LOOKS = 10;
/** Accounts of a round that one look reads: four calls. */
const ROUND_ACCOUNTS = 400;
/** Between two searches of all wallets because the index had lost its subscription meanwhile. */
const SEARCH_EVERY_MS = 600_000;

/** A poll that took long is followed by a pause of ten times as long, at most 20 s. */
export const watcherPauseMs =
  (passEveryMs = PASS_EVERY_MS) =>
  (tookMs: number): number =>
    Math.min(Math.max(passEveryMs, 10 * tookMs), 10 * PASS_EVERY_MS);

/** Starts one leader's term of watching. */
export const beginWatching = (options: WatcherOptions, signal: AbortSignal): (() => Promise<void>) => {
  const watcher = new Watcher(options);
  signal.addEventListener('abort', () => watcher.close(), { once: true });
  return async () => {
    await watcher.poll(signal);
  };
};

/** One leader's watching; made anew for each turn of leading. */
export class Watcher {
  readonly #options: WatcherOptions;
  /** For what is no time of an event. */
  readonly #lists: WalletAccountLists;
  readonly #owners = new WalletOwners();
  #memory: WatcherMemory | null = null;
  #stopListening: (() => void) | null = null;
  #markedAtMs = Number.NEGATIVE_INFINITY;
  #searchedAtMs = 0;
  #round: Address[] = [];
  #roundAtMs = Number.NEGATIVE_INFINITY;
  #wasSubscriptionLost = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#lists = new WalletAccountLists(options);
    this.#searchedAtMs = this.#options.clock.steadyNow();
  }

  close(): void {
    this.#stopListening?.();
    this.#stopListening = null;
  }

  /** One pass. False: there is no registration, or it must wait for rewards to be paid, for the list of accounts, or for a node that knows an account's history. Throws `UPSTREAM_UNAVAILABLE` or `STORE_UNAVAILABLE`. */
  async poll(signal: AbortSignal): Promise<boolean> {
    const { webhooks, cluster } = this.#options;
    if ((await webhooks.page(null, 1)).length === 0) return false;
    // Read before the registrations: whoever registered at a slot that is finalized now is among them.
    const position = await readFinalizedPosition(cluster, signal);
    const wallets = await readWatchedWallets(webhooks);
    if (wallets.byWallet.size === 0 || position.epochRewardsActive) return false;
    this.#memory ??= await this.#begin(wallets, signal);
    const history = await cluster.stakeHistory(position.epoch, signal);
    return this.#pass(this.#memory, wallets, {
      ...this.#options,
      genesisHash: cluster.genesisHash,
      position,
      history,
      memory: this.#memory,
      signal,
    });
  }

  async #begin(wallets: WatchedWallets, signal: AbortSignal): Promise<WatcherMemory> {
    const { outbox, watched, index, logger } = this.#options;
    const checkpoint = await readCheckpoint(outbox, wallets);
    const memory = new WatcherMemory(checkpoint, wallets, index.health().slot);
    signal.throwIfAborted();
    this.close();
    this.#stopListening = index.onChange((change) => memory.noteChange(change));
    await watched.save([], await memory.load(watched));
    logger.info(
      { wallets: wallets.byWallet.size, accounts: memory.known.size, fromEpoch: Number(checkpoint.epoch) },
      'events: watching',
    );
    return memory;
  }

  async #pass(memory: WatcherMemory, wallets: WatchedWallets, options: PassOptions): Promise<boolean> {
    const { position, signal } = options;
    const fresh = memory.meet(wallets, this.#options.index.health().slot);
    const isBoundary = position.epoch > memory.checkpoint.epoch;
    const rechecked = [...memory.rechecks].filter(
      ([wallet, { heard }]) => heard <= position.slot && wallets.byWallet.has(wallet),
    );
    for (const [wallet, { after }] of rechecked) memory.search(wallet, after);
    // A leader that just began compares everything with what the one before knew.
    const isWhole = isBoundary || memory.isCatchingUp;
    const isSearched = this.#noteLostSubscription(memory, isBoundary) || memory.isCatchingUp;
    const listed = await this.#lists.of(
      isWhole
        ? [...wallets.byWallet.keys()]
        : [...new Set([...fresh.keys(), ...rechecked.map(([wallet]) => wallet)])],
      signal,
    );
    if (listed === null) return false;
    const searched = await this.#search(memory, options);
    const due = [...memory.suspects].filter(([, { slot }]) => slot <= position.slot);
    const candidates = candidatesOf(memory, {
      listed,
      fresh,
      searched: searched.accounts,
      due,
      round: this.#nextOfRound(memory, position),
      seconds: position.unixTimestamp,
    });
    const result = await pollAccounts(candidates, options);
    const owners = await this.#owners.look(wallets, { ...options, outbox: this.#options.outbox });
    await this.#emit(memory, options, {
      result,
      owners,
      gaps: [...searched.gaps, ...result.gaps],
      due,
      isSearched,
    });
    if (result.behind.size > 0) return false;
    for (const [wallet, recheck] of rechecked)
      if (memory.rechecks.get(wallet) === recheck) memory.rechecks.delete(wallet);
    for (const wallet of memory.rechecks.keys())
      if (!wallets.byWallet.has(wallet)) memory.rechecks.delete(wallet);
    return true;
  }

  /** Writes events and marks, then what is remembered: whoever is killed in between finds the same facts again, under the same ids. */
  async #emit(
    memory: WatcherMemory,
    options: PassOptions,
    found: {
      readonly result: PassResult;
      readonly owners: OwnerChanges;
      readonly gaps: readonly Gap[];
      readonly due: Due;
      /** Every wallet's own transactions were searched. */
      readonly isSearched: boolean;
    },
  ): Promise<void> {
    const { outbox, watched, logger, clock, onRecorded } = this.#options;
    const { position } = options;
    const { result, owners, gaps, due, isSearched } = found;
    for (const gap of gaps)
      logger.warn(gap, 'events: a gap was found whose events cannot be reported one by one');
    const isWhole = result.behind.size === 0;
    const { byWallet } = memory.wallets;
    const untimed = [
      ...result.events,
      ...owners.events,
      ...gapEventsFor(gaps, byWallet, position.epoch, options),
      ...(isWhole ? epochEvents(memory, result.assessed, options) : []),
    ];
    const events = timeEvents(untimed, clock.now(), memory.checkpoint.lastEventAtMs);
    const checkpoint = {
      ...(isWhole ? this.#nextCheckpoint(memory, position, due, isSearched) : memory.checkpoint),
      lastEventAtMs: events.at(-1)?.atMs ?? memory.checkpoint.lastEventAtMs,
    };
    const isDue =
      events.length + owners.marks.length > 0 ||
      checkpoint.epoch > memory.checkpoint.epoch ||
      this.#options.clock.steadyNow() >= this.#markedAtMs + MARK_EVERY_MS;
    if (isDue) {
      if (await recordAll(outbox, events, checkpoint, owners.marks)) onRecorded();
      this.#owners.settle(owners);
      this.#markedAtMs = this.#options.clock.steadyNow();
    }
    if (result.keep.length > 0 || result.gone.length > 0) await watched.save(result.keep, result.gone);
    memory.checkpoint = checkpoint;
    for (const [address, { slot }] of due)
      if ((memory.suspects.get(address)?.slot ?? 0n) <= slot) memory.suspects.delete(address);
    for (const [address, { wallet, tries }] of result.behind)
      memory.suspect(address, wallet, position.slot, tries + 1);
    for (const row of result.keep) memory.remember(row);
    for (const address of result.gone) memory.forget(address);
    for (const [address, seconds] of memory.locked)
      if (seconds <= checkpoint.seconds) memory.locked.delete(address);
    if (!isWhole) return;
    for (const id of memory.wallets.ids) memory.adopted.add(id);
    memory.searches.clear();
    memory.isCatchingUp = false;
  }

  #nextCheckpoint(
    { checkpoint, suspects, rechecks }: WatcherMemory,
    position: FinalizedPosition,
    due: Due,
    isSearched: boolean,
  ): KnownPoint {
    const settled = new Map(due);
    let { slot } = position;
    for (const [address, suspicion] of suspects)
      if (settled.get(address)?.slot !== suspicion.slot && suspicion.slot <= slot) slot = suspicion.slot - 1n;
    const isHeld = (this.#wasSubscriptionLost && !isSearched) || rechecks.size > 0;
    return {
      epoch: position.epoch,
      slot: isHeld || slot < checkpoint.slot ? checkpoint.slot : slot,
      seconds: position.unixTimestamp > checkpoint.seconds ? position.unixTimestamp : checkpoint.seconds,
    };
  }

  /** Known accounts are compared with the chain in turn: nothing announces one that leaves the validator. What a node ahead of `position` said waits. */
  #nextOfRound(memory: WatcherMemory, position: FinalizedPosition): readonly Address[] {
    const { clock, passEveryMs = PASS_EVERY_MS } = this.#options;
    if (this.#round.length === 0 && clock.steadyNow() >= this.#roundAtMs + ROUND_LOOKS * passEveryMs) {
      this.#roundAtMs = clock.steadyNow();
      this.#round = [...memory.known.keys()];
    }
    return this.#round
      .splice(0, ROUND_ACCOUNTS)
      .filter((address) => (memory.known.get(address)?.slot ?? position.slot) <= position.slot);
  }

  /** While the index hears no news, accounts may come and go unseen: their wallets are searched afterwards, from where it was last known to hear. True: now. */
  #noteLostSubscription(memory: WatcherMemory, isBoundary: boolean): boolean {
    const { index } = this.#options;
    const isSubscriptionLost = !index.health().live;
    const isTime = isBoundary || this.#options.clock.steadyNow() >= this.#searchedAtMs + SEARCH_EVERY_MS;
    const isSearching = this.#wasSubscriptionLost && isTime;
    if (isSearching) {
      this.#searchedAtMs = this.#options.clock.steadyNow();
      memory.searchAll();
    }
    this.#wasSubscriptionLost = isSearching
      ? isSubscriptionLost
      : this.#wasSubscriptionLost || isSubscriptionLost;
    return isSearching;
  }

  async #search(memory: WatcherMemory, options: PassOptions) {
    const { position } = options;
    const accounts = new Map<Address, Address>();
    const gaps: Gap[] = [];
    for (const [wallet, after] of memory.searches) {
      if (after >= position.slot) continue;
      const range = { after, through: position.slot };
      const found = await searchWallet({ ...options, grid: position, minSlot: position.slot }, wallet, range);
      for (const account of found.accounts) accounts.set(account, wallet);
      if (found.gap) gaps.push(found.gap);
    }
    return { accounts, gaps };
  }
}

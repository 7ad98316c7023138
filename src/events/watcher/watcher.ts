// Main loop of the watcher: reads, calls the pure function evaluatePoll, and stores the result. Each detected
// change becomes one event per subscribed registration.

import type { Address } from '@solana/kit';
import { readFinalizedPosition } from '../../chain/cluster/finalized-position.ts';
import type { StakeChange, StakeIndex } from '../../chain/index/stake-index.ts';
import type { ClusterState, SolanaReads } from '../../chain/ports.ts';
import type { LandedStakeTransactions } from '../../chain/transactions/landed-stake-transactions.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import type { Outbox } from '../../store/outbox/outbox.ts';
import type { WatchedAccounts } from '../../store/watched-accounts.ts';
import type { Webhooks } from '../../store/webhooks.ts';
import { otherWalletsIn } from './change-context.ts';
import { chooseAccountsToRead } from './choose-accounts-to-read.ts';
import { ReassignedWalletDetector } from './detect-reassigned-wallets.ts';
import type { Gap } from './event-of-fact.ts';
import { type AccountReads, forEachFewAtOnce, readAccounts } from './read-accounts.ts';
import { readWatchedWallets, searchWallet, type WatchedWallets } from './search-wallet.ts';
import { WalletAccountLists } from './wallet-account-lists.ts';
import type { ChainFacts } from './watcher-chain.ts';
import { readCheckpoint, recordAll } from './watcher-checkpoint.ts';
import { canLeadToEvents, WatcherMemory } from './watcher-memory.ts';
import { evaluatePoll, type PollResult, planPoll } from './watcher-poll.ts';

export interface WatcherOptions {
  readonly reads: Pick<SolanaReads, 'accounts' | 'signaturesFor' | 'stakeAccountsOf'>;
  readonly cluster: Pick<ClusterState, 'genesisHash' | 'stakeHistory' | 'readChainSnapshot'>;
  readonly index: Pick<StakeIndex, 'walletRows' | 'onChange' | 'health'>;
  readonly transactions: LandedStakeTransactions;
  readonly webhooks: Pick<Webhooks, 'page'>;
  readonly outbox: Pick<Outbox, 'record' | 'checkpoint'>;
  readonly watched: WatchedAccounts;
  readonly voteAccount: Address;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after new events have been recorded. */
  readonly onRecorded: () => void;
  /** Pause between two polls, in ms. Default: 2,000. */
  readonly passEveryMs?: number;
}

const PASS_EVERY_MS = 2_000;
/**
 * Number of wallets that a new leader searches concurrently. It must search every watched wallet before it
 * reports anything, which for 100,000 wallets took an hour at 40 ms per call when done one by one.
 */
const SEARCHED_AT_ONCE = 16;

/** Returns the pause after a poll, in ms: ten times the duration of a slow one, but at most 20 s. */
export const watcherPauseMs =
  (passEveryMs = PASS_EVERY_MS) =>
  (tookMs: number): number =>
    Math.min(Math.max(passEveryMs, 10 * tookMs), 10 * PASS_EVERY_MS);

/** Starts one leader's term of watching. Returns its poll function. */
export const beginWatching = (options: WatcherOptions, signal: AbortSignal): (() => Promise<void>) => {
  const watcher = new Watcher(options);
  signal.addEventListener('abort', () => watcher.close(), { once: true });
  return async () => {
    await watcher.poll(signal);
  };
};

export class Watcher {
  readonly #options: WatcherOptions;
  readonly #lists: WalletAccountLists;
  readonly #owners = new ReassignedWalletDetector();
  #memory: WatcherMemory | null = null;
  #changes: StakeChange[] = [];
  #stopListening: (() => void) | null = null;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#lists = new WalletAccountLists(options);
  }

  close(): void {
    this.#stopListening?.();
    this.#stopListening = null;
  }

  /**
   * Polls once. Returns false if there are no registrations, or if the poll must wait until rewards have been
   * paid, the list of accounts is available, or a node knows an account's history. Throws
   * `AppError('UPSTREAM_UNAVAILABLE')` or `AppError('STORE_UNAVAILABLE')` if the chain or the store cannot be read.
   */
  async poll(signal: AbortSignal): Promise<boolean> {
    const {
      webhooks,
      outbox,
      cluster,
      index,
      voteAccount,
      clock,
      passEveryMs = PASS_EVERY_MS,
    } = this.#options;
    const isWatching = (await webhooks.page(null, 1)).length > 0;
    if (!isWatching) this.#changes = [];
    if (!isWatching) return false;
    // Read before the registrations, to include every registration created at a slot that is now finalized.
    const position = await readFinalizedPosition(cluster, signal);
    const wallets = await readWatchedWallets(webhooks);
    if (wallets.byWallet.size === 0 || position.epochRewardsActive) return false;
    this.#memory ??= await this.#begin(wallets, signal);
    const previous = this.#memory;
    const history = await cluster.stakeHistory(position.epoch, signal);
    const chain: ChainFacts = { genesisHash: cluster.genesisHash, voteAccount, position, history };
    const { next: memory, plan } = planPoll(previous, {
      wallets,
      position,
      index: index.health(),
      changes: this.#changes.splice(0),
      nowMs: clock.steadyNow(),
      pollEveryMs: passEveryMs,
    });
    this.#memory = memory;
    const listed = await this.#lists.of(plan.listed, signal);
    if (listed === null) return false;
    const reads: AccountReads = {
      reads: this.#options.reads,
      transactions: this.#options.transactions,
      grid: position,
      minSlot: position.slot,
      voteAccount,
      history,
      signal,
    };
    const searched = await this.#search(plan.searches, reads);
    const sources = { ...plan, listed, searched: searched.accounts, seconds: position.unixTimestamp };
    const readings = await readAccounts(chooseAccountsToRead(memory, sources), { memory, chain, reads });
    const changes = [...readings.values()].flatMap((reading) => reading.changes);
    const owners = await this.#owners.poll(wallets, {
      ...chain,
      reads: this.#options.reads,
      outbox,
      signal,
    });
    const changesMeanwhile = [...this.#changes];
    const result = evaluatePoll(memory, {
      chain,
      plan,
      readings,
      changes,
      owners,
      gaps: searched.gaps,
      changesMeanwhile,
      otherWalletsOf: otherWalletsIn(index),
      nowMs: clock.steadyNow(),
      wallMs: clock.now(),
    });
    await this.#store(result);
    this.#memory = result.next;
    this.#changes.splice(0, changesMeanwhile.length);
    return result.isComplete;
  }

  /**
   * Stores the events and the checkpoint before updating the memory. If the process is killed in between, its
   * successor derives the same events with the same ids.
   */
  async #store({ next, events, owners, gaps, keep, gone, isStored }: PollResult): Promise<void> {
    const { outbox, watched, logger, onRecorded } = this.#options;
    for (const gap of gaps)
      logger.warn(gap, 'events: a gap was found whose events cannot be reported individually');
    if (isStored) {
      if (await recordAll(outbox, events, next.checkpoint, owners.checkpoints)) onRecorded();
      this.#owners.settle(owners);
    }
    if (keep.length > 0 || gone.length > 0) await watched.save(keep, gone);
  }

  async #begin(wallets: WatchedWallets, signal: AbortSignal): Promise<WatcherMemory> {
    const { outbox, watched, index, clock, logger } = this.#options;
    const checkpoint = await readCheckpoint(outbox, wallets);
    const memory = new WatcherMemory(checkpoint, wallets, index.health().slot, clock.steadyNow());
    signal.throwIfAborted();
    this.close();
    this.#changes = [];
    this.#stopListening = index.onChange((change) => {
      if (canLeadToEvents(change)) this.#changes.push(change);
    });
    await watched.save([], await memory.load(watched));
    const fromEpoch = Number(checkpoint.epoch);
    logger.info(
      { wallets: wallets.byWallet.size, accounts: memory.known.size, fromEpoch },
      'events: watching',
    );
    return memory;
  }

  async #search(searches: ReadonlyMap<Address, bigint>, reads: AccountReads) {
    const accounts = new Map<Address, Address>();
    const gaps: Gap[] = [];
    await forEachFewAtOnce([...searches], SEARCHED_AT_ONCE, async ([wallet, after]) => {
      const found = await searchWallet(reads, wallet, { after, through: reads.minSlot });
      for (const account of found.accounts) accounts.set(account, wallet);
      if (found.gap) gaps.push(found.gap);
    });
    return { accounts, gaps };
  }
}

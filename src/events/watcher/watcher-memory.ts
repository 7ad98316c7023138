// Memory of the leading watcher between polls: accounts, new registrations, suspects and the checkpoint.
import type { Address } from '@solana/kit';
import type { StakeChange } from '../../chain/index/stake-index.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { decodeStakeAccount } from '../../domain/stake/stake-account.ts';
import type { WatchedAccount, WatchedAccounts } from '../../store/watched-accounts.ts';
import { isSameStake, type KnownAccount } from './derive-delegation-periods.ts';
import type { WatchedWallets } from './search-wallet.ts';
import type { WatcherCheckpoint } from './watcher-checkpoint.ts';

const PAGE = 500;

/** An account to read once a slot is finalized. */
interface Suspicion {
  readonly wallet: Address;
  readonly slot: bigint;
  readonly tries: number;
}

/** A wallet to compare again. */
interface Recheck {
  /** Slot after which its own transactions are searched. */
  readonly after: bigint;
  /** Slot up to which changes may have been received before the wallet was watched. */
  readonly indexSlot: bigint;
}

/**
 * True for changes that can lead to events, unlike rewards and transfers. A part that was split off may already
 * belong to another wallet, in which case only the lower balance of its source reveals it.
 */
export const canLeadToEvents = ({ before, after }: Pick<StakeChange, 'before' | 'after'>): boolean =>
  !(before && after && isSameStake(before, after) && after.lamports >= before.lamports);

/** Memory of one leader. The next leader can rebuild all of it from the store and the chain. */
export class WatcherMemory {
  readonly known = new Map<Address, KnownAccount>();
  /** Accounts to read once their slot is finalized. */
  readonly suspects = new Map<Address, Suspicion>();
  /** Wallets whose own transactions must be searched, and the slot from which to search. */
  readonly searches = new Map<Address, bigint>();
  /**
   * Wallets that were added before earlier changes were final. They are compared again once those changes are
   * final.
   */
  readonly rechecks = new Map<Address, Recheck>();
  /** Ids of registrations that need no earlier history. */
  readonly adopted = new Set<string>();
  /** End of the lockup of each locked account, in Unix seconds. */
  readonly locked = new Map<Address, bigint>();
  wallets: WatchedWallets;
  checkpoint: WatcherCheckpoint;
  /** True until the first poll is complete, because epochs that ended before it may have been missed. */
  isCatchingUp = true;
  /** Known accounts that the current round has not yet compared with the chain. */
  round: readonly Address[] = [];
  /** Start of the current round by the monotonic clock, in ms. */
  roundAtMs = Number.NEGATIVE_INFINITY;
  searchedAtMs: number;
  storedAtMs = Number.NEGATIVE_INFINITY;
  wasSubscriptionLost = false;

  /**
   * Schedules a search of every wallet that was registered up to the checkpoint. `indexSlot` is the newest slot
   * that the index received.
   */
  constructor(checkpoint: WatcherCheckpoint, wallets: WatchedWallets, indexSlot: bigint, nowMs = 0) {
    this.searchedAtMs = nowMs;
    this.checkpoint = checkpoint;
    this.wallets = wallets;
    for (const [wallet, registrations] of wallets.byWallet) {
      const before = registrations.filter(({ createdSlot }) => createdSlot <= checkpoint.slot);
      for (const { id } of before) this.adopted.add(id);
      if (before.length === 0) continue;
      this.searches.set(wallet, checkpoint.slot);
      this.rechecks.set(wallet, { after: checkpoint.slot, indexSlot });
    }
  }

  /**
   * Loads the accounts that an earlier leader stored. Returns those that no registration needs. Throws
   * `AppError('STORE_UNAVAILABLE')` if the store is unavailable.
   */
  async load(watched: Pick<WatchedAccounts, 'page'>): Promise<readonly Address[]> {
    const foreign: Address[] = [];
    for (let after: string | null = null; ; ) {
      const page: readonly WatchedAccount[] = await watched.page(after, PAGE);
      for (const row of page) if (!this.remember(row)) foreign.push(row.address);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return foreign;
      after = last.address;
    }
  }

  /** Keeps an account in memory. If no registration needs it, drops it and returns false. */
  remember(row: WatchedAccount): boolean {
    const account = decodeStakeAccount({ ...row, owner: STAKE_PROGRAM });
    if (account === null || !this.wallets.byWallet.has(row.wallet)) {
      this.forget(row.address);
      return false;
    }
    this.known.set(row.address, { ...row, account });
    if (account.lockup.unixTimestamp > this.checkpoint.seconds)
      this.locked.set(row.address, account.lockup.unixTimestamp);
    else this.locked.delete(row.address);
    return true;
  }

  /** Returns a copy with collections of its own. */
  copy(): WatcherMemory {
    const copy = new WatcherMemory(this.checkpoint, this.wallets, 0n, this.searchedAtMs);
    return Object.assign(copy, {
      known: new Map(this.known),
      suspects: new Map(this.suspects),
      searches: new Map(this.searches),
      rechecks: new Map(this.rechecks),
      adopted: new Set(this.adopted),
      locked: new Map(this.locked),
      isCatchingUp: this.isCatchingUp,
      round: this.round,
      roundAtMs: this.roundAtMs,
      storedAtMs: this.storedAtMs,
      wasSubscriptionLost: this.wasSubscriptionLost,
    });
  }

  /** Marks everything up to the checkpoint as assessed, and these wallets as compared. */
  settle(rechecked: readonly Address[]): void {
    for (const id of this.wallets.ids) this.adopted.add(id);
    for (const wallet of rechecked) this.rechecks.delete(wallet);
    for (const wallet of this.rechecks.keys())
      if (!this.wallets.byWallet.has(wallet)) this.rechecks.delete(wallet);
    this.searches.clear();
    this.isCatchingUp = false;
  }

  forget(address: Address): void {
    this.known.delete(address);
    this.locked.delete(address);
  }

  /** Records an index update for an account of a watched wallet, unless the update is irrelevant. */
  noteChange({ address, slot, before, after }: StakeChange): void {
    if (!canLeadToEvents({ before, after })) return;
    const known = this.known.get(address);
    const wallet = [known?.wallet, after?.withdrawAuthority, before?.withdrawAuthority].find(
      (one) => one !== undefined && this.wallets.byWallet.has(one),
    );
    if (wallet !== undefined) this.suspect(address, wallet, slot);
  }

  suspect(address: Address, wallet: Address, slot: bigint, tries = 0): void {
    const slotBefore = this.suspects.get(address)?.slot ?? 0n;
    this.suspects.set(address, { wallet, slot: slot > slotBefore ? slot : slotBefore, tries });
  }

  /**
   * Replaces the registrations. Returns, for each wallet with new registrations, the first slot for which they
   * need events.
   */
  meet(wallets: WatchedWallets, indexSlot: bigint): ReadonlyMap<Address, bigint> {
    this.wallets = wallets;
    for (const id of this.adopted) if (!wallets.ids.has(id)) this.adopted.delete(id);
    const fresh = new Map<Address, bigint>();
    for (const [wallet, registrations] of wallets.byWallet)
      for (const { id, createdSlot } of registrations) {
        if (this.adopted.has(id)) continue;
        fresh.set(wallet, least(fresh.get(wallet), createdSlot));
        this.search(wallet, createdSlot);
        const after = least(this.rechecks.get(wallet)?.after, createdSlot);
        this.rechecks.set(wallet, { after, indexSlot });
      }
    return fresh;
  }

  /** Schedules a search of every wallet's transactions after the checkpoint. */
  searchAll(): void {
    for (const wallet of this.wallets.byWallet.keys()) this.search(wallet, this.checkpoint.slot);
  }

  /** Schedules a search of a wallet's transactions. */
  search(wallet: Address, after: bigint): void {
    this.searches.set(wallet, least(this.searches.get(wallet), after));
  }

  /**
   * True if a key other than the wallet's can change the account. Such changes are not among the wallet's own
   * transactions.
   */
  isForeign(address: Address): boolean {
    const account = this.known.get(address)?.account;
    if (account === undefined) return false;
    const { stakeAuthority, withdrawAuthority, lockup } = account;
    const isLocked = lockup.epoch > 0n || lockup.unixTimestamp > 0n;
    return stakeAuthority !== withdrawAuthority || (isLocked && lockup.custodian !== withdrawAuthority);
  }

  /** Lists the known accounts of each wallet. */
  byWallet(): ReadonlyMap<Address, readonly Address[]> {
    const accounts = new Map<Address, Address[]>();
    for (const { wallet, address } of this.known.values()) {
      const own = accounts.get(wallet);
      if (own) own.push(address);
      else accounts.set(wallet, [address]);
    }
    return accounts;
  }
}

const least = (a: bigint | undefined, b: bigint): bigint => (a !== undefined && a < b ? a : b);

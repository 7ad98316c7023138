// All stake accounts delegated to one vote account, in memory: found by address, listed by authority. The
// newest slot wins.
import type { Address } from '@solana/kit';
import type { Delegation, Lockup, StakeAccount } from '../../domain/stake/stake-account.ts';
import { EPOCH_ABSENT } from '../../domain/stake/stake-account.ts';

/** A stake account that is or was delegated. */
export type DelegatedAccount = StakeAccount & { readonly delegation: Delegation };

/** Effect of an update. `old` means that the table already has data from a later slot. */
type TableChange = 'added' | 'changed' | 'same' | 'left' | 'old';

/** Totals of the accounts in the table. */
export interface TableTotals {
  /** Accounts delegated to the vote account, in any state. */
  readonly accounts: number;
  /** Number of wallets with withdraw authority over at least one account that is not deactivated. */
  readonly delegators: number;
  /** Delegated stake that is not deactivated, including activating stake. */
  readonly delegatedLamports: bigint;
  /** Delegated stake that was deactivated, including stake that has long been inactive. */
  readonly deactivatedLamports: bigint;
}

interface Wallet {
  readonly address: Address;
  /** Number of live accounts that are not deactivated and whose withdraw authority is this wallet. */
  earning: number;
  /** Entries that have or had this wallet as withdraw authority, without duplicates. */
  owned: readonly IndexEntry[];
  /** Entries that have or had this wallet as stake authority only, without duplicates. */
  staked: readonly IndexEntry[];
}

/**
 * Entry of one address. The fields are flat and share repeated values (wallets, lockups, epochs). An account
 * takes 430 bytes in total; a plain `StakeAccount` would take over 600 (2026-11).
 */
export interface IndexEntry {
  readonly address: Address;
  /**
   * False if the account left (closed, delegated elsewhere) or was only seen by an earlier process. The entry
   * remains, so that older updates cannot restore it.
   */
  live: boolean;
  /** Slot of the newest data in this entry. */
  slot: number;
  /** Time at which that data was read, in whole seconds. All entries must use the same clock. */
  readAtSeconds: number;
  /** Number of the last scan that listed the account. */
  scan: number;
  lamports: bigint;
  withdrawer: Wallet;
  staker: Wallet;
  lockup: Lockup | null;
  stakeLamports: bigint;
  activationEpoch: bigint;
  deactivationEpoch: bigint;
  creditsObserved: bigint;
}

const NONE: readonly never[] = [];

/**
 * Length up to which lists are extended with `concat`, which allocates exactly what is needed. An array grown
 * by `push` or a spread has room for 17 entries, but most lists have one or two.
 */
const SHORT_LIST = 8;

/** Returns the list with `entry` included exactly once. */
const including = (list: readonly IndexEntry[], entry: IndexEntry): readonly IndexEntry[] => {
  if (list.includes(entry)) return list;
  if (list.length < SHORT_LIST) return list.concat(entry);
  (list as IndexEntry[]).push(entry);
  return list;
};

/** An in-memory table. All methods are synchronous. */
export class IndexTable {
  readonly #voteAccount: Address;
  readonly #entries = new Map<Address, IndexEntry>();
  readonly #wallets = new Map<Address, Wallet>();
  readonly #lockups = new Map<string, Lockup>();
  readonly #numbers = new Map<bigint, bigint>();
  #live = 0;
  #delegators = 0;
  #delegatedLamports = 0n;
  #deactivatedLamports = 0n;

  constructor(voteAccount: Address) {
    this.#voteAccount = voteAccount;
  }

  get totals(): TableTotals {
    return {
      accounts: this.#live,
      delegators: this.#delegators,
      delegatedLamports: this.#delegatedLamports,
      deactivatedLamports: this.#deactivatedLamports,
    };
  }

  /** Returns the entry of an address, live or not. */
  get(address: Address): IndexEntry | undefined {
    return this.#entries.get(address);
  }

  /** Iterates over every entry, live or not, oldest first, including entries added during iteration. */
  entries(): Iterable<IndexEntry> {
    return this.#entries.values();
  }

  /**
   * Stores the state of a delegated account at `slot`. An update from an earlier slot is `old`; for the same
   * slot, the later call wins.
   */
  put(account: DelegatedAccount, slot: number, readAtSeconds: number): TableChange {
    const known = this.#entries.get(account.address);
    if (known !== undefined && slot < known.slot) return 'old';
    const entry = known ?? this.#add(account.address, account.withdrawAuthority);
    const wasLive = entry.live;
    entry.slot = slot;
    entry.readAtSeconds = readAtSeconds;
    if (wasLive && this.holds(entry, account)) return 'same';
    if (wasLive) this.#count(entry, -1);
    this.#write(entry, account);
    this.#count(entry, 1);
    return wasLive ? 'changed' : 'added';
  }

  /**
   * Records that the account is closed or delegated elsewhere at `slot`. Its withdraw authority keeps it in
   * `everOwnedBy`.
   */
  leave(address: Address, slot: number, readAtSeconds: number): TableChange {
    const entry = this.#entries.get(address);
    if (entry === undefined) return 'same';
    if (slot < entry.slot) return 'old';
    entry.slot = slot;
    entry.readAtSeconds = readAtSeconds;
    if (!entry.live) return 'same';
    this.#count(entry, -1);
    entry.live = false;
    return 'left';
  }

  /**
   * Remembers an account that `withdrawer` could once withdraw from, for example one that an earlier process
   * saw. Ignores known accounts.
   */
  remember(address: Address, withdrawer: Address): void {
    if (!this.#entries.has(address)) this.#add(address, withdrawer);
  }

  /** Lists live entries with the wallet as withdraw authority, then those with it as stake authority only. */
  entriesOf(address: Address): { readonly entry: IndexEntry; readonly role: 'owner' | 'staker' }[] {
    const wallet = this.#wallets.get(address);
    if (wallet === undefined) return [];
    const found: { entry: IndexEntry; role: 'owner' | 'staker' }[] = [];
    for (const entry of wallet.owned)
      if (entry.live && entry.withdrawer === wallet) found.push({ entry, role: 'owner' });
    for (const entry of wallet.staked)
      if (entry.live && entry.staker === wallet && entry.withdrawer !== wallet)
        found.push({ entry, role: 'staker' });
    return found;
  }

  /** Lists every account that was ever in the table with `wallet` as withdraw authority. */
  everOwnedBy(wallet: Address): Address[] {
    return (this.#wallets.get(wallet)?.owned ?? NONE).map(({ address }) => address);
  }

  /**
   * Lists accounts that left, or were only seen by an earlier process, with `wallet` as their last known
   * withdraw authority. Some may still exist without being delegated to us.
   */
  leftOwnedBy(wallet: Address): Address[] {
    return (this.#wallets.get(wallet)?.owned ?? NONE)
      .filter(({ live, withdrawer }) => !live && withdrawer.address === wallet)
      .map(({ address }) => address);
  }

  /** Returns the account of a live entry. */
  accountOf(entry: IndexEntry): DelegatedAccount {
    const { stakeLamports, activationEpoch, deactivationEpoch, creditsObserved } = entry;
    return {
      address: entry.address,
      lamports: entry.lamports,
      kind: 'delegated',
      stakeAuthority: entry.staker.address,
      withdrawAuthority: entry.withdrawer.address,
      lockup: entry.lockup!,
      delegation: {
        voteAccount: this.#voteAccount,
        stakeLamports,
        activationEpoch,
        deactivationEpoch,
        creditsObserved,
      },
    };
  }

  /** Returns true if a live entry equals `account`. */
  holds(entry: IndexEntry, account: DelegatedAccount): boolean {
    const { delegation } = account;
    return (
      entry.lamports === account.lamports &&
      entry.stakeLamports === delegation.stakeLamports &&
      entry.activationEpoch === delegation.activationEpoch &&
      entry.deactivationEpoch === delegation.deactivationEpoch &&
      entry.creditsObserved === delegation.creditsObserved &&
      entry.withdrawer.address === account.withdrawAuthority &&
      entry.staker.address === account.stakeAuthority &&
      entry.lockup === this.#sharedLockup(account.lockup)
    );
  }

  /** Adds an entry that is not live and is older than every update. */
  #add(address: Address, withdrawer: Address): IndexEntry {
    const wallet = this.#walletOf(withdrawer);
    const entry: IndexEntry = {
      address,
      live: false,
      slot: 0,
      readAtSeconds: 0,
      scan: 0,
      lamports: 0n,
      withdrawer: wallet,
      staker: wallet,
      lockup: null,
      stakeLamports: 0n,
      activationEpoch: 0n,
      deactivationEpoch: 0n,
      creditsObserved: 0n,
    };
    this.#entries.set(address, entry);
    wallet.owned = including(wallet.owned, entry);
    return entry;
  }

  #write(entry: IndexEntry, account: DelegatedAccount): void {
    const { delegation } = account;
    const withdrawer = this.#walletOf(account.withdrawAuthority);
    const staker = this.#walletOf(account.stakeAuthority);
    if (withdrawer !== entry.withdrawer) withdrawer.owned = including(withdrawer.owned, entry);
    if (staker !== withdrawer) staker.staked = including(staker.staked, entry);
    entry.live = true;
    entry.lamports = account.lamports;
    entry.withdrawer = withdrawer;
    entry.staker = staker;
    entry.lockup = this.#sharedLockup(account.lockup);
    entry.stakeLamports = delegation.stakeLamports;
    entry.activationEpoch = this.#sharedNumber(delegation.activationEpoch);
    entry.deactivationEpoch = this.#sharedNumber(delegation.deactivationEpoch);
    entry.creditsObserved = this.#sharedNumber(delegation.creditsObserved);
  }

  /** Adds a live entry to the sums (`sign` 1), or subtracts it before it changes (-1). */
  #count(entry: IndexEntry, sign: 1 | -1): void {
    const stakeLamports = entry.stakeLamports * BigInt(sign);
    this.#live += sign;
    if (entry.deactivationEpoch !== EPOCH_ABSENT) {
      this.#deactivatedLamports += stakeLamports;
      return;
    }
    this.#delegatedLamports += stakeLamports;
    const { withdrawer } = entry;
    if (withdrawer.earning === 0) this.#delegators += 1;
    withdrawer.earning += sign;
    if (withdrawer.earning === 0) this.#delegators -= 1;
  }

  #walletOf(address: Address): Wallet {
    const known = this.#wallets.get(address);
    if (known !== undefined) return known;
    const wallet: Wallet = { address, earning: 0, owned: NONE, staked: NONE };
    this.#wallets.set(address, wallet);
    return wallet;
  }

  #sharedLockup(lockup: Lockup): Lockup {
    const key = `${lockup.unixTimestamp} ${lockup.epoch} ${lockup.custodian}`;
    const known = this.#lockups.get(key);
    if (known === undefined) this.#lockups.set(key, lockup);
    return known ?? lockup;
  }

  #sharedNumber(value: bigint): bigint {
    const known = this.#numbers.get(value);
    if (known === undefined) this.#numbers.set(value, value);
    return known ?? value;
  }
}

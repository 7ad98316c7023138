// Every stake account delegated to one vote account, in memory: found by address, listed by authority; the newest slot wins.
import type { Address } from '@solana/kit';
import type { Delegation, Lockup, StakeAccount } from '../../domain/stake/stake-account.ts';
import { EPOCH_ABSENT } from '../../domain/stake/stake-account.ts';

/** A stake account that is or was delegated. */
export type DelegatedAccount = StakeAccount & { readonly delegation: Delegation };

/** What applying news did. `old`: the table knows of a later slot. */
type TableChange = 'added' | 'changed' | 'same' | 'left' | 'old';

/** Sums over the accounts in the table. */
export interface TableTotals {
  /** Accounts delegated to the vote account, whatever their state. */
  readonly accounts: number;
  /** Wallets that are withdraw authority of at least one account without a deactivation. */
  readonly delegators: number;
  /** Delegated and not deactivated; warm-up is not looked at. */
  readonly delegatedLamports: bigint;
  /** Delegated with a deactivation set; cool-down is not looked at, so long inactive accounts count. */
  readonly deactivatedLamports: bigint;
}

interface Wallet {
  readonly address: Address;
  /** Live accounts without a deactivation whose withdraw authority this is. */
  earning: number;
  /** Entries that have or had this wallet as withdraw authority, each once. */
  owned: readonly IndexEntry[];
  /** Entries that have or had this wallet as stake authority only, each once. */
  staked: readonly IndexEntry[];
}

/**
 * One address. Its fields stand flat and share what repeats (wallets, lockups, epochs): 430 bytes an account with everything around it, where a
 * `StakeAccount` kept as it is takes over 600 (2026-11).
 */
export interface IndexEntry {
  readonly address: Address;
  /** False once the account left (closed, delegated elsewhere) and for one that only an earlier process saw. The entry stays, so that older news cannot bring it back. */
  live: boolean;
  /** The newest slot that the entry is known at. */
  slot: number;
  /** When that was known to hold, seconds on any one clock, whole. */
  readAtSeconds: number;
  /** The last scan that listed it. */
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

/** Most lists have one or two members. `concat` makes them of just that length; an array that grew by `push` or a spread has room for 17. */
const SHORT_LIST = 8;

/** The list with `entry` in it once. */
const including = (list: readonly IndexEntry[], entry: IndexEntry): readonly IndexEntry[] => {
  if (list.includes(entry)) return list;
  if (list.length < SHORT_LIST) return list.concat(entry);
  (list as IndexEntry[]).push(entry);
  return list;
};

/** The table. Memory only, synchronous, no I/O. */
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

  /** The entry of an address, live or not. */
  get(address: Address): IndexEntry | undefined {
    return this.#entries.get(address);
  }

  /** All entries, live or not, oldest first; those added meanwhile follow. */
  entries(): Iterable<IndexEntry> {
    return this.#entries.values();
  }

  /** Takes in an account that is ours at `slot`. News of a slot before the entry's is `old`; of the same slot, the later call wins. */
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

  /** Takes in that the account is not ours at `slot`: closed, or delegated elsewhere. Its withdraw authority keeps it in `everOwnedBy`. */
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

  /** Remembers an account as once withdrawable by `withdrawer`, for instance from an earlier process. Changes nothing for accounts known. */
  remember(address: Address, withdrawer: Address): void {
    if (!this.#entries.has(address)) this.#add(address, withdrawer);
  }

  /** Live entries whose withdraw authority is `wallet`, then those whose stake authority only it is. */
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

  /** Every account ever in the table while `wallet` was its withdraw authority. */
  everOwnedBy(wallet: Address): Address[] {
    return (this.#wallets.get(wallet)?.owned ?? NONE).map(({ address }) => address);
  }

  /** Accounts that left, or that only an earlier process saw, while `wallet` was their withdraw authority: some may be there still, without our delegation. */
  leftOwnedBy(wallet: Address): Address[] {
    return (this.#wallets.get(wallet)?.owned ?? NONE)
      .filter(({ live, withdrawer }) => !live && withdrawer.address === wallet)
      .map(({ address }) => address);
  }

  /** The account as a live entry has it. */
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

  /** True when a live entry says of the account what `account` says. */
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

  /** Adds an entry that is not live and older than all news. */
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

  /** Adds a live entry to the sums, or takes it out before it changes. */
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

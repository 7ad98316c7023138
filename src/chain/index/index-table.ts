// Every stake account delegated to one vote account in compact memory: found by address, listed by authority, newest slot wins.
import type { Address } from '@solana/kit';
import { EPOCH_ABSENT, type StakeAccount, stakeOffsets } from '../../domain/stake/stake-account.ts';
import { addressAt } from '../../domain/stake/stake-account-base58.ts';
import { KeyTable } from './index-keys.ts';
import { IndexLists, type ListName, listWords } from './index-lists.ts';
import { IndexLockups } from './index-lockups.ts';

/** Bytes of a stake account that the table reads: all but the flags at the end. */
export const INDEXED_BYTES = stakeOffsets.flags;
/** The chain's bytes that are kept of an account, before packing: address, balance, two authorities, lockup, four numbers of the delegation. */
export const KEPT_FIELD_BYTES = 32 + 8 + 32 + 32 + 48 + 4 * 8;

/** Byte offsets in a row; stake, activation and deactivation epoch stand together as on chain. */
const at = { lamports: 32, stake: 40, activation: 48, deactivation: 56, credits: 64, slot: 72 } as const;
/** Word offsets in a row, beside those of the lists. */
const word = { ...listWords, lockup: 22, state: 27, mark: 28, readAt: 29 } as const;
const ROW_BYTES = 120;
/** The word of an authority that counts its live rows without a deactivation, behind the lists' two. */
const EARNING = 10;
const AUTHORITY_BYTES = 44;

/** `gone`: left, or never ours; the row stays, so that older news cannot bring it back. `former`: a withdrawer that no longer is. */
const states = { gone: 0, live: 1, former: 2 } as const;

/** What applying news did. `old`: the table knows of a later slot. */
export type TableChange = 'added' | 'changed' | 'same' | 'left' | 'old';

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

/** News of an account that is ours. `data` has at least `INDEXED_BYTES`; the caller has checked tag and voter. */
export interface TableNews {
  readonly address: Uint8Array;
  readonly slot: number;
  /** When that was known to hold, seconds on any one clock, whole. */
  readonly readAtSeconds: number;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}

/** The table. Memory only, synchronous, no I/O. */
export class IndexTable {
  readonly #voteAccount: Address;
  readonly #rows = new KeyTable(ROW_BYTES);
  readonly #authorities = new KeyTable(AUTHORITY_BYTES);
  /** A wallet's accounts are read in a row; authorities are never removed. */
  #lastAuthority = { authority: -1, address: '' as Address };
  readonly #lists = new IndexLists(this.#rows, this.#authorities);
  readonly #lockups = new IndexLockups();
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

  /** Bytes of memory held by rows, authorities and their hash tables. */
  get memoryBytes(): number {
    return this.#rows.memoryBytes + this.#authorities.memoryBytes;
  }

  /** One above the highest row number; rows never move. */
  get rowCount(): number {
    return this.#rows.size;
  }

  /** The row of an address, live or not, or -1. */
  find(address: Uint8Array): number {
    return this.#rows.find(address);
  }

  isLive(row: number): boolean {
    return this.#word(row, word.state) === states.live;
  }

  /** The newest slot that the row is known at. */
  slotOf(row: number): number {
    return this.#rows.page(row).view.getFloat64(this.#byte(row) + at.slot, true);
  }

  readAtSecondsOf(row: number): number {
    return this.#word(row, word.readAt);
  }

  markOf(row: number): number {
    return this.#word(row, word.mark);
  }

  /** Notes in which scan the row was seen. */
  setMark(row: number, mark: number): void {
    this.#setWord(row, word.mark, mark);
  }

  addressOf(row: number): Address {
    return addressAt(this.#rows.page(row).bytes, this.#byte(row));
  }

  /** The address's 32 bytes; valid until the next addition. */
  addressBytesOf(row: number): Uint8Array {
    const start = this.#byte(row);
    return this.#rows.page(row).bytes.subarray(start, start + 32);
  }

  /** Takes in an account that is ours at `news.slot`. News of a slot before the row's is `old`; of the same slot, the later call wins. */
  put(news: TableNews): TableChange {
    const row = this.#rows.findOrAdd(news.address);
    // A row just added is at slot 0.
    if (news.slot < this.slotOf(row)) return 'old';
    const was = this.#word(row, word.state);
    const same = was === states.live && this.holds(row, news.lamports, news.data);
    if (!same) {
      if (was === states.live) this.#count(row, -1);
      this.#write(row, news);
      this.#count(row, 1);
    }
    this.#stamp(row, news.slot, news.readAtSeconds);
    return same ? 'same' : was === states.live ? 'changed' : 'added';
  }

  /** Takes in that the account is not ours at `slot`: closed, or delegated elsewhere. Its withdraw authority keeps it in `everOwnedBy`. */
  leave(address: Uint8Array, slot: number, readAtSeconds: number): TableChange {
    const row = this.#rows.find(address);
    if (row < 0) return 'same';
    if (slot < this.slotOf(row)) return 'old';
    const was = this.#word(row, word.state);
    if (was === states.live) {
      this.#count(row, -1);
      this.#setWord(row, word.state, states.gone);
      const withdrawer = this.#word(row, word.withdrawer);
      this.#lists.relink(row, withdrawer, withdrawer);
    }
    this.#stamp(row, slot, readAtSeconds);
    return was === states.live ? 'left' : 'same';
  }

  /** Remembers an account as once withdrawable by `withdrawer`, for instance from an earlier process. Changes nothing for rows known. */
  remember(address: Uint8Array, withdrawer: Uint8Array): void {
    if (this.#rows.find(address) >= 0) return;
    const row = this.#rows.findOrAdd(address);
    this.#setWord(row, word.state, states.gone);
    const authority = this.#authorities.findOrAdd(withdrawer) + 1;
    this.#lists.relink(row, authority, authority);
  }

  /** Live rows whose withdraw authority is `wallet`, then those whose stake authority only it is. */
  rowsOf(wallet: Uint8Array): { readonly row: number; readonly role: ListName }[] {
    const authority = this.#authorities.find(wallet);
    if (authority < 0) return [];
    return (['owner', 'staker'] as const).flatMap((role) =>
      this.#lists
        .rowsOf(authority, role)
        .filter((row) => this.isLive(row))
        .map((row) => ({ row, role })),
    );
  }

  /** Every account ever in the table while `wallet` was its withdraw authority. */
  everOwnedBy(wallet: Uint8Array): Address[] {
    const authority = this.#authorities.find(wallet);
    if (authority < 0) return [];
    return [...new Set(this.#lists.rowsOf(authority, 'owner').map((row) => this.addressOf(row)))];
  }

  /** The account as its row has it. Only for rows that are live. */
  accountOf(row: number): StakeAccount {
    const { view } = this.#rows.page(row);
    const byte = this.#byte(row);
    const [withdrawer, staker] = [this.#word(row, word.withdrawer), this.#word(row, word.staker)];
    const withdrawAuthority = this.#authorityAddress(withdrawer - 1);
    return {
      address: this.addressOf(row),
      lamports: view.getBigUint64(byte + at.lamports, true),
      kind: 'delegated',
      stakeAuthority: staker === withdrawer ? withdrawAuthority : this.#authorityAddress(staker - 1),
      withdrawAuthority,
      lockup: this.#lockups.get(this.#word(row, word.lockup)),
      delegation: {
        voteAccount: this.#voteAccount,
        stakeLamports: view.getBigUint64(byte + at.stake, true),
        activationEpoch: view.getBigUint64(byte + at.activation, true),
        deactivationEpoch: view.getBigUint64(byte + at.deactivation, true),
        creditsObserved: view.getBigUint64(byte + at.credits, true),
      },
    };
  }

  /** True when a live row says of the account what `lamports` and `data` say. */
  holds(row: number, lamports: bigint, data: Uint8Array): boolean {
    const { bytes, view } = this.#rows.page(row);
    const byte = this.#byte(row);
    if (view.getBigUint64(byte + at.lamports, true) !== lamports) return false;
    for (let i = 0; i < 24; i += 1)
      if (bytes[byte + at.stake + i] !== data[stakeOffsets.stake + i]) return false;
    for (let i = 0; i < 8; i += 1)
      if (bytes[byte + at.credits + i] !== data[stakeOffsets.creditsObserved + i]) return false;
    return (
      this.#authorities.find(data, stakeOffsets.withdrawer) + 1 === this.#word(row, word.withdrawer) &&
      this.#authorities.find(data, stakeOffsets.staker) + 1 === this.#word(row, word.staker) &&
      this.#lockups.idOf(data) === this.#word(row, word.lockup)
    );
  }

  #write(row: number, { lamports, data }: TableNews): void {
    const { bytes, view } = this.#rows.page(row);
    const byte = this.#byte(row);
    view.setBigUint64(byte + at.lamports, lamports, true);
    for (let i = 0; i < 24; i += 1) bytes[byte + at.stake + i] = data[stakeOffsets.stake + i]!;
    for (let i = 0; i < 8; i += 1) bytes[byte + at.credits + i] = data[stakeOffsets.creditsObserved + i]!;
    this.#setWord(row, word.lockup, this.#lockups.idOf(data));
    this.#setWord(row, word.state, states.live);
    const withdrawer = this.#authorities.findOrAdd(data, stakeOffsets.withdrawer) + 1;
    const former = this.#word(row, word.withdrawer);
    if (former !== 0 && former !== withdrawer) this.#keepFormer(row, former);
    this.#lists.relink(row, withdrawer, this.#authorities.findOrAdd(data, stakeOffsets.staker) + 1);
  }

  /** A hidden row keeps the account in the list of a withdrawer that gave it away. */
  #keepFormer(row: number, withdrawer: number): void {
    const address = this.addressBytesOf(row);
    const known = this.#lists
      .rowsOf(withdrawer - 1, 'owner')
      .some((other) => other !== row && this.addressBytesOf(other).every((byte, i) => byte === address[i]));
    if (known) return;
    const hidden = this.#rows.addHidden(address);
    this.#setWord(hidden, word.state, states.former);
    this.#lists.relink(hidden, withdrawer, withdrawer);
  }

  /** Adds a live row to the sums, or takes it out before it changes. */
  #count(row: number, sign: 1 | -1): void {
    const { view } = this.#rows.page(row);
    const byte = this.#byte(row);
    const stakeLamports = view.getBigUint64(byte + at.stake, true) * BigInt(sign);
    this.#live += sign;
    if (view.getBigUint64(byte + at.deactivation, true) !== EPOCH_ABSENT) {
      this.#deactivatedLamports += stakeLamports;
      return;
    }
    this.#delegatedLamports += stakeLamports;
    const authority = this.#word(row, word.withdrawer) - 1;
    const { words } = this.#authorities.page(authority);
    const slot = this.#authorities.start(authority) + EARNING;
    const earning = words[slot]!;
    words[slot] = earning + sign;
    if (earning === 0) this.#delegators += 1;
    else if (earning + sign === 0) this.#delegators -= 1;
  }

  #authorityAddress(authority: number): Address {
    if (this.#lastAuthority.authority === authority) return this.#lastAuthority.address;
    const { bytes } = this.#authorities.page(authority);
    const address = addressAt(bytes, this.#authorities.start(authority) * 4);
    this.#lastAuthority = { authority, address };
    return address;
  }

  #stamp(row: number, slot: number, readAtSeconds: number): void {
    this.#rows.page(row).view.setFloat64(this.#byte(row) + at.slot, slot, true);
    this.#setWord(row, word.readAt, readAtSeconds);
  }

  #byte(row: number): number {
    return this.#rows.start(row) * 4;
  }

  #word(row: number, offset: number): number {
    return this.#rows.page(row).words[this.#rows.start(row) + offset]!;
  }

  #setWord(row: number, offset: number, value: number): void {
    this.#rows.page(row).words[this.#rows.start(row) + offset] = value;
  }
}

// Which accounts belong to which wallet: two lists per wallet through the rows themselves, so that a lookup costs only what it finds.
import type { KeyTable } from './index-keys.ts';

/** `owner`: rows whose withdraw authority the wallet is. `staker`: rows whose stake authority only it is. */
export type ListName = 'owner' | 'staker';

/** Word offsets in a row. Links and authorities are numbers plus one; 0 is none. */
export const listWords = {
  withdrawer: 20,
  staker: 21,
  ownerNext: 23,
  ownerPrevious: 24,
  stakerNext: 25,
  stakerPrevious: 26,
} as const;
/** Word offsets of the first members in an authority's record, behind its key. */
const head = { owned: 8, staked: 9 } as const;

/** Lists of rows by authority; linked both ways, so that leaving one costs the same in a list of a million. */
export class IndexLists {
  readonly #rows: KeyTable;
  readonly #authorities: KeyTable;

  constructor(rows: KeyTable, authorities: KeyTable) {
    this.#rows = rows;
    this.#authorities = authorities;
  }

  /** Puts the row into the list of its withdrawer and, where another wallet is staker, into that one's list. */
  relink(row: number, withdrawer: number, staker: number): void {
    const [oldWithdrawer, oldStaker] = [
      this.#word(row, listWords.withdrawer),
      this.#word(row, listWords.staker),
    ];
    if (oldWithdrawer === withdrawer && oldStaker === staker) return;
    if (oldWithdrawer !== 0) this.#unlink(row, 'owner', oldWithdrawer - 1);
    if (oldStaker !== oldWithdrawer) this.#unlink(row, 'staker', oldStaker - 1);
    this.#setWord(row, listWords.withdrawer, withdrawer);
    this.#setWord(row, listWords.staker, staker);
    this.#link(row, 'owner', withdrawer - 1);
    if (staker !== withdrawer) this.#link(row, 'staker', staker - 1);
  }

  /** The rows of an authority, the newest member first. */
  rowsOf(authority: number, list: ListName): number[] {
    const rows: number[] = [];
    const [first, next] =
      list === 'owner' ? [head.owned, listWords.ownerNext] : [head.staked, listWords.stakerNext];
    let link = this.#authorities.page(authority).words[this.#authorities.start(authority) + first]!;
    for (; link !== 0; link = this.#word(link - 1, next)) rows.push(link - 1);
    return rows;
  }

  #link(row: number, list: ListName, authority: number): void {
    const [first, next, previous] =
      list === 'owner'
        ? [head.owned, listWords.ownerNext, listWords.ownerPrevious]
        : [head.staked, listWords.stakerNext, listWords.stakerPrevious];
    const { words } = this.#authorities.page(authority);
    const slot = this.#authorities.start(authority) + first;
    const follower = words[slot]!;
    this.#setWord(row, next, follower);
    this.#setWord(row, previous, 0);
    if (follower !== 0) this.#setWord(follower - 1, previous, row + 1);
    words[slot] = row + 1;
  }

  #unlink(row: number, list: ListName, authority: number): void {
    const [first, next, previous] =
      list === 'owner'
        ? [head.owned, listWords.ownerNext, listWords.ownerPrevious]
        : [head.staked, listWords.stakerNext, listWords.stakerPrevious];
    const [before, after] = [this.#word(row, previous), this.#word(row, next)];
    if (after !== 0) this.#setWord(after - 1, previous, before);
    if (before !== 0) this.#setWord(before - 1, next, after);
    else this.#authorities.page(authority).words[this.#authorities.start(authority) + first] = after;
  }

  #word(row: number, offset: number): number {
    return this.#rows.page(row).words[this.#rows.start(row) + offset]!;
  }

  #setWord(row: number, offset: number, value: number): void {
    this.#rows.page(row).words[this.#rows.start(row) + offset] = value;
  }
}

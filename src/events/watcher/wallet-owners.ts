// Notices wallets whose own account was assigned to another program: a hundred at each look, in turn, and only what two looks say.
import type { Address } from '@solana/kit';
import type { SolanaReads } from '../../chain/ports.ts';
import { SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';
import type { Outbox } from '../../store/outbox/outbox.ts';
import { type ComposeOptions, walletOwnerEvent } from './event-of-fact.ts';
import type { UntimedEvent } from './event-times.ts';
import type { WatchedWallets } from './search-wallet.ts';

/** Of one call. */
const WALLETS_AT_ONCE = 100;

interface OwnersOptions extends ComposeOptions {
  readonly reads: Pick<SolanaReads, 'accounts'>;
  readonly outbox: Pick<Outbox, 'checkpoint'>;
  readonly position: { readonly epoch: bigint; readonly slot: bigint };
  readonly signal: AbortSignal;
}

/** What is new, and the owners to be stored with it. */
export interface OwnerChanges {
  readonly events: readonly UntimedEvent[];
  readonly marks: readonly { readonly name: string; readonly value: string }[];
  /** What `settle` takes as reported. */
  readonly reported: ReadonlyMap<Address, KnownOwner>;
}

/** An owner, and how many changes of this wallet were reported before: a second theft by one program is another event. */
interface KnownOwner {
  readonly owner: string;
  readonly changes: number;
}

const storedMark = ({ owner, changes }: KnownOwner): string =>
  changes === 0 ? owner : `${owner} ${changes}`;

const readMark = (value: string | null): KnownOwner | null => {
  if (value === null) return null;
  const [owner = value, changes = '0'] = value.split(' ');
  return { owner, changes: Number(changes) };
};

const markOf = (wallet: Address): string => `owner ${wallet}`;

/** The owners of wallets as they were told or first seen; they are stored, so that a restart tells nothing twice and misses nothing. */
export class WalletOwners {
  readonly #owners = new Map<Address, KnownOwner>();
  /** Seen once. */
  readonly #unconfirmed = new Map<Address, string>();
  #next = 0;

  /** Looks at the next wallets. Nothing counts before `settle`. Throws `UPSTREAM_UNAVAILABLE` or `STORE_UNAVAILABLE`. */
  async look(
    { byWallet }: WatchedWallets,
    { reads, outbox, position, signal, ...options }: OwnersOptions,
  ): Promise<OwnerChanges> {
    const all = [...byWallet.keys()];
    const from = this.#next < all.length ? this.#next : 0;
    const wallets = all.slice(from, from + WALLETS_AT_ONCE);
    this.#next = from + wallets.length;
    if (wallets.length === 0) return { events: [], marks: [], reported: new Map() };
    const query = { signal, commitment: 'finalized', minContextSlot: position.slot } as const;
    const { slot, accounts } = await reads.accounts(wallets, query);
    const events: UntimedEvent[] = [];
    const marks: { name: string; value: string }[] = [];
    const reported = new Map<Address, KnownOwner>();
    for (const [i, wallet] of wallets.entries()) {
      // What was never paid into is a wallet all the same.
      const to = accounts[i]?.owner ?? SYSTEM_PROGRAM;
      const known = this.#owners.get(wallet) ?? readMark(await outbox.checkpoint(markOf(wallet)));
      const from = known?.owner ?? null;
      if (known !== null && from === to) {
        this.#owners.set(wallet, known);
        this.#unconfirmed.delete(wallet);
        continue;
      }
      if (from !== null && this.#unconfirmed.get(wallet) !== to) {
        this.#unconfirmed.set(wallet, to);
        continue;
      }
      const now = { owner: to, changes: known === null ? 0 : known.changes + 1 };
      marks.push({ name: markOf(wallet), value: storedMark(now) });
      reported.set(wallet, now);
      if (from === null) continue;
      const level = to === SYSTEM_PROGRAM ? 'info' : 'critical';
      const data = {
        walletAddress: wallet,
        epoch: Number(position.epoch),
        level,
        owner: { from, to },
      } as const;
      for (const registration of byWallet.get(wallet)!)
        if (registration.events.includes('wallet_owner_changed'))
          events.push(walletOwnerEvent(registration, data, { slot, changes: known!.changes }, options));
    }
    return { events, marks, reported };
  }

  /** Call it once the events and marks are stored: none of them is reported or written again. */
  settle({ reported }: Pick<OwnerChanges, 'reported'>): void {
    for (const [wallet, known] of reported) {
      this.#owners.set(wallet, known);
      this.#unconfirmed.delete(wallet);
    }
  }
}

// Notices wallets whose own account was assigned to another program: a hundred at each look, in turn, and only what two looks say.
import type { Address } from '@solana/kit';
import type { SolanaReads } from '../../chain/ports.ts';
import { SYSTEM_PROGRAM } from '../../domain/transaction/instruction-programs.ts';
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
}

const markOf = (wallet: Address): string => `owner ${wallet}`;

/** The owners of wallets as they were told or first seen; they are stored, so that a restart tells nothing twice and misses nothing. */
export class WalletOwners {
  readonly #owners = new Map<Address, string>();
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
    if (wallets.length === 0) return { events: [], marks: [] };
    const query = { signal, commitment: 'finalized', minContextSlot: position.slot } as const;
    const { slot, accounts } = await reads.accounts(wallets, query);
    const events: UntimedEvent[] = [];
    const marks: { name: string; value: string }[] = [];
    for (const [i, wallet] of wallets.entries()) {
      // What was never paid into is a wallet all the same.
      const to = accounts[i]?.owner ?? SYSTEM_PROGRAM;
      const from = this.#owners.get(wallet) ?? (await outbox.checkpoint(markOf(wallet)));
      if (from === to) {
        this.#owners.set(wallet, to);
        this.#unconfirmed.delete(wallet);
        continue;
      }
      if (from !== null && this.#unconfirmed.get(wallet) !== to) {
        this.#unconfirmed.set(wallet, to);
        continue;
      }
      marks.push({ name: markOf(wallet), value: to });
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
          events.push(walletOwnerEvent(registration, data, slot, options));
    }
    return { events, marks };
  }
}

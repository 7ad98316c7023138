// Detects wallets whose account was assigned to another program. Each poll reads the next hundred wallets, and
// two polls must agree on a change.
import type { Address } from '@solana/kit';
import type { SolanaReads } from '../../chain/ports.ts';
import { SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';
import type { Outbox } from '../../store/outbox/outbox.ts';
import { type ComposeOptions, walletOwnerEvent } from './event-of-fact.ts';
import type { UntimedEvent } from './event-times.ts';
import type { WatchedWallets } from './search-wallet.ts';

/** Number of wallets read per call. */
const WALLETS_AT_ONCE = 100;

interface OwnersOptions extends ComposeOptions {
  readonly reads: Pick<SolanaReads, 'accounts'>;
  readonly outbox: Pick<Outbox, 'checkpoint'>;
  readonly position: { readonly epoch: bigint; readonly slot: bigint };
  readonly signal: AbortSignal;
}

/** New events, and the owners to store with them. */
export interface OwnerChanges {
  readonly events: readonly UntimedEvent[];
  readonly checkpoints: readonly { readonly name: string; readonly value: string }[];
  /** Owners that count as reported once `settle` is called. */
  readonly reported: ReadonlyMap<Address, KnownOwner>;
}

/**
 * An owner, with the number of changes reported for this wallet, so a second theft by the same program is
 * another event.
 */
interface KnownOwner {
  readonly owner: string;
  readonly changes: number;
}

const formatOwner = ({ owner, changes }: KnownOwner): string =>
  changes === 0 ? owner : `${owner} ${changes}`;

const parseOwner = (value: string | null): KnownOwner | null => {
  if (value === null) return null;
  const [owner = value, changes = '0'] = value.split(' ');
  return { owner, changes: Number(changes) };
};

const checkpointOf = (wallet: Address): string => `owner ${wallet}`;

/**
 * Tracks the last reported or first seen owners of wallets. They are stored, so a restart neither repeats nor
 * misses a change.
 */
export class ReassignedWalletDetector {
  readonly #owners = new Map<Address, KnownOwner>();
  /** New owners seen in only one poll. */
  readonly #unconfirmed = new Map<Address, string>();
  #next = 0;

  /**
   * Polls the next wallets. No change counts as reported until `settle` is called. Throws
   * `AppError('UPSTREAM_UNAVAILABLE')` or `AppError('STORE_UNAVAILABLE')` if the chain or the store cannot be read.
   */
  async poll(
    { byWallet }: WatchedWallets,
    { reads, outbox, position, signal, ...options }: OwnersOptions,
  ): Promise<OwnerChanges> {
    const all = [...byWallet.keys()];
    const from = this.#next < all.length ? this.#next : 0;
    const wallets = all.slice(from, from + WALLETS_AT_ONCE);
    this.#next = from + wallets.length;
    if (wallets.length === 0) return { events: [], checkpoints: [], reported: new Map() };
    const query = { signal, commitment: 'finalized', minContextSlot: position.slot } as const;
    const { slot, accounts } = await reads.accounts(wallets, query);
    const events: UntimedEvent[] = [];
    const checkpoints: { name: string; value: string }[] = [];
    const reported = new Map<Address, KnownOwner>();
    for (const [i, wallet] of wallets.entries()) {
      // An address that never received SOL counts as a wallet of the System program.
      const to = accounts[i]?.owner ?? SYSTEM_PROGRAM;
      const known = this.#owners.get(wallet) ?? parseOwner(await outbox.checkpoint(checkpointOf(wallet)));
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
      checkpoints.push({ name: checkpointOf(wallet), value: formatOwner(now) });
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
    return { events, checkpoints, reported };
  }

  /**
   * Marks changes as reported. Call this once events and checkpoints are stored, so the changes are not
   * reported again.
   */
  settle({ reported }: Pick<OwnerChanges, 'reported'>): void {
    for (const [wallet, known] of reported) {
      this.#owners.set(wallet, known);
      this.#unconfirmed.delete(wallet);
    }
  }
}

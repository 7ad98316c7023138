// Who wants to be told of which wallet: every registration, grouped by wallet, as the store has them now.
import type { Address } from '@solana/kit';
import type { Registration, Webhooks } from '../../store/webhooks.ts';

const PAGE = 500;

/** The registrations of one reading. */
export interface WatchedWallets {
  readonly byWallet: ReadonlyMap<Address, readonly Registration[]>;
  readonly ids: ReadonlySet<string>;
}

/** Nobody. */
export const NO_WALLETS: WatchedWallets = { byWallet: new Map(), ids: new Set() };

/** Reads all of them, 500 at a time. Throws `STORE_UNAVAILABLE`. */
export const readWatchedWallets = async (webhooks: Pick<Webhooks, 'page'>): Promise<WatchedWallets> => {
  const byWallet = new Map<Address, Registration[]>();
  const ids = new Set<string>();
  for (let after: string | null = null; ; ) {
    const page: readonly Registration[] = await webhooks.page(after, PAGE);
    for (const registration of page) {
      const wallet = registration.walletAddress as Address;
      ids.add(registration.id);
      byWallet.set(wallet, [...(byWallet.get(wallet) ?? []), registration]);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return { byWallet, ids };
    after = last.id;
  }
};

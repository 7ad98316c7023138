// Gathers the accounts that one look must read: listed, found, suspected, or about to be unlocked.
import type { Address } from '@solana/kit';
import type { Candidate } from './watcher-look.ts';
import type { WatcherMemory } from './watcher-memory.ts';

/** Suspicions whose slot is finalized. */
export type Due = readonly (readonly [
  Address,
  { readonly wallet: Address; readonly slot: bigint; readonly tries: number },
])[];

/** Where candidates come from. */
export interface CandidateSources {
  /** Wallets whose accounts are compared as a whole, with what they own now. */
  readonly listed: ReadonlyMap<Address, readonly Address[]>;
  /** Wallets that are watched since this look, each from its slot on. */
  readonly fresh: ReadonlyMap<Address, bigint>;
  /** Accounts that a search of their wallets' transactions met. */
  readonly searched: ReadonlyMap<Address, Address>;
  readonly due: Due;
  /** The chain's finalized time, Unix seconds: lockups until then are over. */
  readonly seconds: bigint;
}

/** Each account once; a suspicion from any source stays, and the most tries count. */
export const candidatesOf = (
  memory: Pick<WatcherMemory, 'byWallet' | 'isForeign' | 'known' | 'locked'>,
  { listed, fresh, searched, due, seconds }: CandidateSources,
): ReadonlyMap<Address, Candidate> => {
  const candidates = new Map<Address, Candidate>();
  const add = (address: Address, wallet: Address, isSuspect: boolean, tries = 0): void => {
    const before = candidates.get(address);
    candidates.set(address, {
      wallet,
      freshFrom: fresh.get(wallet) ?? null,
      isSuspect: isSuspect || (before?.isSuspect ?? false),
      tries: Math.max(tries, before?.tries ?? 0),
    });
  };
  const owned = listed.size > 0 ? memory.byWallet() : new Map<Address, readonly Address[]>();
  for (const [wallet, addresses] of listed)
    for (const address of [...(owned.get(wallet) ?? []), ...addresses])
      add(address, wallet, memory.isForeign(address));
  for (const [address, wallet] of searched) add(address, wallet, true);
  for (const [address, { wallet, tries }] of due) add(address, wallet, true, tries);
  for (const [address, until] of memory.locked) {
    const known = memory.known.get(address);
    if (known && until <= seconds) add(address, known.wallet, false);
  }
  return candidates;
};

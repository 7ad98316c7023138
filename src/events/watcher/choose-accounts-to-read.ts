// Chooses the accounts that a poll reads. Pure.
import type { Address } from '@solana/kit';
import type { WatcherMemory } from './watcher-memory.ts';

export interface Candidate {
  readonly wallet: Address;
  /** True if the account may have changed in a way that its current state does not show. */
  readonly isSuspect: boolean;
  /**
   * Slot from which to read the account's history if new registrations watch its wallet, in which case earlier
   * knowledge is discarded. Otherwise null.
   */
  readonly freshFrom: bigint | null;
  readonly tries: number;
}

/** Accounts that may have changed, if the slot of the possible change is finalized. */
export type FinalizedSuspicions = readonly (readonly [
  Address,
  { readonly wallet: Address; readonly slot: bigint; readonly tries: number },
])[];

export interface CandidateSources {
  /** Wallets whose known accounts are compared with their current accounts. */
  readonly listed: ReadonlyMap<Address, readonly Address[]>;
  /** Wallets with new registrations, and the slot from which each is watched. */
  readonly fresh: ReadonlyMap<Address, bigint>;
  /** Accounts found by searching their wallets' transactions. */
  readonly searched: ReadonlyMap<Address, Address>;
  readonly due: FinalizedSuspicions;
  /** Known accounts that this poll compares with the chain. */
  readonly round: readonly Address[];
  /** Time of the finalized chain, in Unix seconds. Lockups that end at or before this time have ended. */
  readonly seconds: bigint;
}

/**
 * Returns each account once. An account stays suspect if any source considers it suspect, with the highest
 * number of tries.
 */
export const chooseAccountsToRead = (
  memory: Pick<WatcherMemory, 'byWallet' | 'isForeign' | 'known' | 'locked'>,
  { listed, fresh, searched, due, round, seconds }: CandidateSources,
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
  for (const address of round) {
    const known = memory.known.get(address);
    if (known) add(address, known.wallet, false);
  }
  for (const [address, until] of memory.locked) {
    const known = memory.known.get(address);
    if (known && until <= seconds) add(address, known.wallet, false);
  }
  return candidates;
};

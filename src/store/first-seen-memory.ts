// Caches when each account of the delegator list was first seen. Read from the store on first use, then only
// new entries.
import { setImmediate } from 'node:timers/promises';
import type { Address } from '@solana/kit';
import type { Delegators, FirstSeen } from './delegators.ts';

/** The cache. About 100 bytes per account, empty before the first `refresh`. */
export interface FirstSeenMemory {
  /** Reads entries added since the last refresh. */
  readonly refresh: () => Promise<void>;
  /** Undefined if the delegator list has not recorded it yet. */
  readonly of: (address: Address) => Omit<FirstSeen, 'address'> | undefined;
}

const ROWS = 2_000;

/** Creates an empty cache. */
export const createFirstSeenMemory = (delegators: Pick<Delegators, 'seenSince'>): FirstSeenMemory => {
  const seen = new Map<Address, Omit<FirstSeen, 'address'>>();
  let place: { readonly atMs: number; readonly address: Address | null } = { atMs: 0, address: null };
  let reading: Promise<void> | null = null;

  const read = async (): Promise<void> => {
    // Rows with the same timestamp may be written in several transactions, so the last timestamp is read again each time.
    let { atMs, address }: typeof place = { atMs: place.atMs, address: null };
    for (;;) {
      const page = await delegators.seenSince(atMs, address, ROWS);
      for (const one of page) seen.set(one.address, { epoch: one.epoch, atMs: one.atMs });
      const last = page.at(-1);
      if (last !== undefined) ({ atMs, address } = last);
      place = { atMs, address };
      if (page.length < ROWS) return;
      await setImmediate();
    }
  };
  return {
    refresh: () => {
      reading ??= read().finally(() => {
        reading = null;
      });
      return reading;
    },
    of: (address) => seen.get(address),
  };
};

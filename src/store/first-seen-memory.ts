// Caches when each account of the delegator list was first seen. The first use reads the whole list from the
// store; later uses read only new entries.
import { setImmediate } from 'node:timers/promises';
import type { Address } from '@solana/kit';
import type { Delegators, FirstSeen } from './delegators.ts';

/** Cache of about 100 bytes per account, empty before the first `refresh`. */
export interface FirstSeenMemory {
  /** Reads the entries added since the last refresh. */
  readonly refresh: () => Promise<void>;
  /** Returns undefined if the delegator list has not recorded the account yet. */
  readonly of: (address: Address) => Omit<FirstSeen, 'address'> | undefined;
}

const ROWS = 2_000;

export const createFirstSeenMemory = (delegators: Pick<Delegators, 'seenSince'>): FirstSeenMemory => {
  const seen = new Map<Address, Omit<FirstSeen, 'address'>>();
  let place: { readonly atMs: number; readonly address: Address | null } = { atMs: 0, address: null };
  let reading: Promise<void> | null = null;

  const read = async (): Promise<void> => {
    // Rows with the same timestamp may be written by several transactions, so the rows of the last timestamp
    // are read again each time.
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

// Since when each account of the delegator list is known, in memory: read from the store when first asked for, and then only what is new.
import { setImmediate } from 'node:timers/promises';
import type { Address } from '@solana/kit';
import type { Delegators, FirstSeen } from './delegators.ts';

/** What is remembered. About 100 bytes an account, nothing before the first `refresh`. */
export interface FirstSeenMemory {
  /** Reads what was noted since the last time. */
  readonly refresh: () => Promise<void>;
  /** Undefined where the delegator list has not noted it yet. */
  readonly of: (address: Address) => Omit<FirstSeen, 'address'> | undefined;
}

const ROWS = 2_000;

/** Empty at first. */
export const createFirstSeenMemory = (delegators: Pick<Delegators, 'seenSince'>): FirstSeenMemory => {
  const seen = new Map<Address, Omit<FirstSeen, 'address'>>();
  let place: { readonly atMs: number; readonly address: Address | null } = { atMs: 0, address: null };
  let reading: Promise<void> | null = null;

  const read = async (): Promise<void> => {
    // Rows of one moment are written in several transactions, so that moment is read again each time.
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
